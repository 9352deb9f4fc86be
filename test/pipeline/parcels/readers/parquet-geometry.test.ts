import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {wkbOf} from "../../../../packages/parcel-outlines/test/write-wkb.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {stage} from "./staging.ts";

describe("the geometry of Parquet", () => {
  async function staged(column: string, options: string) {
    const db = await openDatabase();
    const path = join(temporaryFolder(), "p.parquet");
    const hex = wkbOf(sampleRows[0]!.geometry!).toString("hex");
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
