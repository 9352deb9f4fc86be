import {readFileSync} from "node:fs";
import {join} from "node:path";
import type {Geometry} from "geojson";
import {describe, expect, it} from "vitest";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {geometryFromWkb} from "../../../../pipeline/parcels/readers/wkb-geometry.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {sampleRows} from "./sample-rows.ts";
import {stage} from "./staging.ts";
import {wkbOf} from "./write-wkb.ts";

const geometries: Geometry[] = [
  {type: "Point", coordinates: [-97.75, 30.25]},
  ...sampleRows.flatMap(({geometry}) => geometry ?? []),
];

describe("WKB", () => {
  it.each([{}, {big: true}, {z: true}, {big: true, z: true}])(
    "reads back what was written: %o",
    (options) => {
      for (const geometry of geometries) expect(geometryFromWkb(wkbOf(geometry, options))).toEqual(geometry);
    },
  );

  it("reads the extended form of PostGIS, with Z and SRID in the upper bits", () => {
    const point = wkbOf(geometries[0]!, {z: true});
    const head = Buffer.alloc(9);
    head[0] = 1;
    head.writeUInt32LE((0x80000000 | 0x20000000 | 1) >>> 0, 1);
    head.writeUInt32LE(4326, 5);
    expect(geometryFromWkb(Buffer.concat([head, point.subarray(5)]))).toEqual(geometries[0]);
  });

  it("is null for an empty point and for lines", () => {
    expect(geometryFromWkb(wkbOf({type: "Point", coordinates: [Number.NaN, Number.NaN]}))).toBeNull();
    expect(
      geometryFromWkb(
        Buffer.from(
          "01020000000200000000000000000000000000000000000000000000000000f03f000000000000f03f",
          "hex",
        ),
      ),
    ).toBeNull();
  });

  it("refuses a count without its bytes, and names a curve", () => {
    const damaged = wkbOf(geometries[1]!);
    damaged.writeUInt32LE(0xfffffff0, 9);
    expect(() => geometryFromWkb(damaged)).toThrow(/damaged WKB/);
    expect(() => geometryFromWkb(Buffer.from("010a00000000000000", "hex"))).toThrow(
      /WKB type 10: .*CONVERT_TO_LINEAR/,
    );
  });
});

describe("the geometry of Parquet", () => {
  async function staged(column: string, options: string) {
    const db = await openDatabase();
    const path = join(temporaryFolder(), "p.parquet");
    const hex = wkbOf(geometries[1]!).toString("hex");
    await db.run(
      `COPY (SELECT '1' AS parcel_no, 'ROE JANE' AS owner, '1 SAMPLE ST' AS address, 1.5 AS acreage, 7 AS account, 'A1' AS use_code, ${column.replace("$", `unhex('${hex}')`)})
       TO ${sqlText(path)} (FORMAT parquet${options})`,
    );
    db.close();
    const result = await stage({"p.parquet": readFileSync(path)});
    return [(await result.rows())[0]?.["~lon"], result.reports[0]?.reason];
  }

  it("is read in the type of Parquet itself", async () => {
    expect(await staged("st_geomfromwkb($) AS shape", ", GEOPARQUET_VERSION 'NONE'")).toEqual([
      -97.7489833,
      undefined,
    ]);
    expect(await staged("st_geomfromwkb($) AS shape", ", GEOPARQUET_VERSION 'BOTH'")).toEqual([
      -97.7489833,
      undefined,
    ]);
  });

  it("is refused in an encoding that is not WKB", async () => {
    const geo = {
      version: "1.1.0",
      primary_column: "geometry",
      columns: {geometry: {encoding: "polygon", geometry_types: ["Polygon"]}},
    };
    const [, reason] = await staged(
      "[[{'x': 1.0, 'y': 2.0}]] AS geometry",
      `, KV_METADATA {geo: ${sqlText(JSON.stringify(geo))}}`,
    );
    expect(reason).toMatch(/geometry in the encoding "polygon"; WKB is read/);
  });
});
