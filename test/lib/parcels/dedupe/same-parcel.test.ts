import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {ensureMacros} from "../../../../lib/parcels/conform/functions.ts";
import {meetingModels} from "../../../../lib/parcels/dedupe/same-parcel-sql.ts";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {type ParcelNumber, sameParcels} from "./same-parcel.ts";

const number = (tok: string, members: Partial<ParcelNumber> = {}): ParcelNumber => ({
  tok,
  alts: [],
  houses: [],
  streets: [],
  ...members,
});
const at = (house: string, street: string) => ({houses: [house], streets: [street]});

/** The pairs as `number number step`, sorted. */
function inScript(ours: readonly ParcelNumber[], theirs: readonly ParcelNumber[]): string[] {
  return sameParcels(ours, theirs)
    .map((pair) => `${ours[pair.ours]!.tok} ${theirs[pair.theirs]!.tok} ${pair.by}`)
    .sort();
}

/** The same from the SQL form. */
async function inSql(ours: readonly ParcelNumber[], theirs: readonly ParcelNumber[]): Promise<string[]> {
  using db = await openDatabase();
  const list = (items: readonly string[]) => `[${items.map(sqlText).join(", ")}]::VARCHAR[]`;
  const rows = (numbers: readonly ParcelNumber[]) =>
    `(SELECT '48453' AS county_key, * FROM (VALUES ${numbers
      .map(
        ({tok, alts, houses, streets}) =>
          `(${sqlText(tok)}, ${sqlText(tok)}, ${list(alts)}, ${houses[0] === undefined ? "NULL::VARCHAR" : sqlText(houses[0])}, ${streets[0] === undefined ? "NULL::VARCHAR" : sqlText(streets[0])})`,
      )
      .join(", ")}) t(_key, parcel_id, alt_ids, situs_number, situs_name))`;
  const {numbers, meetings} = meetingModels(
    [
      {source: "ours", rows: [rows(ours)], isFound: false},
      {source: "theirs", rows: [rows(theirs)], isFound: false},
    ],
    {reads: []},
  );
  await ensureMacros(db);
  const run = new ModelRun(db);
  await run.make(numbers, meetings);
  const pairs = await db.rows<{pair: string}>(
    `SELECT key || ' ' || other_key || ' ' || step AS pair FROM meetings
     UNION ALL SELECT a.tok || ' ' || b.tok || ' equal' FROM numbers a JOIN numbers b ON b.tok = a.tok AND a.source = 'ours' AND b.source = 'theirs'`,
  );
  return pairs.map(({pair}) => pair).sort();
}

describe("numbers of two sources", () => {
  test.each<[string, ParcelNumber[], ParcelNumber[], string[]]>([
    ["I34: meet where one prints dashes", [number("840-00001-000")], [number("84000001000")], ["form"]],
    ["I36: do not meet where two would fit", [number("143-6"), number("14-36")], [number("1436")], []],
    ["I37: do not meet where dashes cut them apart", [number("1-23")], [number("12-3")], []],
    [
      "I38: meet without the zeros at the front",
      [number("0840-00001-000")],
      [number("84000001000")],
      ["form"],
    ],
    ["meet without the zeros of each part", [number("840-1-0")], [number("0840-00001-000")], ["form"]],
    [
      "I41: do not meet at two addresses",
      [number("84000001000", at("902", "RUTH"))],
      [number("840-00001-000", at("12", "OAK"))],
      [],
    ],
    [
      "meet at one street, whatever the house number",
      [number("84000001000", at("902", "RUTH"))],
      [number("840-00001-000", at("904", "RUTH"))],
      ["form"],
    ],
    ["meet as equal before all else", [number("12-3"), number("123")], [number("123")], ["equal"]],
    ["meet by another id", [number("S-900", {alts: ["12-034"]})], [number("12-034")], ["alt"]],
    [
      "do not meet by another id that two list",
      [number("S-900", {alts: ["12-034"]}), number("S-901", {alts: ["12-034"]})],
      [number("12-034")],
      [],
    ],
    ["cut at some of the places only", [number("840-1000")], [number("840-1-000")], ["form"]],
  ])("%s", async (_, ours, theirs, expected) => {
    const pairs = inScript(ours, theirs);
    expect(pairs.map((pair) => pair.split(" ")[2])).toEqual(expected);
    expect(await inSql(ours, theirs)).toEqual(pairs);
  });
});

const digits = fc.array(fc.constantFrom("0", "0", "1", "2"), {minLength: 1, maxLength: 3});
const tok = fc
  .array(digits, {minLength: 1, maxLength: 3})
  .map((parts) => parts.map((part) => part.join("")).join("-"));
const anyNumber = fc.record({
  tok,
  alts: fc.oneof({weight: 4, arbitrary: fc.constant([])}, fc.array(tok, {minLength: 1, maxLength: 2})),
  address: fc.oneof(fc.constant(null), fc.constantFrom(at("1", "OAK"), at("2", "OAK"), at("1", "ELM"))),
});
const anyNumbers = fc
  .uniqueArray(anyNumber, {minLength: 4, maxLength: 12, selector: (each) => each.tok})
  .map((all) => all.map(({address, ...each}) => number(each.tok, {alts: each.alts, ...address})));

test("the SQL form pairs random numbers as the function does", async () => {
  let paired = 0;
  await fc.assert(
    fc.asyncProperty(anyNumbers, anyNumbers, async (ours, theirs) => {
      const pairs = inScript(ours, theirs);
      paired += pairs.filter((pair) => pair.endsWith("form")).length;
      expect(await inSql(ours, theirs)).toEqual(pairs);
    }),
    {numRuns: 40},
  );
  expect(paired).toBeGreaterThan(10);
});
