import {expect, test} from "vitest";
import {addsUp} from "../../../schemas/build-report.ts";
import {parquetRows} from "./parquet-rows.ts";
import {type Built, built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

const neighbours = invented({
  coverage: {country: "US", state: "TX", counties: ["48453", "48209"], countyFrom: "COUNTY"},
});
const other = invented({
  id: "us-tx-other",
  coverage: {country: "US", state: "TX", counties: ["48453"]},
  vintage: [{rollYear: "YEAR"}],
  fields: {year_built: {from: "BUILT"}},
});

/** Twenty parcels of a county, numbered from `from`; `x` shifts them east, in hundredths of a degree. */
function parcels(county: string, from: number, {x = 0, owner = "HARLOW DALE M"} = {}): string {
  return geojson(
    Array.from({length: 20}, (_, i) => ({
      properties: row(`${from + i}-A`, {COUNTY: county, OWNER: owner}),
      geometry: square(x + (i % 6), i % 5),
    })),
  );
}

const baseOf = ({outDir}: Built, complete: string[] = []) => ({
  buildId: "20261120-ab12cd",
  dir: outDir,
  complete,
});

const columns = "county_key, parcel_id, owner_name, acres, lon, lat, xmin, prov_default, year_built";

async function rowsOf({outDir}: Built): Promise<string[]> {
  const rows = await parquetRows<{county_key: string; parcel_id: string; prov_default?: number}>(
    outDir,
    "parcels",
    columns,
  );
  return rows.map(({prov_default: _id, ...facts}) => JSON.stringify(facts)).sort();
}

test("keeps rows of a skipped file as in the previous build, with point, outline, source and vintage", async () => {
  const good = {"a.geojson": parcels("48453", 1000), "b.geojson": parcels("48453", 2000)};
  const base = await built(await rawFiles(good), [neighbours]);
  const bad = {
    "a.geojson": parcels("48453", 1000, {owner: "QUILL ANN"}),
    "b.geojson": parcels("48453", 2000, {x: 900}),
  };
  const next = await built(await rawFiles(bad), [neighbours], baseOf(base, ["us-tx-invented"]));
  expect([next.rows, next.pointCount]).toEqual([40, 40]);
  const [before, now] = [await rowsOf(base), await rowsOf(next)];
  expect(now.filter((text) => text.includes("2000-A"))).toEqual(
    before.filter((text) => text.includes("2000-A")),
  );
  expect(now.filter((text) => text.includes("QUILL")).length).toBe(20);
  const outlines = await parquetRows(next.outDir, "boundaries", "parcel_uid");
  expect(outlines.length).toBe(40);
  const provenance = await parquetRows(next.outDir, "parcel_provenance", "source_id, vintage, vintage_basis");
  expect(provenance).toEqual([{source_id: "us-tx-invented", vintage: "2026", vintage_basis: "roll_year"}]);
  expect(next.counties).toMatchObject([{county_key: "48453", rows: 40, complete: true}]);
  const kept = next.files.find(({path}) => path.startsWith("builds/"))!;
  expect(kept).toMatchObject({
    path: "builds/20261120-ab12cd/us-tx-invented/2026-11-01",
    status: "read",
    rowsIn: 20,
    accepted: 20,
    reason:
      "county 48453: 20 rows of build 20261120-ab12cd stay, because parcels/us-tx-invented/b.geojson was left out.",
  });
  expect(next.files.every(addsUp)).toBe(true);
});

test("keeps a county whose file is unreadable, and renews one that is in another file", async () => {
  const good = {"a.geojson": parcels("48453", 1000), "b.geojson": parcels("48209", 2000, {x: -25})};
  const base = await built(await rawFiles(good), [neighbours]);
  const bad = {"a.geojson": parcels("48453", 1000, {owner: "QUILL ANN"}), "b.geojson": '{"type": "Feat'};
  const next = await built(await rawFiles(bad), [neighbours], baseOf(base));
  expect(next.counties.map(({county_key, rows, complete}) => [county_key, rows, complete])).toEqual([
    ["48209", 20, false],
    ["48453", 20, false],
  ]);
  expect((await rowsOf(next)).filter((text) => text.includes("HARLOW")).length).toBe(20);
});

test("keeps the facts of a skipped source in a row merged from two", async () => {
  const roll = (built_in: string) =>
    csv([row("1000-A", {BUILT: built_in, SITUS: "", OWNER: "", VALUE: "", ACRES: ""})]);
  const good = {"a.geojson": parcels("48453", 1000), "us-tx-other/r.csv": roll("1961")};
  const entries = [neighbours, other];
  const base = await built(await rawFiles(good), entries);
  const bad = {"a.geojson": parcels("48453", 1000, {owner: "QUILL ANN"}), "us-tx-other/r.csv": "PIN\n1"};
  const next = await built(await rawFiles(bad), entries, baseOf(base));
  const [first] = (await rowsOf(next)).filter((text) => text.includes("1000-A"));
  expect(next.rows).toBe(20);
  expect(JSON.parse(first!)).toMatchObject({
    owner_name: expect.stringContaining("QUILL"),
    year_built: 1961,
  });
});

test("drops owners that may no longer be redistributed", async () => {
  const good = {"a.geojson": parcels("48453", 1000), "b.geojson": parcels("48453", 2000)};
  const base = await built(await rawFiles(good), [neighbours]);
  const closed = {...neighbours, terms: {...neighbours.terms, redistributeOwners: false}};
  const bad = {"a.geojson": parcels("48453", 1000), "b.geojson": parcels("48453", 2000, {x: 900})};
  const next = await built(await rawFiles(bad), [closed], baseOf(base));
  expect(next.rows).toBe(40);
  expect((await rowsOf(next)).filter((text) => text.includes("HARLOW"))).toEqual([]);
});

test("leaves a state without readable files to its gates", async () => {
  const base = await built(await rawFiles({"a.geojson": parcels("48453", 1000)}), [neighbours]);
  const next = await built(await rawFiles({"a.geojson": "{"}), [neighbours], baseOf(base));
  expect(next.rows).toBe(0);
});

test("keeps rows from build to build while the file is bad", async () => {
  const good = {"a.geojson": parcels("48453", 1000), "b.geojson": parcels("48453", 2000)};
  const bad = {"a.geojson": parcels("48453", 1000), "b.geojson": parcels("48453", 2000, {x: 900})};
  const first = await built(await rawFiles(good), [neighbours]);
  const second = await built(await rawFiles(bad), [neighbours], baseOf(first));
  const third = await built(await rawFiles(bad), [neighbours], baseOf(second));
  expect(await rowsOf(third)).toEqual(await rowsOf(first));
});
