import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {describe, expect, test} from "vitest";
import {readParcelSource} from "../../../lib/registry/parcel-sources.ts";
import {sampleRows} from "../../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {writeGeopackage} from "../../../packages/parcel-files/test/write-geopackage.ts";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import {addDataFile} from "../../../pipeline/commands/propose-command.ts";
import {draftOf} from "../../../pipeline/commands/propose-options.ts";
import {proposeEntry} from "../../../pipeline/parcels/propose/propose-entry.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {
  attributesOf,
  delimitedOf,
  esriPageOf,
  featuresOf,
  geopackageOf,
  jsonOf,
  parquetOf,
  shapefileOf,
} from "./readers/write-formats.ts";

const asOf = "2026-11-21";
const csv = `OBJECTID,PARCEL_NO,SITE_ADDR,SITE_CITY,OWNER1,LAND_VALUE,TOTAL_VALUE,ACRES,SALE_DATE
1,12-034-001,12 N MAIN ST,ASPERVILLE,HARLOW DALE,"1,000","3,000",2.5,04/01/2010
2,12-034-002,14 N MAIN ST,ASPERVILLE,QUISTAD RAY,1000,1000,3.5,04/02/2011
3,,16 N MAIN ST,ASPERVILLE,QUISTAD RAY,1000,1000,3.5,04/02/2011
`;

