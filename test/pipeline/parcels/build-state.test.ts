import {createHash} from "node:crypto";
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {
  mapFile,
  openArrowTable,
  openKeyIndex,
  openSpatialIndex,
  openTermIndex,
} from "@open-cattle/mapped-index";
import {isValidOutline, outlineFromWkb} from "@open-cattle/parcel-outlines";
import {filesBelow} from "@open-cattle/safe-files";
import fc from "fast-check";
import {beforeAll, describe, expect, test} from "vitest";
import {blobBytes} from "../../../lib/parcels/dedupe/merge-outlines.ts";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {stateTablePath} from "../../../lib/storage/build-layout.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import {parquetRows} from "./parquet-rows.ts";
import {type Built, built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

const open = (folder: string, name: string) => mapFile(join(folder, name)).buffer;

function many(count: number) {
  return Array.from({length: count}, (_, i) => ({
    properties: row(`${1000 + i}-A`, {
      SITUS: `${100 + i} OAK ST`,
      OWNER: i % 3 === 0 ? "QUISTAD JUNE R" : "HARLOW DALE M",
    }),
    geometry: i % 7 === 6 ? null : square((i * 37) % 20, (i * 17) % 13),
  }));
}

describe("the files of a state", () => {
  let state: Built;

  beforeAll(async () => {
    state = await built(await rawFiles({"a.geojson": geojson(many(60))}));
  });

  test("hold row i of the Parquet as row i of the Arrow file and item i of the Flatbush file", async () => {
    const rows = await parquetRows(state.outDir);
    const parcels = openArrowTable(open(state.serving, "columns.arrow"));
    const records = openArrowTable(open(state.serving, "records.arrow"));
    const kinds = openArrowTable(open(state.serving, "provenance.arrow"));
    const points = openSpatialIndex(open(state.serving, "parcels.flatbush"));
    expect([parcels.rows, records.rows]).toEqual([60, 60]);
    expect(points.items).toBe(state.pointCount);
    fc.assert(
      fc.property(fc.nat(59), (i) => {
        const {lon, lat, xmin, ymin, xmax, ymax} = rows[i] as Record<string, number>;
        expect(parcels.string("parcel_uid").at(i)).toBe(rows[i]!.parcel_uid);
        expect(parcels.string("county_key").at(i)).toBe("48453");
        expect(parcels.number("lon").at(i)).toBe(lon);
        const [uid, , ...values] = records.string("values").at(i)!.split("\n");
        expect(uid).toBe(JSON.stringify(rows[i]!.parcel_uid));
        const members = kinds.list("members").at(records.number("provenance").at(i)!)!;
        expect(values).toHaveLength(members.length);
        expect(values[members.indexOf("totalMarketValue")]).toBe("1000");
        expect(parcels.list("owner_tokens").at(i)).toEqual(rows[i]!.owner_tokens);
        if (i < state.pointCount) {
          expect(points.within({minX: xmin!, minY: ymin!, maxX: xmax!, maxY: ymax!})).toContain(i);
          expect(points.within({minX: lon!, minY: lat!, maxX: lon!, maxY: lat!})).toContain(i);
        } else expect(lon).toBeNull();
      }),
    );
  });

  test("are totally ordered, rows without a point last", async () => {
    const rows = await parquetRows<{lon: number | null; county_key: string; parcel_id_std: string}>(
      state.outDir,
    );
    expect(rows.findIndex(({lon}) => lon === null)).toBe(state.pointCount);
    const pointless = rows.slice(state.pointCount).map(({parcel_id_std}) => parcel_id_std);
    expect(pointless).toEqual([...pointless].sort());
  });

  test("are GeoParquet 1.1 with a covering: a WKB point equal to lon and lat, and outlines", async () => {
    const db = await openDatabase();
    const file = (name: "parcels" | "boundaries") => sqlText(join(state.outDir, stateTablePath(name, "TX")));
    const geo = async (name: "parcels" | "boundaries") => {
      const [entry] = await db.rows<{value: string}>(
        `SELECT decode(value) AS value FROM parquet_kv_metadata(${file(name)}) WHERE decode(key) = 'geo'`,
      );
      return JSON.parse(entry!.value) as Record<string, unknown>;
    };
    expect(await geo("parcels")).toMatchObject({
      version: "1.1.0",
      primary_column: "geometry",
      columns: {geometry: {encoding: "WKB", geometry_types: ["Point"]}},
    });
    const covering = {bbox: {xmin: ["bbox", "xmin"], ymax: ["bbox", "ymax"]}};
    expect(await geo("parcels")).toMatchObject({columns: {geometry: {covering}}});
    expect(await geo("boundaries")).toMatchObject({columns: {geometry: {covering}}});
    const [wrong] = await db.rows<{n: bigint; typed: string}>(
      `SELECT count(*) FILTER (st_astext(geometry) IS DISTINCT FROM 'POINT (' || lon || ' ' || lat || ')'
           OR [bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax] IS DISTINCT FROM [lon, lat, lon, lat]) AS n, min(typeof(geometry)) AS typed
       FROM read_parquet(${file("parcels")}) WHERE lon IS NOT NULL`,
    );
    expect(wrong).toMatchObject({n: 0n, typed: "GEOMETRY('OGC:CRS84')"});
    db.close();
  });

  test("name the rows of outlines in both boundary files alike", async () => {
    const rows = await parquetRows<{row: bigint}>(state.outDir, "boundaries", '"row"');
    const outlines = openArrowTable(open(state.serving, "boundaries.arrow"));
    expect(outlines.rows).toBe(rows.length);
    expect(rows.length).toBe(state.pointCount);
    expect(rows.map((_, i) => outlines.number("row").at(i))).toEqual(rows.map(({row: n}) => Number(n)));
  });

  test("find a parcel by id form, address key and owner term", async () => {
    const rows = await parquetRows<{parcel_id: string; situs_number: string}>(state.outDir);
    const wanted = rows.findIndex(({parcel_id}) => parcel_id === "1009-A");
    expect(openKeyIndex(open(state.serving, "parcel_ids.arrow")).find("1009A")).toEqual([
      {row: wanted, form: 3},
    ]);
    expect(openKeyIndex(open(state.serving, "addresses.arrow")).find("109|OAK")).toEqual([
      {row: wanted, form: 1},
    ]);
    const owners = openTermIndex(open(state.serving, "owners.arrow"));
    expect(owners.find("QUISTAD")).toContain(wanted);
    expect(owners.find("HARLOW")).not.toContain(wanted);
  });

  test("say where each row comes from, with ids in sorted order", async () => {
    const provenance = await parquetRows(state.outDir, "parcel_provenance", "*");
    expect(provenance).toEqual([
      {
        provenance_id: 0,
        source_id: "us-tx-invented",
        vintage: "2026",
        vintage_basis: "roll_year",
        // An instant at midnight is shown as a date.
        retrieved_at: "2026-11-01",
        source_url_pattern: null,
        authority: "county",
        proposed_map: false,
        retrieved_assumed: false,
      },
    ]);
    const texts = openArrowTable(open(state.serving, "provenance.arrow"));
    const said = Array.from({length: texts.rows}, (_, i) => JSON.parse(texts.text("provenance").at(i) ?? ""));
    expect(said.map((each) => each.default.source)).toEqual(said.map(() => "us-tx-invented"));
  });

  test("are byte-identical whatever the order of the raw files", async () => {
    const rows = many(40);
    const files = {
      "a.geojson": geojson(rows.slice(0, 20)),
      "b.geojson": geojson(rows.slice(20)),
      "c.csv": csv(rows.map(({properties}) => properties)),
    };
    const again = Object.fromEntries(Object.entries(files).reverse());
    const [one, two] = [await built(await rawFiles(files)), await built(await rawFiles(again))];
    const digests = async (folder: string) =>
      (await filesBelow(folder)).map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ]);
    expect(await digests(two.outDir)).toEqual(await digests(one.outDir));
    expect(one.counties).toMatchObject([
      {
        county_key: "48453",
        county_name: "TRAVIS",
        rows: 40,
        complete: false,
        vintage: "2026",
        sources: ["us-tx-invented"],
      },
    ]);
  });

  test("state each county's share of rows with each attribute", async () => {
    const rows = [
      row("1-1", {COUNTY: "48453"}),
      row("1-2", {COUNTY: "48453", OWNER: null}),
      row("1-3", {COUNTY: "48209", ACRES: null}),
    ];
    const two = invented({
      coverage: {country: "US", state: "TX", counties: ["48453", "48209"], countyFrom: "COUNTY"},
    });
    const {counties, fill} = await built(await rawFiles({"a.csv": csv(rows)}), [two]);
    expect(
      counties.map(({county_key, fill: own}) => [county_key, own!.owner_name, own!.acres, own!.lon]),
    ).toEqual([
      ["48209", 1, undefined, undefined],
      ["48453", 0.5, 1, undefined],
    ]);
    expect([fill.owner_name, fill.acres, fill.alt_ids, fill.lon]).toEqual([0.666667, 0.666667, 0, 0]);
    expect(counties[0]!.fill).not.toHaveProperty("parcel_id_tok");
  });

  test("of a source without points have no Flatbush file and no boundaries", async () => {
    const {outDir, serving, pointCount} = await built(await rawFiles({"a.csv": csv([row("1")])}));
    expect(pointCount).toBe(0);
    for (const name of ["parcels.flatbush", "boundaries.arrow"])
      expect(existsSync(join(serving, name))).toBe(false);
    expect(existsSync(join(outDir, stateTablePath("boundaries", "TX")))).toBe(false);
    expect(openArrowTable(open(serving, "columns.arrow")).rows).toBe(1);
  });
});

