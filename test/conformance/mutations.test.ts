import {beforeAll, describe, expect, test} from "vitest";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {parquetRows} from "../pipeline/parcels/parquet-rows.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {generationOfStates} from "../server/parcels/lookup-fixture.ts";
import {type AddressRow, addressLines, addressQuestions} from "./address-mutations.ts";
import {corpus} from "./corpus.ts";
import {buildCorpusState, type CorpusState, corpusEntries} from "./corpus-states.ts";
import {idQuestions, idQuestionsOf} from "./id-mutations.ts";
import {addressOutcome, idOutcome, ownerOutcome} from "./outcomes.ts";
import {type OwnerRow, ownerQuestions, ownerQuestionsOf} from "./owner-mutations.ts";
import {count, firstShare, type Shares, sharesTable} from "./shares.ts";

// All states and all rows with CORPUS_ALL=1; else some rows of states whose lines differ most.
const all = process.env.CORPUS_ALL === "1";
const someStates = ["AZ", "CA", "FL", "MA", "UT", "WA"];
const someRows = 150;
/** Questions that remove something from the record or add an error; all others are the same text spelled differently. */
const lossy = new Set([
  "suffix dropped",
  "one typo in the street",
  "initial of the given name",
  "one typo in a word",
]);

const line = `coalesce(situs_raw, concat_ws(' ', situs_number, situs_fraction, situs_pre, situs_name, situs_type, situs_post,
  CASE WHEN situs_unit IS NOT NULL THEN coalesce(situs_unit_type, '#') END, situs_unit))`;
const addressColumns = `parcel_uid, situs_status, ${line} AS situs_raw, situs_number, situs_fraction, situs_pre, situs_name, situs_type,
  situs_post, situs_unit, city, zip`;

describe.skipIf(corpus === null)("real parcels are found by mutated questions", {timeout: 3_600_000}, () => {
  const states: CorpusState[] = [];
  let generation: Generation;

  beforeAll(async () => {
    const files = (await listRawFiles(corpus!)).filter(({kind}) => kind === "parcels");
    for (const [state, entries] of corpusEntries(files)) {
      if (all || someStates.includes(state)) states.push(await buildCorpusState(state, {entries, files}));
    }
    generation = generationOfStates(states.map(({set}) => set));
  }, 600_000);

  /** Rows of a state with the question's column: all of them, or a sample spread over the file. */
  async function rowsOf<Row>(
    {outDir}: CorpusState,
    columns: string,
    has: (row: Row) => boolean,
  ): Promise<Row[]> {
    const rows = (await parquetRows<Row>(outDir, "parcels", columns)).filter(has);
    const step = all ? 1 : Math.max(1, Math.floor(rows.length / someRows));
    return rows.filter((_, at) => at % step === 0);
  }

  function check(title: string, shares: Shares, questions: readonly string[]): void {
    process.stderr.write(
      sharesTable(title, new Map(questions.map((name) => [name, shares.get(name) ?? new Map()]))),
    );
    for (const name of questions) {
      expect([name, firstShare(shares, name) >= (lossy.has(name) ? 0.97 : 0.995)]).toEqual([name, true]);
    }
    // A verbatim question may match another parcel too, but never only that one.
    expect(shares.get(questions[0]!)?.get("another's own")).toBeUndefined();
  }

  test("by their own address and by each of eight mutations of it", async () => {
    const shares: Shares = new Map();
    const random = seededRandom(20261121);
    for (const each of states) {
      const rows = await rowsOf<AddressRow & {situs_status: string}>(
        each,
        addressColumns,
        ({situs_status}) => situs_status === "numbered",
      );
      for (const row of rows) {
        for (const [name, address] of addressLines(row, each.state, random)) {
          count(shares, name, addressOutcome(generation, {address, state: each.state}, row.parcel_uid));
        }
      }
    }
    check("addresses", shares, addressQuestions);
  });

  test("by their owner in another order, by initial, by one of two names and with a typing error", async () => {
    const shares: Shares = new Map();
    const random = seededRandom(20261121);
    for (const each of states) {
      const isLastFirst = each.entries.every(({owners}) => owners?.order.startsWith("last") ?? false);
      const rows = await rowsOf<OwnerRow>(
        each,
        "parcel_uid, owner_name, owner_kind",
        (row) => row.owner_name !== null,
      );
      for (const row of rows) {
        for (const [name, asked] of ownerQuestionsOf(row, {random, isLastFirst})) {
          count(shares, name, ownerOutcome(each.set, asked, row.parcel_uid));
        }
      }
    }
    check("owners", shares, ownerQuestions);
  });

  test("by their number with other dashes, with blanks and without leading zeros", async () => {
    const shares: Shares = new Map();
    const random = seededRandom(20261121);
    for (const each of states) {
      const rows = await rowsOf<{parcel_uid: string; parcel_id: string}>(
        each,
        "parcel_uid, parcel_id",
        (row) => row.parcel_id !== null,
      );
      for (const row of rows) {
        for (const [name, parcelId] of idQuestionsOf(row.parcel_id, random)) {
          count(shares, name, idOutcome(each.set, parcelId, row.parcel_uid));
        }
      }
    }
    check("parcel numbers", shares, idQuestions);
  });
});
