import {readFileSync} from "node:fs";
import {join} from "node:path";
import type {Geometry} from "geojson";
import proj4 from "proj4";
import {describe, expect, it} from "vitest";
import {type SampleRow, sampleRows, swapped} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {flatgeobufOf} from "../../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {writeGeopackage} from "../../../../packages/parcel-files/test/write-geopackage.ts";
import {refusedRows} from "../../../../pipeline/parcels/file-bounds.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {sampleEntry} from "./sample-entry.ts";
import {stage} from "./staging.ts";
import {esriPageOf, featuresOf, jsonOf, parquetOf, shapefileOf} from "./write-formats.ts";

/** Texas Central of NAD 83 in US survey feet: EPSG 2277, as Esri writes it. */
const texasCentral =
  'PROJCS["NAD_1983_StatePlane_Texas_Central_FIPS_4203_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",2296583.333333333],PARAMETER["False_Northing",9842500.0],PARAMETER["Central_Meridian",-100.3333333333333],PARAMETER["Standard_Parallel_1",30.11666666666667],PARAMETER["Standard_Parallel_2",31.88333333333333],PARAMETER["Latitude_Of_Origin",29.66666666666667],UNIT["Foot_US",0.3048006096012192]]';
const vertical =
  'VERTCS["NAVD_1988",VDATUM["North_American_Vertical_Datum_1988"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]';

const toFeet = proj4("WGS84", texasCentral);
const feet = inSystem((position) => toFeet.forward(position));

function inSystem(change: (position: [number, number]) => [number, number]): SampleRow[] {
  return sampleRows.map((row) => ({
    ...row,
    geometry: JSON.parse(JSON.stringify(row.geometry), (_, value: unknown) =>
      Array.isArray(value) && typeof value[0] === "number" ? change(value as [number, number]) : value,
    ) as Geometry | null,
  }));
}

/** The rows' points in degrees with 6 decimals (0.1 m), the precision that converting from feet keeps. */
async function points(files: Readonly<Record<string, Buffer | string>>, more: {crs?: string} = {}) {
  const staged = await stage(files, {...sampleEntry, ...more});
  const rows = await staged.rows();
  if (rows.length === 0) return staged.reports.map(({reason}) => reason).join(" ");
  return rows.map((row) =>
    row["~lon"] === null
      ? null
      : [row["~lon"], row["~lat"]].map((degrees) => Number((degrees as number).toFixed(6))),
  );
}

const projJson = {
  type: "CompoundCRS",
  components: [{type: "ProjectedCRS", id: {authority: "EPSG", code: 2277}}, {type: "VerticalCRS"}],
  id: {authority: "EPSG", code: 2277},
};

describe("the coordinate system of a source", () => {
  it("comes from the .prj, Esri's WKT, the package or the metadata, in feet as in degrees", async () => {
    const expected = await points({
      "p.geojson": jsonOf({type: "FeatureCollection", features: featuresOf(sampleRows)}),
    });
    expect(expected).toEqual([expect.any(Array), expect.any(Array), null]);
    const package_ = join(temporaryFolder(), "p.gpkg");
    writeGeopackage(package_, feet, {
      srs: {id: 102739, organization: "ESRI", code: 102739, definition: texasCentral},
    });
    const all = {
      prj: await points(shapefileOf(feet, "p", {prj: texasCentral})),
      compound: await points(shapefileOf(feet, "p", {prj: `${texasCentral},${vertical}`})),
      wkt: await points({"p.json": esriPageOf(feet, {wkt: texasCentral})}),
      latest: await points({"p.json": esriPageOf(feet, {wkid: 102739, latestWkid: 2277})}),
      gpkg: await points({"p.gpkg": readFileSync(package_)}),
      fgb: await points({"p.fgb": flatgeobufOf(feet, {code: 2277})}),
      parquet: await points({"p.parquet": await parquetOf(feet, temporaryFolder(), {crs: projJson})}),
      entry: await points(shapefileOf(feet, "p", {prj: "nonsense"}), {crs: "EPSG:2277"}),
      entryFirst: await points({"p.json": esriPageOf(feet, {wkid: 4326})}, {crs: "EPSG:2277"}),
    };
    for (const [name, came] of Object.entries(all)) expect(came, name).toEqual(expected);
  });

  it("is asked for if the file does not state it", async () => {
    const asked = /does not say its coordinate system; give it as "crs" in the entry/;
    const {"p.prj": _, ...noPrj} = shapefileOf(feet, "p");
    expect(await points(noPrj as Record<string, Buffer>)).toMatch(asked);
    expect(await points({"p.fgb": flatgeobufOf(feet, {code: 0})})).toMatch(asked);
    expect(await points({"p.parquet": await parquetOf(feet, temporaryFolder(), {crs: null})})).toMatch(asked);
  });

  it("is refused for a datum whose grid is missing", async () => {
    expect(await points(shapefileOf(feet, "p"), {crs: "EPSG:26741"})).toMatch(
      /datum whose grid is not here.*ogr2ogr/,
    );
  });
});

describe("points outside of their county", () => {
  async function verdict(rows: readonly SampleRow[]) {
    const staged = await stage({
      "p.geojson": jsonOf({type: "FeatureCollection", features: featuresOf(rows)}),
    });
    await staged.conformed();
    const judged = {entry: sampleEntry, table: "conformed", paths: new Map(), accepted: []};
    return (await refusedRows(staged.db, judged))[0]?.reason ?? null;
  }

  it("stop their file, and the message says if swapping would help", async () => {
    expect(await verdict(sampleRows)).toBeNull();
    expect(await verdict(inSystem(([x, y]) => [x + 3, y]))).toMatch(
      /^crs_mismatch: 2 of 2 points(?!.*swapped)/,
    );
    expect(await verdict(sampleRows.map((row) => ({...row, geometry: swapped(row.geometry)})))).toMatch(
      /^crs_mismatch: .*swapped/,
    );
  });

  it("may be feet taken for degrees", async () => expect(await verdict(feet)).toMatch(/^crs_mismatch/));
});