describe("a file that cannot be used", () => {
  test("is named with what came and what was expected, while the rest is built", async () => {
    const good = csv([row("1"), row("2")]);
    const {files, rows} = await built(
      await rawFiles({
        "cut.geojson": geojson(many(5)).slice(0, -40),
        "empty.csv": "",
        "good.csv": good,
        "header.csv": good.split("\n")[0]!,
        "page.csv": "<!DOCTYPE html><html><body>Sign in</body></html>",
        "page.geojson": "<html></html>",
        "renamed.csv": good.replace("PIN", "PARCEL"),
        "strange.bin": Buffer.from([0, 1, 2, 3]),
      }),
    );
    const reasons = Object.fromEntries(
      files.map(({path, status, reason}) => [path.split("/").at(-1), `${status}: ${reason}`]),
    );
    expect(rows).toBe(2);
    expect(reasons["good.csv"]).toBe("read: null");
    expect(reasons["cut.geojson"]).toContain(
      "failed: parcels/us-tx-invented/cut.geojson: the JSON ends after",
    );
    expect(reasons["empty.csv"]).toContain("empty file; expected a header with the names of its columns");
    expect(reasons["header.csv"]).toContain("no rows behind the header");
    expect(reasons["page.csv"]).toContain("got HTML or XML");
    expect(reasons["page.geojson"]).toContain("got HTML or XML");
    expect(reasons["renamed.csv"]).toContain(
      'no column "PIN" (ids.raw) of us-tx-invented; its columns are PARCEL',
    );
    expect(reasons["strange.bin"]).toContain("no_reader: parcels/us-tx-invented/strange.bin: unknown format");
    expect(files.every(addsUp)).toBe(true);
  });

  test("leaves a state without rows when it is the only one", async () => {
    const {rows, pointCount, serving} = await built(await rawFiles({"a.csv": ""}));
    expect([rows, pointCount, openArrowTable(open(serving, "columns.arrow")).rows]).toEqual([0, 0, 0]);
  });

  test("is skipped if it was retrieved after the day of the build", async () => {
    const {files} = await built(
      await rawFiles({"a.csv": csv([row("1")])}, {retrieved_at: "2026-11-22T00:00:00Z"}),
    );
    expect(files[0]).toMatchObject({
      status: "left_out",
      reason: "retrieved 2026-11-22T00:00:00Z, after 2026-11-21",
    });
  });
});

