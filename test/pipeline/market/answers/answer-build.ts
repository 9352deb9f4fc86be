import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach} from "vitest";
import type {ModelRun} from "../../../../lib/models/model-run.ts";
import {recordModel} from "../../../../lib/models/record-model.ts";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {makeAnswers} from "../../../../pipeline/market/answers/make-answers.ts";
import {price_history} from "../../../../pipeline/market/answers/price-history.ts";
import {gatherVenues} from "../../../../pipeline/market/answers/venue-places.ts";
import {writeAnswerFiles} from "../../../../pipeline/market/files/write-tables.ts";
import {loadMarketSources} from "../../../../pipeline/market/reference/market-sources.ts";
import {bareVenue} from "../../../../pipeline/market/reference/venues.ts";
import type {Evidence} from "../../../../schemas/market-evidence.ts";
import {marketFiles} from "../../../../schemas/market-files.ts";
import type {
  Barn,
  CountyPrice,
  DirectoryRow,
  LatestPrice,
  StatePrice,
} from "../../../../schemas/market-records.ts";
import {Venue} from "../../../../schemas/vocabulary/venue.ts";
import {asOf, marketOf, type RowSaid, runOf} from "./workshop.ts";

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

/** Records and evidence as served, each kind in key order, tombstones of rows last. */
type Answers = {
  counties: {record: CountyPrice}[];
  states: {record: StatePrice}[];
  latest: {record: LatestPrice}[];
  barns: {barn: Barn; directory: DirectoryRow}[];
  evidence: Evidence[];
};

async function readAnswers(db: Database): Promise<Answers> {
  const texts = async <Read>(table: string, order: string, column = "record") => {
    const rows = await db.rows<{text: string}>(`SELECT ${column} AS text FROM ${table} ORDER BY ${order}`);
    return rows.map(({text}) => JSON.parse(text) as Read);
  };
  const records = async <Read>(table: string, order: string) =>
    (await texts<Read>(table, order)).map((record) => ({record}));
  const directory = await texts<DirectoryRow>("barns", "venue_id", "directory_record");
  const barns = await texts<Barn>("barns", "venue_id", "barn_record");
  return {
    counties: await records("county_prices", "county_fips, cell_id"),
    states: await records("state_prices", "state, cell_id"),
    latest: await records(
      "latest_prices",
      "coalesce(withdrawn, false), venue_id, cell_id, row_ordinal, report_scope",
    ),
    barns: barns.map((barn, at) => ({barn, directory: directory[at]!})),
    evidence: await texts("evidence", "evidence_id", "evidence"),
  };
}

export type Built = {answers: Answers; db: Database; dir: string; run: ModelRun};

/**
 * Builds the answers of the given rows and venues; with `write`, also as Parquet in a folder for the next build to compare
 * with.
 */
export async function answersOf(
  rows: readonly RowSaid[],
  venues: readonly Venue[],
  {date = asOf, previous = null, sample = false, write = false}: Asked = {},
): Promise<Built> {
  const db = await marketOf(rows);
  const dir = await mkdtemp(join(tmpdir(), "market-answers-"));
  folders.push(dir);
  const all = await gatherVenues(db, venues, sample);
  const registry = loadMarketSources();
  const context = {asOf: date, sample, registry};
  const run = runOf(db, date);
  await makeAnswers(run, {context, venues: all, previousDir: previous});
  if (write) {
    await run.make(price_history);
    const {columns} = marketFiles.derived_measures;
    await run.make(recordModel({name: "derived_measures", columns, rows: () => []}));
    const stamp = {part: "MARKET", inputsSha256: null, asOf: date, sample, licence: "of the test"};
    await writeAnswerFiles(db, {outDir: dir, stamp});
  }
  return {answers: await readAnswers(db), db, dir, run};
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