function file(name: string, text: string | Buffer): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe("an entry proposed from a data file", () => {
  test("counts unreadable lines among the rows that would be rejected", async () => {
    const ragged = `${csv}4,12-034-004,18 N MAIN ST,ASPERVILLE,QUISTAD RAY,1000,1000,3.5,04/02/2011,one,more\n5,12-034-005,20 N MAIN ST\n`;
    const {rows, rejected} = await proposeEntry(file("new.csv", ragged), draftOf({county: ["20001"]}), asOf);
    expect([rows, rejected]).toEqual([5, {malformed_row: 2, null_id: 1}]);
  });

  test("says which column is the year, how many rows merge, and how many parcels a later file must have", async () => {
    const years = [2023, 2024, 2025].flatMap((year) =>
      Array.from({length: 21}, (_, i) => `12-${i},${i} N MAIN ST,${year},${year * 10}`),
    );
    const table = ["PARCEL_NO,SITE_ADDR,TAX_YEAR,TOTAL_VALUE", ...years, "12-3,3 N MAIN ST,2025,7"].join(
      "\n",
    );
    const {entry, merges} = await proposeEntry(file("years.csv", table), draftOf({county: ["20001"]}), asOf);
    expect(entry.vintage[0]).toEqual({rollYear: "TAX_YEAR"});
    expect(merges).toEqual({parcels: 21, older: 42, others: 1});
    // Nine tenths of 21, and no more.
    expect(entry.accept.minRows).toBe(18);
  });

  test.each([
    [
      "a parcel number that is no column",
      csv,
      {parcelNumber: "PIN"},
      /no column "PIN" \(--parcel-number\); its columns are OBJECTID/,
    ],
    [
      "R12: a table of fixed widths",
      "PIN       SITUS          ACRES\n12034001  12 N MAIN ST    1.50\n12034002  9814 OAK RD     2.25\n",
      {},
      /^new\.csv: a table of fixed widths, whose columns begin at 1, 11, 26\. .*awk -v OFS='\|' '\{print substr\(\$0, 1, 10\), substr\(\$0, 11, 15\), substr\(\$0, 26\)\}' "new\.csv" > "new\.psv"$/,
    ],
    ["lines without a delimiter", "12034001\n12 034 002\nPIN 3\n", {}, /no delimiter that is known/],
  ])("says what is wrong with %s", async (_, text, options, message) => {
    const draft = draftOf({county: ["20001"], ...options});
    await expect(proposeEntry(file("new.csv", text), draft, asOf)).rejects.toThrow(message);
  });

  test("is shown with its resulting rows", async () => {
    const proposed = await proposeEntry(file("new.csv", csv), draftOf({county: ["20001"]}), asOf);
    expect(proposed.entry).toMatchObject({
      id: "us-ks-20001",
      coverage: {country: "US", state: "KS", counties: ["20001"]},
      ids: {raw: "PARCEL_NO"},
      fields: {transfer_date: {from: "SALE_DATE", transform: ["mdy"]}},
    });
    expect(proposed.rows).toBe(3);
    expect(proposed.rejected).toEqual({null_id: 1});
    expect(proposed.sample.length).toBe(2);
    expect(proposed.sample[0]).toMatchObject({
      parcel_uid: "20001-12-034-001",
      situs_number: "12",
      situs_name: "MAIN",
      acres: 2.5,
      assessed_value: 3000,
      transfer_date: "2010-04-01",
    });
    expect(proposed.unused).toEqual([{column: "OBJECTID", values: ["1", "2", "3"]}]);
  });

  test.each<[string, () => Promise<Buffer> | Buffer | string]>([
    ["p.csv", () => delimitedOf(sampleRows, "|")],
    ["p.txt", () => Buffer.from(delimitedOf(sampleRows, "\t"), "latin1")],
    ["p.ndjson", () => featuresOf(sampleRows).map(jsonOf).join("\n")],
    ["p.json", () => esriPageOf(sampleRows, {wkid: 4326})],
    ["p.zip", () => zipOf(shapefileOf(sampleRows, "p"))],
    ["p.dbf", () => attributesOf(sampleRows)],
    ["p.gpkg", () => geopackageOf(sampleRows, temporaryFolder())],
    ["p.fgb", () => flatgeobufOf(sampleRows)],
    ["p.parquet", () => parquetOf(sampleRows, temporaryFolder(), {})],
    ["p.csv.gz", () => gzipSync(delimitedOf(sampleRows, ","))],
  ])("reads every format: %s", async (name, content) => {
    const {rows, sample} = await proposeEntry(
      file(name, await content()),
      draftOf({county: ["48453"]}),
      asOf,
    );
    expect(rows).toBe(3);
    expect(sample[1]).toMatchObject({parcel_id: "0012-004", situs_number: "103", situs_name: "SAMPLE"});
  });

  test("takes the layer and the coordinate system that a person names", async () => {
    const path = join(temporaryFolder(), "p.gpkg");
    writeGeopackage(path, sampleRows, {layers: ["Parcels", "Roads"]});
    const options = {county: ["48453"]};
    await expect(proposeEntry(path, draftOf(options), asOf)).rejects.toThrow(/several layers/);
    const {entry} = await proposeEntry(path, draftOf({...options, layer: "Parcels", crs: "EPSG:4326"}), asOf);
    expect(entry).toMatchObject({layer: "Parcels", crs: "EPSG:4326"});
    const archive = zipOf({
      ...shapefileOf(sampleRows, "Parcels"),
      ...shapefileOf(sampleRows.slice(1), "Lots"),
    });
    const {rows} = await proposeEntry(file("p.zip", archive), draftOf({...options, layer: "lots"}), asOf);
    expect(rows).toBe(2);
  });

  test("shows no owner until a person has read the terms", async () => {
    const {entry, sample} = await proposeEntry(file("new.csv", csv), draftOf({county: ["20001"]}), asOf);
    expect(entry.fields.owner_raw).toEqual({from: "OWNER1"});
    expect(sample.some((row) => "owner_raw" in row || "owner_name" in row)).toBe(false);
  });

  test("reads GeoJSON as well, and takes the county of a row from its column", async () => {
    const feature = (apn: string, fips: string, x: number) => ({
      type: "Feature",
      properties: {APN: apn, FIPS: fips},
      geometry: {type: "Point", coordinates: [x, 37.9]},
    });
    const collection = {
      type: "FeatureCollection",
      features: [feature("1-1", "20001", -95.3), feature("2-2", "20003", -95.29)],
    };
    const path = file("new.geojson", JSON.stringify(collection));
    const {entry, sample} = await proposeEntry(path, draftOf({state: "ks"}), asOf);
    expect(entry.coverage).toEqual({country: "US", state: "KS", counties: "all", countyFrom: "FIPS"});
    expect(sample.map(({county_name}) => county_name)).toEqual(["ALLEN", "ANDERSON"]);
    expect(sample[0]).toMatchObject({lon: -95.3, lat: 37.9});
  });

  test("M07: rows that no column numbers are told apart by a key, and a note says what follows", async () => {
    const lines = Array.from({length: 60}, (_, i) => `HARLOW DALE ${"ABCDEF"[i % 6]},${100 + i} OAK ST,2`);
    const path = file("new.csv", ["OWNER,SITE_ADDR,STORIES", ...lines, lines[0]].join("\n"));
    const draft = draftOf({county: ["20001"]});
    const {entry, rows, rejected, merges, notes} = await proposeEntry(path, draft, asOf);
    expect(entry.ids).toEqual({none: true, key: ["SITE_ADDR"]});
    expect([rows, rejected, merges.parcels]).toEqual([61, {}, 60]);
    expect(notes.join()).toContain("found by address, owner and place, never by number");
    const [equal, other] = [lines[0]!, lines[0]!.replace("A,", "Z,")];
    const more = file("more.csv", ["OWNER,SITE_ADDR,STORIES", ...lines, equal, other].join("\n"));
    expect((await proposeEntry(more, draft, asOf)).merges.parcels).toBe(61);
    expect(notes.join()).toContain("one parcel where all their facts are equal, else each is one");
  });

  test("M07: rows that their addresses do not tell apart have the owner in their key, and equal rows have none", async () => {
    const lines = Array.from({length: 60}, (_, i) => `HARLOW DALE ${i},100 OAK ST`);
    const keyed = await proposeEntry(
      file("new.csv", ["OWNER,SITE_ADDR", ...lines].join("\n")),
      draftOf({county: ["20001"]}),
      asOf,
    );
    expect(keyed.entry.ids).toEqual({none: true, key: ["SITE_ADDR", "OWNER"]});
    const equal = file("new.csv", ["OWNER,SITE_ADDR", ...lines.map(() => lines[0])].join("\n"));
    await expect(proposeEntry(equal, draftOf({county: ["20001"]}), asOf)).rejects.toThrow("--parcel-number");
  });

  test("says what is missing, with the columns that came", async () => {
    const noNumber = proposeEntry(
      file("new.csv", "COLOUR,SIZE\nred,1\n"),
      draftOf({county: ["20001"]}),
      asOf,
    );
    await expect(noNumber).rejects.toThrow(
      "new.csv: no column looks like a parcel number; say which one it is (--parcel-number). Its columns are COLOUR, SIZE.",
    );
    const noCounty = proposeEntry(file("new.csv", csv), draftOf({state: "KS"}), asOf);
    await expect(noCounty).rejects.toThrow("no column looks like a county");
    await expect(proposeEntry("/nowhere/new.csv", draftOf({state: "KS"}), asOf)).rejects.toThrow(
      "no such file",
    );
    expect(() => draftOf({})).toThrow("Add --county FIPS or --state XX");
    expect(() => draftOf({county: ["20001", "48453"]})).toThrow("counties of one state");
  });

  test("says where it looked for rows in JSON of another shape, without a column per key", async () => {
    const keyed = Object.fromEntries(
      Array.from({length: 30_000}, (_, i) => [`12-${i}`, {owner: "HARLOW DALE", acres: i}]),
    );
    const below = {meta: {}, data: Array.from({length: 30_000}, (_, i) => [i, `12-${i}`, "12 N MAIN ST"])};
    const check = (name: string, content: unknown) =>
      proposeEntry(file(name, JSON.stringify(content)), draftOf({county: ["20001"]}), asOf);
    await expect(check("keyed.json", keyed)).rejects.toThrow(
      /^keyed\.json: expected rows, .* got one record of more than 5,000 members .* jq -c '\.\[\]' keyed\.json > rows\.ndjson$/,
    );
    await expect(check("below.json", below)).rejects.toThrow("jq -c '.data[]' below.json > rows.ndjson");
    await expect(check("ragged.json", [keyed])).rejects.toThrow("one record of more than 5,000 members");
  });

  test("finds the name of a header that has no column", async () => {
    const rows = Array.from(
      {length: 30},
      (_, i) => `12-${i},${i + 2} N MAIN ST,R6,${(i + 5) / 100},${Math.round((i + 5) * 435.6)}`,
    );
    const text = ["PARCEL,ADDRESS,ZONING,UNITS_LIVED,LAND_ACRES,LAND_SQFT", ...rows].join("\n");
    const {entry, sample} = await proposeEntry(file("new.csv", text), draftOf({county: ["20001"]}), asOf);
    expect(entry).toMatchObject({
      header: ["PARCEL", "ADDRESS", "ZONING", "LAND_ACRES", "LAND_SQFT"],
      area: {from: "LAND_ACRES", unit: "acres"},
    });
    expect(sample[0]).toMatchObject({parcel_id: "12-0", acres: 0.05, zoning_code: "R6"});
  });

  test("says how a geodatabase becomes a file that is read", async () => {
    const folder = join(temporaryFolder(), "Parcels.gdb");
    mkdirSync(folder);
    await expect(proposeEntry(folder, draftOf({county: ["20001"]}), asOf)).rejects.toThrow(
      'ogr2ogr -f GPKG "Parcels.gpkg" "Parcels.gdb"',
    );
  });

  test("takes the parcel number that a person names", async () => {
    const path = file("new.csv", "COLOUR,NUMMER\nred,77-1\n");
    const {sample} = await proposeEntry(path, draftOf({county: ["20001"], parcelNumber: "NUMMER"}), asOf);
    expect(sample[0]!.parcel_id).toBe("77-1");
  });
});

