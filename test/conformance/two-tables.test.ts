import {describe, expect, test} from "vitest";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {corpus} from "./corpus.ts";
import {builtRecords, type Fact, rawFilesOf, sameFact} from "./two-source-state.ts";

const shared = {
  publisher: "the county",
  authority: "county",
  licence: "not stated by the publisher",
  terms: {store: true, redistributeOwners: true, bulk: false},
  protocol: "http",
  format: "csv",
  accept: {minRows: 1_000, maxRejectShare: 0.05, maxDropShare: 0.1, rows: []},
};
const money = (name: string) => ({from: name, transform: ["money"]});
const number = (name: string) => ({from: name, transform: ["number"]});
const mdy = (name: string) => ({from: name, transform: ["mdy"]});

const wake = {country: "US", state: "NC", counties: ["37183"]};
const wakeValues = ParcelSource.parse({
  ...shared,
  id: "us-nc-wake-values",
  name: "Wake assessment",
  coverage: wake,
  ids: {raw: "PIN_NUM"},
  vintage: [{edition: "2025-01-01"}],
  fields: {
    situs_raw: {from: "SITE_ADDRESS"},
    assessed_value: money("TOTAL_VALUE_ASSD"),
    land_value: money("LAND_VAL"),
    building_value: money("BLDG_VAL"),
    building_area: number("HEATEDAREA"),
    year_built: {from: "YEAR_BUILT"},
  },
  values: {
    assessed_value: "assessed",
    land_value: "assessed",
    building_value: "assessed",
    zeroMeans: "unknown",
  },
  area: {from: "CALC_AREA", unit: "acres", basis: "computed"},
});
const wakeDeeds = ParcelSource.parse({
  ...shared,
  id: "us-nc-wake-deeds",
  name: "Wake owners and deeds",
  coverage: wake,
  ids: {raw: "PIN_NUM"},
  vintage: [{edition: "2023-06-01"}],
  fields: {
    owner_raw: {from: "OWNER_LINE1"},
    assessed_value: money("TOT_SCH_VAL_ASSD"),
    building_area: number("HEATED_AREA"),
    transfer_date: mdy("TOTAL_SALE_DATE"),
    transfer_price: money("TOTAL_SALE_PRICE"),
  },
  values: {assessed_value: "assessed", zeroMeans: "unknown"},
  area: {from: "DEEDED_ACREAGE", unit: "acres", basis: "deeded"},
  owners: {published: true, order: "last_comma_first"},
});

const hillsboro = {country: "US", state: "OR", counties: ["41067"], places: ["Hillsboro"]};
const lots = ParcelSource.parse({
  ...shared,
  id: "us-or-hillsboro-lots",
  name: "Hillsboro tax lots",
  coverage: hillsboro,
  ids: {raw: "tlid"},
  vintage: [{edition: "2024-05-01"}],
  fields: {owner_raw: {from: "owner"}, zoning_code: {from: "zoned_as"}, city: {from: "site_city"}},
  owners: {published: true, order: "last_first"},
});
const assessment = ParcelSource.parse({
  ...shared,
  id: "us-or-hillsboro-assessment",
  name: "Hillsboro assessment",
  coverage: hillsboro,
  ids: {raw: "tlid"},
  vintage: [{edition: "2019"}],
  fields: {
    situs_raw: {from: "address"},
    market_value: money("mrkt_tot_val"),
    assessed_value: money("assessed_val"),
    tax_amount: money("taxes_2019"),
    use_code: {from: "prop_class"},
  },
  values: {market_value: "market", assessed_value: "assessed", zeroMeans: "unknown"},
  area: {from: "lot_size", unit: "acres", basis: "assessed"},
});

type Expected = {readonly id: string} & Readonly<Record<string, string | number | null>>;
type Pair = {
  readonly name: string;
  readonly entries: readonly [ParcelSource, ParcelSource];
  readonly files: readonly [string, string];
  /** SQL over the texts of both files, `a` and `b`: a fact is `value` and `<fact>_from`, the number of the entry that it is from. */
  readonly expected: string;
};

/** A positive number in a cell; a blank, a zero and a text are null. */
const positive = (name: string) =>
  `nullif(greatest(try_cast(replace(trim(${name}), ',', '') AS DOUBLE), 0), 0)`;
const day = (name: string) => `strftime(try_strptime(trim(${name}), '%m/%d/%Y'), '%Y%m%d')`;

