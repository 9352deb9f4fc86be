import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach} from "vitest";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {type Answers, makeAnswers} from "../../../../pipeline/market/answers/make-answers.ts";
import {makePriceHistory} from "../../../../pipeline/market/answers/price-history.ts";
import {gatherVenues} from "../../../../pipeline/market/answers/venue-facts.ts";
import {fillAnswerTables} from "../../../../pipeline/market/files/answer-tables.ts";
import {writeAnswerFiles} from "../../../../pipeline/market/files/parquet.ts";
import {fillTable} from "../../../../pipeline/market/files/record-table.ts";
import {loadMarketSources} from "../../../../pipeline/market/market-sources.ts";
import {bareVenue} from "../../../../pipeline/market/venues.ts";
import {marketFiles} from "../../../../schemas/market-files.ts";
import {Venue} from "../../../../schemas/venue.ts";
import {asOf, marketOf, type RowSaid} from "./workshop.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, {recursive: true, force: true});
});

/** An invented venue; by default in Ford County, KS. */
export function venueSaid(said: Partial<Venue> & {venueId: string}): Venue {
  return Venue.parse({
    ...bareVenue({
      venueId: said.venueId,
      name: `Market ${said.venueId}`,
      city: "Town",
      state: said.venueId.slice(0, 2).toUpperCase(),
    }),
    facts: [{fields: ["name"], source: "ams-lmr-datamart", publisher: "A list", date: "2026-11-01"}],
    ...said,
  });
}

type Asked = {date?: string; previous?: string | null; sample?: boolean; write?: boolean};

export type Built = {answers: Answers; db: Database; dir: string};

/** Answers of the given rows and venues; with `write`, as Parquet in a folder that the next build can compare with. */
export async function answersOf(
  rows: readonly RowSaid[],
  venues: readonly Venue[],
  {date = asOf, previous = null, sample = false, write = false}: Asked = {},
): Promise<Built> {
  const db = await marketOf(rows);
  const dir = await mkdtemp(join(tmpdir(), "market-answers-"));
  folders.push(dir);
  const {facts, venues: all} = await gatherVenues(db, venues, sample);
  const registry = loadMarketSources();
  const context = {asOf: date, sample, registry};
  const answers = await makeAnswers(db, {context, venues: all, facts, previousDir: previous});
  if (write) {
    await fillAnswerTables(db, answers, {facts, registry, tempDir: dir});
    await makePriceHistory(db);
    await fillTable(db, "derived_measures", marketFiles.derived_measures.columns, [], dir);
    const stamp = {part: "MARKET", inputsSha256: null, asOf: date, sample, licence: "of the test"};
    await writeAnswerFiles(db, {outDir: dir, stamp});
  }
  return {answers, db, dir};
}

/** The record of a county and cell. */
export function countyRecord({answers}: Built, county: string, cell: string) {
  return answers.counties.find(({record}) => record.county_fips === county && record.cell_id === cell)
    ?.record;
}

/** The record of a state and cell. */
export function stateRecord({answers}: Built, state: string, cell: string) {
  return answers.states.find(({record}) => record.state === state && record.cell_id === cell)?.record;
}

/** The evidence of an id. */
export function evidenceWith({answers}: Built, id: string) {
  return answers.evidence.find((evidence) => evidence.evidence_id === id);
}
