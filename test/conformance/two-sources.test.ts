import {beforeAll, describe, expect, test} from "vitest";
import {ModelRun} from "../../lib/models/model-run.ts";
import {tableOf} from "../../lib/parcels/conform/staged-table.ts";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {stageEntry} from "../../pipeline/parcels/stage-entry.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";
import {builtRecords, type Fact, rawFilesOf, sameFact, type TwoSourceRecord} from "./two-source-state.ts";

const shared = {
  publisher: "City of Lebanon",
  authority: "county",
  coverage: {country: "US", state: "NH", counties: ["33009"], places: ["Lebanon"]},
  licence: "not stated by the publisher",
  terms: {store: true, redistributeOwners: false, bulk: false},
  protocol: "http",
  accept: {minRows: 4000, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
};
const roll = ParcelSource.parse({
  ...shared,
  id: "us-nh-lebanon-roll",
  name: "Lebanon tax roll",
  format: "csv",
  ids: {raw: "parcel_id"},
  vintage: [{edition: "2025"}],
  fields: {
    situs_raw: {from: "situs_address"},
    assessed_value: {from: "total_value", transform: ["money"]},
    transfer_date: {from: "nhdra_saledate", transform: ["ymd"]},
    zoning_code: {from: "nhdra_lnd zone"},
  },
  values: {assessed_value: "assessed"},
  area: {from: "lot_size_acres", unit: "acres", basis: "assessed"},
  use: {systems: [], codeFrom: "class_code"},
});
const map = ParcelSource.parse({
  ...shared,
  id: "us-nh-lebanon-map",
  name: "Lebanon tax map",
  format: "shapefile",
  ids: {raw: "MAP_LOT"},
  vintage: [{edition: "2023-06-01"}],
  fields: {},
  area: {from: "CALC_ACRES", unit: "acres", basis: "computed"},
});

/** The data of both files on one parcel; `outline` is the area of all its polygons. */
type Raw = {
  id: string;
  acres: number | null;
  value: number | null;
  situs: string | null;
  zone: string | null;
  class: string | null;
  sold: string | null;
  outline: number | null;
  polygons: number;
};

const vintages = {"us-nh-lebanon-roll": "2025", "us-nh-lebanon-map": "2023-06-01"} as const;

describe.skipIf(corpus === null)("a city's roll and its map, which know the same parcels", () => {
  let raw: Map<string, Raw>;
  let records: Map<string, TwoSourceRecord>;
  let told: (id: string, member: string) => Fact;

  beforeAll(async () => {
    const files = await rawFilesOf({
      [roll.id]: "new-counties-2/nh-lebanon-parcels.csv.gz",
      [map.id]: "new-counties-2/nh-lebanon-map.zip",
    });
    raw = await rawParcels(files);
    ({records, told} = await builtRecords([roll, map], files));
  });

  const from = (source: keyof typeof vintages, value: unknown) =>
    value === null ? null : {value, source, vintage: vintages[source]};
  const ofRoll = (value: unknown) => from("us-nh-lebanon-roll", value);
  const ofMap = (value: unknown) => from("us-nh-lebanon-map", value);

  test("facts of 400 parcels of both files are what the files say: value, basis, source and vintage", () => {
    const both = [...raw.values()]
      .filter(({outline}) => outline !== null)
      .sort((a, b) => (hashOf(a.id) < hashOf(b.id) ? -1 : 1));
    const asked = [...both.filter(({polygons}) => polygons > 1), ...both].slice(0, 400);
    const wrong: string[] = [];
    let facts = 0;
    for (const {id, acres, value, situs, zone, class: code, sold, outline} of asked) {
      const rounded = (each: number) => Math.round(each * 10_000) / 10_000;
      const far = acres !== null && Math.abs(outline! - acres) > 0.05 * acres;
      const expected = {
        acres: acres === null ? ofMap(rounded(outline!)) : ofRoll(rounded(acres)),
        acresBasis: acres === null ? ofMap("computed") : ofRoll("assessed"),
        acresComputed: far ? ofMap(rounded(outline!)) : null,
        totalAssessedValue: ofRoll(value),
        addressRaw: ofRoll(situs),
        zoningCode: ofRoll(zone),
        useCode: ofRoll(code),
        transferDate: ofRoll(sold),
        pointMethod: ofMap(records.get(id)?.["pointMethod"] ?? "centroid"),
      };
      for (const [member, fact] of Object.entries(expected)) {
        facts += 1;
        const came = told(id, member);
        const isShared =
          member === "acresComputed" && records.get(id)?.flags?.includes("shared_outline") === true;
        if (!isShared && !sameFact(came, fact))
          wrong.push(`${id} ${member}: came ${JSON.stringify(came)}, expected ${JSON.stringify(fact)}`);
      }
    }
    expect(wrong).toEqual([]);
    process.stderr.write(`two sources: ${facts} facts of ${asked.length} parcels, ${wrong.length} wrong\n`);
  });

  test("parcel 7-1 has the roll's 3.15 acres, and the map's area beside them", () => {
    expect(told("7-1", "acres")).toEqual(ofRoll(3.15));
    expect(told("7-1", "acresBasis")).toEqual(ofRoll("assessed"));
    expect(told("7-1", "acresComputed")).toMatchObject({
      value: expect.closeTo(4.064, 2),
      source: "us-nh-lebanon-map",
    });
    expect(records.get("7-1")?.flags).toEqual(["area_mismatch"]);
  });

  test("a number that both files know, and one that is drawn as two polygons, is no sign of several accounts", () => {
    const both = [...raw.values()].filter(({outline}) => outline !== null);
    expect(both.filter(({polygons}) => polygons > 1).length).toBeGreaterThan(10);
    expect(both.filter(({id}) => records.get(id)?.flags?.includes("duplicate_id"))).toEqual([]);
  });
});

/** Reads both files without their entries: the text of one, the cells and outlines of the other. */
async function rawParcels(files: RawFile[]): Promise<Map<string, Raw>> {
  const db = await openDatabase();
  const own = files.filter(({feedOrEntryId}) => feedOrEntryId === map.id);
  const staged = await stageEntry(new ModelRun(db), {
    entry: map,
    files: own,
    asOf: "2026-11-21",
    tempDir: temporaryFolder(),
    firstNumber: 0,
  });
  const table = tableOf(staged.sources.main[0]!);
  const csv = files.find(({feedOrEntryId}) => feedOrEntryId === roll.id)!.absolutePath;
  const positive = (name: string) => `nullif(try_cast("${name}" AS DOUBLE), 0)`;
  const rows = await db.rows<Raw>(
    `SELECT parcel_id AS id, ${positive("lot_size_acres")} AS acres, ${positive("total_value")} AS value, trim(situs_address) AS situs, "nhdra_lnd zone" AS zone,
       class_code AS class, CASE WHEN nhdra_saledate NOT SIMILAR TO '190[01]-01-01.*' THEN strftime(try_cast(nhdra_saledate AS DATE), '%Y%m%d') END AS sold, m.outline, coalesce(m.polygons, 0)::INTEGER AS polygons
     FROM read_csv(${sqlText(csv)}, all_varchar = true) r
     LEFT JOIN (SELECT "MAP_LOT" AS lot, sum("~acres") AS outline, count(*) AS polygons FROM "${table}" GROUP BY lot) m ON m.lot = r.parcel_id`,
  );
  db.close();
  return new Map(rows.map((row) => [row.id, row]));
}

/** An order that separates neighbours. */
function hashOf(id: string): string {
  return Buffer.from([...id].reverse().join("")).toString("base64");
}