const pairs: readonly Pair[] = [
  {
    name: "Wake's assessment and deeds: the newer values whole, but the older deed's acres",
    entries: [wakeValues, wakeDeeds],
    files: ["parcels/us-nc-wake/wake-raleigh-parcels.csv", "parcels/us-nc-wake/wake-raleigh-owners.csv"],
    expected: `SELECT a.PIN_NUM AS id,
      coalesce(${positive("b.DEEDED_ACREAGE")}, ${positive("a.CALC_AREA")}) AS acres, CASE WHEN ${positive("b.DEEDED_ACREAGE")} IS NULL THEN 0 ELSE 1 END AS acres_from,
      CASE WHEN ${positive("b.DEEDED_ACREAGE")} IS NULL THEN 'computed' ELSE 'deeded' END AS "acresBasis", acres_from AS "acresBasis_from",
      ${positive("a.TOTAL_VALUE_ASSD")} AS "totalAssessedValue", 0 AS "totalAssessedValue_from",
      ${positive("a.LAND_VAL")} AS "totalLandValue", 0 AS "totalLandValue_from",
      ${positive("a.HEATEDAREA")} AS "buildingArea", 0 AS "buildingArea_from",
      trim(a.SITE_ADDRESS) AS "addressRaw", 0 AS "addressRaw_from",
      trim(b.OWNER_LINE1) AS "ownerName", 1 AS "ownerName_from",
      ${day("b.TOTAL_SALE_DATE")} AS "transferDate", 1 AS "transferDate_from",
      ${positive("b.TOTAL_SALE_PRICE")} AS "transferPrice", 1 AS "transferPrice_from"
     FROM a JOIN b ON b.PIN_NUM = a.PIN_NUM
     WHERE ${positive("a.LAND_VAL")} + ${positive("a.BLDG_VAL")} = ${positive("a.TOTAL_VALUE_ASSD")} AND ${positive("a.HEATEDAREA")} > 0
       AND coalesce(${positive("b.TOTAL_SALE_PRICE")}, 100) >= 100 AND ${day("b.TOTAL_SALE_DATE")} > '19020101' AND trim(a.SITE_ADDRESS) SIMILAR TO '[1-9].* .*'`,
  },
  {
    name: "Hillsboro's lots and assessment: each fact from the table that has it",
    entries: [lots, assessment],
    files: [
      "parcels/us-or-washington/washington-hillsboro-taxlots-2019.csv.gz",
      "parcels/us-or-washington/washington-hillsboro-assessment-pipe.csv",
    ],
    expected: `SELECT a.tlid AS id,
      trim(a.owner) AS "ownerName", 0 AS "ownerName_from",
      trim(a.zoned_as) AS "zoningCode", 0 AS "zoningCode_from",
      ${positive("b.lot_size")} AS acres, 1 AS acres_from,
      CASE WHEN ${positive("b.lot_size")} IS NOT NULL THEN 'assessed' END AS "acresBasis", 1 AS "acresBasis_from",
      ${positive("b.mrkt_tot_val")} AS "totalMarketValue", 1 AS "totalMarketValue_from",
      ${positive("b.assessed_val")} AS "totalAssessedValue", 1 AS "totalAssessedValue_from",
      try_cast(b.taxes_2019 AS DOUBLE) AS "taxValue", 1 AS "taxValue_from",
      trim(b.prop_class) AS "useCode", 1 AS "useCode_from"
     FROM a JOIN b ON b.tlid = a.tlid`,
  },
];

describe.skipIf(corpus === null)("two tables of a county, each with facts of the same parcels", () => {
  test.each(pairs)("$name", {timeout: 300_000}, async ({entries, files, expected}) => {
    const raw = await rawFilesOf({[entries[0].id]: files[0], [entries[1].id]: files[1]});
    const {told} = await builtRecords([...entries], raw);
    const wrong: string[] = [];
    let facts = 0;
    const rows = await expectedRows(entries, raw, expected);
    for (const row of rows) {
      for (const member of Object.keys(row).filter((name) => `${name}_from` in row)) {
        const value = row[member]!;
        const {id, vintage} = entries[Number(row[`${member}_from`])]!;
        const edition = (vintage[0] as {edition: string}).edition;
        const rounded = typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value;
        const fact: Fact =
          value === null || value === "" ? null : {value: rounded, source: id, vintage: edition};
        const came = told(row.id, member);
        facts += 1;
        if (!sameFact(came, fact))
          wrong.push(`${member}: came ${JSON.stringify(came)}, expected ${JSON.stringify(fact)}`);
      }
    }
    process.stderr.write(`two tables: ${facts} facts of ${rows.length} parcels, ${wrong.length} wrong\n`);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(rows.length).toBe(400);
  });
});

/** The text of both files for 400 parcels that occur once in each, spread over the files. */
async function expectedRows(
  entries: readonly ParcelSource[],
  raw: readonly RawFile[],
  expected: string,
): Promise<Expected[]> {
  const db = await openDatabase();
  for (const [i, {id, ids}] of entries.entries()) {
    const key = `"${"none" in ids ? "" : String(ids.raw)}"`;
    const path = sqlText(raw.find(({feedOrEntryId}) => feedOrEntryId === id)!.absolutePath);
    await db.run(
      `CREATE TABLE ${"ab"[i]} AS FROM read_csv(${path}, all_varchar = true) QUALIFY count(*) OVER (PARTITION BY ${key}) = 1`,
    );
  }
  const rows = await db.rows<Expected>(`FROM (${expected}) ORDER BY md5(id) LIMIT 400`);
  db.close();
  return rows;
}