describe("the reports", () => {
  test("count every row once, by reason", async () => {
    const rows = [
      row("1-1"),
      row("1-1"),
      row("1-1", {OWNER: "QUISTAD JUNE"}),
      row("NULL"),
      row("0000"),
      row("WATER"),
      row("4.10106E+11"),
      row("2-2", {VALUE: "0"}),
    ];
    const {files, outDir} = await built(await rawFiles({"a.csv": `${csv(rows)}\n"3-3","too short"\n`}));
    const [report] = files;
    expect(report).toMatchObject({
      rowsIn: 9,
      accepted: 2,
      merged: 1,
      rejected: {duplicate_id: 1, id_precision_lost: 1, malformed_row: 1, non_parcel: 1, null_id: 2},
    });
    expect(report!.notes).toMatchObject({zero_value: 1, no_geometry: 4});
    expect(addsUp(report!)).toBe(true);
    const rejects = await parquetRows<{reason: string; source_row: bigint}>(outDir, "parcel_rejects", "*");
    expect(rejects.map(({source_row, reason}) => `${source_row} ${reason}`)).toEqual([
      "2 duplicate_id",
      "4 null_id",
      "5 null_id",
      "6 non_parcel",
      "7 id_precision_lost",
    ]);
  });
});

describe("a source", () => {
  test("in a table gives points from its columns, and outlines from well-known text if the entry says so", async () => {
    const wkt = "POLYGON ((-97.75 30.3, -97.749 30.3, -97.749 30.301, -97.75 30.301, -97.75 30.3))";
    const rows = [
      row("1-1", {WKT: wkt, X: "-97.7", Y: "30.25"}),
      row("2-2", {WKT: "", X: "-97.7123456789", Y: "30.25"}),
    ];
    const files = await rawFiles({"a.csv": csv(rows)});
    const {fields} = invented();
    const points = {...fields, lon: {from: "X"}, lat: {from: "Y"}};
    const location = async (entry: ReturnType<typeof invented>) => {
      const {outDir} = await built(files, [entry]);
      const found = await parquetRows(outDir);
      return found
        .sort((a, b) => (String(a.parcel_id) < String(b.parcel_id) ? -1 : 1))
        .map(({lon, point_method}) => [lon, point_method]);
    };
    expect(await location(invented())).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await location(invented({fields: points}))).toEqual([
      [-97.7, "source_point"],
      [-97.7123457, "source_point"],
    ]);
    expect(await location(invented({fields: {...points, geometry: {from: "WKT"}}}))).toEqual([
      [-97.7495, "centroid"],
      [-97.7123457, "source_point"],
    ]);
  });

  test("whose points are outside of their county stops, and the message says when swapping would cure it", async () => {
    const swapped = many(30).map(({properties, geometry}) => ({
      properties,
      geometry: geometry && {
        ...geometry,
        coordinates: geometry.coordinates.map((ring) => ring.map(([x, y]) => [y, x])),
      },
    }));
    const {files, rows} = await built(await rawFiles({"a.geojson": geojson(swapped)}));
    expect(rows).toBe(0);
    expect(files[0]!.reason).toContain(
      "crs_mismatch: 26 of 26 points of parcels/us-tx-invented/a.geojson, county 48453 do not lie in their county",
    );
    expect(files[0]!.reason).toContain("swapped");
  });

  test("has only valid outlines in its boundary files: one that crosses itself is repaired there, and flagged", async () => {
    const [x, y] = [-97.7, 30.3];
    const bowTie = [
      [x, y],
      [x + 0.004, y + 0.004],
      [x + 0.004, y],
      [x, y + 0.003],
      [x, y],
    ];
    const rows = [...many(2), {properties: row("9-9"), geometry: {type: "Polygon", coordinates: [bowTie]}}];
    const {outDir, files} = await built(await rawFiles({"a.geojson": geojson(rows)}));
    expect(files[0]!.notes).toMatchObject({invalid_geometry: 1, outline_repaired: 1});
    const outlines = await parquetRows<{wkb: unknown}>(outDir, "boundaries", "st_asbinary(geometry) AS wkb");
    const parts = outlines.map(({wkb}) => outlineFromWkb(blobBytes(wkb)));
    expect(parts.map((each) => each.length).sort()).toEqual([1, 1, 2]);
    expect(parts.every(isValidOutline)).toBe(true);
    const parcels = await parquetRows<{lon: number | null; flags: string[]}>(outDir);
    expect(parcels.find(({flags}) => flags.includes("invalid_geometry"))!.lon).not.toBeNull();
  });

  test("keeps a row without its point if that lies in another county", async () => {
    const rows = many(30);
    rows[3] = {...rows[3]!, geometry: square(900, 0)};
    const {outDir, files} = await built(await rawFiles({"a.geojson": geojson(rows)}));
    const [outside] = (
      await parquetRows<{parcel_id: string; lon: number | null; xmin: number | null; flags: string[]}>(outDir)
    ).filter(({flags}) => flags.includes("point_outside"));
    expect(outside).toMatchObject({parcel_id: "1003-A", lon: null, xmin: null});
    expect(files[0]!.notes.point_outside).toBe(1);
  });

  test("stops when an acceptance row says otherwise; the message has no owner", async () => {
    const accept = (expected: Record<string, unknown>) =>
      invented({
        accept: {
          minRows: 1,
          maxRejectShare: 0.02,
          maxDropShare: 0.1,
          rows: [{parcelId: "1-1", expect: expected}],
        },
      });
    const files = await rawFiles({"a.csv": csv([row("1-1")])});
    const reason = async (expected: Record<string, unknown>) =>
      (await built(files, [accept(expected)])).files[0]!.reason;
    expect(await reason({acres: 2, county_key: "48453"})).toBeNull();
    expect(await reason({acres: 3})).toBe('parcel 1-1 of "accept": acres: expected 3, got 2.');
    expect(await reason({owner_name: "X"})).toBe(
      'parcel 1-1 of "accept": owner_name: expected "X", got another value.',
    );
  });

  test("guarantees missing rows and row counts only for a complete pull", async () => {
    const entry = invented({accept: {minRows: 5, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []}});
    const files = {"a.csv": csv([row("1-1")])};
    expect((await built(await rawFiles(files), [entry])).rows).toBe(1);
    const whole = await built(await rawFiles(files, {complete: true}), [entry]);
    expect(whole.files[0]).toMatchObject({
      status: "failed",
      reason: "1 rows of us-tx-invented; expected at least 5.",
    });
  });

  test("is read without the rows that its `where` excludes, which are counted but not as faults", async () => {
    const rows = Array.from({length: 1000}, (_, i) => row(`9-${i}`, {KIND: i < 100 ? "WATER" : "FEE"}));
    rows[999]!.KIND = null;
    const {files, outDir} = await built(await rawFiles({"a.csv": csv(rows)}), [
      invented({where: "KIND NOT IN ('WATER', 'ROW')"}),
    ]);
    expect(files[0]).toMatchObject({rowsIn: 1000, accepted: 899, rejected: {non_parcel: 101}});
    expect(addsUp(files[0]!)).toBe(true);
    const [rejects] = await parquetRows<{n: bigint}>(outDir, "parcel_rejects", "count(*) AS n");
    expect(rejects!.n).toBe(101n);
    const {files: lacking} = await built(await rawFiles({"a.csv": csv([row("1-1")])}), [
      invented({where: "KIND = 'FEE'"}),
    ]);
    expect(lacking[0]!.reason).toMatch(/no column "KIND" \(where\) of us-tx-invented/);
  });

  test("is complete despite notes without rows beside it, but not despite an unreadable file", async () => {
    const files = {"a.csv": csv([row("1-1")]), "count.json": '{"count": 1}'};
    const {counties} = await built(await rawFiles(files, {complete: true}));
    expect(counties[0]!.complete).toBe(true);
    const torn = await built(await rawFiles({...files, "b.csv": ""}, {complete: true}));
    expect(torn.counties[0]!.complete).toBe(false);
  });

  test("that rejects more than its share of a thousand rows stops", async () => {
    const rows = Array.from({length: 1000}, (_, i) => row(i < 30 ? "NULL" : `9-${i}`));
    const {files} = await built(await rawFiles({"a.csv": csv(rows)}));
    expect(files[0]!.reason).toContain(
      "parcels/us-tx-invented/a.csv, county 48453: 30 of 1000 rows rejected; expected at most 2 % of us-tx-invented.",
    );
  });
});