describe("adding a data file", () => {
  const facts = {
    county: ["20001"],
    id: "us-ks-allen",
    name: "Allen County parcels",
    publisher: "Allen County",
    licence: "open data",
    json: true,
  };

  test("writes an entry that loads, and never overwrites one", async () => {
    const dir = temporaryFolder();
    const path = file("new.csv", csv);
    await addDataFile(path, {...facts, write: true}, dir);
    expect(readParcelSource(join(dir, "us-ks-allen.json"))).toMatchObject({
      publisher: "Allen County",
      ids: {raw: "PARCEL_NO"},
    });
    const before = readFileSync(join(dir, "us-ks-allen.json"), "utf8");
    await expect(addDataFile(path, {...facts, write: true}, dir)).rejects.toThrow("already exists");
    expect(readFileSync(join(dir, "us-ks-allen.json"), "utf8")).toBe(before);
  });

  test("writes nothing unless it is told to, and not without the facts that no file says", async () => {
    const dir = temporaryFolder();
    const path = file("new.csv", csv);
    await addDataFile(path, facts, dir);
    expect(existsSync(join(dir, "us-ks-allen.json"))).toBe(false);
    await expect(addDataFile(path, {county: ["20001"], write: true}, dir)).rejects.toThrow(
      "--write needs --id, --name, --publisher, --licence",
    );
  });
});
