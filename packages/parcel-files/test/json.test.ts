import {writeFileSync} from "node:fs";
import {join} from "node:path";
import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {jsonParts} from "../src/json-items.ts";
import {readRows} from "./read-rows.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const point = (x: number, y: number) => ({type: "Point", coordinates: [x, y, 5]});

describe("the JSON reader", () => {
  test("reads an array, rows, and lists of cells with their names before or after them", async () => {
    const wantedColumns = ["PIN", "V"];
    const expected = [
      {PIN: "01", V: "1.5"},
      {PIN: "02", V: null},
    ];
    const objects = [{PIN: "01", V: 1.5}, {PIN: "02"}];
    const lists = [
      ["01", 1.5],
      ["02", null],
    ];
    for (const document of [
      objects,
      {note: {rows: "x"}, rows: objects},
      {fields: wantedColumns, rows: lists},
      {rows: lists, fields: wantedColumns.map((name) => ({name}))},
    ]) {
      expect((await readRows("a.json", JSON.stringify(document), wantedColumns)).cells).toEqual(expected);
    }
  });

  test("takes no place of Socrata that is empty, half known or 0, 0", async () => {
    const places = [
      ["30.25", "-97.75"],
      ["", ""],
      ["30.25", ""],
      ["0", "0"],
      [null, null],
    ];
    const rows = places.map(([latitude, longitude]) => ({place: {latitude, longitude}}));
    const {geometry} = await readRows("a.json", JSON.stringify(rows), ["place"]);
    expect(geometry.map((each) => each.lon)).toEqual([-97.75, null, null, null, null]);
  });

  test("reads GeoJSON with a third coordinate, null geometry, a byte-order mark and a CRS after the features", async () => {
    const features = [
      {type: "Feature", properties: {PIN: "1"}, geometry: point(-10_000_000, 4_000_000)},
      {type: "Feature", properties: {PIN: "2"}, geometry: null},
    ];
    const crs = {type: "name", properties: {name: "urn:ogc:def:crs:EPSG::3857"}};
    const {cells, geometry} = await readRows(
      "a.geojson",
      `\ufeff${JSON.stringify({type: "FeatureCollection", features, crs})}`,
      ["PIN"],
    );
    expect(cells).toEqual([{PIN: "1"}, {PIN: "2"}]);
    expect(geometry).toMatchObject([
      {lon: -89.8315284, lat: 33.7852301},
      {lon: null, lat: null},
    ]);
  });

  test("keeps a row whose geometry cannot be read, without a point", async () => {
    const odd = [{}, "POINT (1 2)", 5, {type: "Point", coordinates: [null, null]}, {rings: [[[1, 2]]]}];
    const polygons = [
      [
        [1, 2],
        [3, 4],
        [1, 2],
      ],
      [["1", "2"]],
      ["x"],
      {},
      null,
    ].map((coordinates) => ({
      type: "Polygon",
      coordinates,
    }));
    const collection = {
      type: "GeometryCollection",
      geometries: [null, {type: "MultiPolygon", coordinates: [7]}],
    };
    const geometries = [...odd, ...polygons, collection, point(-98, 40)];
    const features = geometries.map((geometry, i) => ({
      type: "Feature",
      properties: {PIN: `${i}`},
      geometry,
    }));
    const {cells, geometry} = await readRows("a.geojson", JSON.stringify({features}), ["PIN"]);
    expect(cells).toEqual(features.map(({properties}) => properties));
    expect(geometry.slice(0, -1).every(({lon, lat}) => lon === null && lat === null)).toBe(true);
    expect(geometry.at(-1)).toMatchObject({lon: -98, lat: 40});
  });

  test("reads NDGeoJSON, text sequences and a single feature", async () => {
    const feature = (PIN: string) =>
      JSON.stringify({type: "Feature", properties: {PIN, features: ["x"]}, geometry: point(-98, 40)});
    for (const text of [
      `${feature("1")}\n${feature("2")}\n`,
      `\u001e${feature("1")}\n\u001e${feature("2")}\n`,
    ]) {
      expect((await readRows("a.geojsonl", text, ["PIN"])).cells).toEqual([{PIN: "1"}, {PIN: "2"}]);
    }
    expect((await readRows("a.geojson", feature("1"), ["PIN"])).geometry).toMatchObject([
      {lon: -98, lat: 40},
    ]);
  });

  test("keeps all digits of numbers beyond double precision", async () => {
    expect((await readRows("a.json", '[{"PIN": 12345678901234567890, "V": 7}]', ["PIN", "V"])).cells).toEqual(
      [{PIN: "12345678901234567890", V: "7"}],
    );
    const double = '[{"PIN": 2.0123456789012344E16, "V": 1234567890123456}]';
    expect((await readRows("a.json", double, ["PIN"])).cells).toEqual([{PIN: String(2.0123456789012344e16)}]);
  });

  test("explains what is wrong with a file that is truncated, empty, HTML, a server's error, or no table", async () => {
    const whole = JSON.stringify({features: [{type: "Feature", properties: {PIN: "1"}, geometry: null}]});
    const fault = (text: string) =>
      readRows("a.json", text, ["PIN"]).then(String, (error: Error) => error.message);
    expect(await fault(whole.slice(0, -5))).toContain("a.json: the JSON ends after");
    expect(await fault('{"features": [{"a": "')).toContain("a.json: the JSON ends after");
    expect(await fault("")).toContain("a.json: empty file");
    expect(await fault("  \n")).toContain("a.json: empty file");
    expect(await fault("<html>no</html>")).toContain('got HTML or XML ("<html>no</html>")');
    expect(await fault('{"error": {"code": 499, "message": "Token Required"}}')).toContain(
      "499 Token Required",
    );
    expect(await fault('{"features": []}')).toContain("no rows; expected at least one");
    expect(await fault('{"rows": [[1]]}')).toContain('no list "fields"');
    expect(await fault('[{"PIN": 1,}]')).toContain("a.json: row 1: not JSON");
    expect(await fault("[1}")).toContain("a.json");
  });

  test("reads any rows wherever the file's chunks end", async () => {
    const row = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string({unit: "grapheme"}), fc.integer(), fc.constant(null), fc.array(fc.string())),
    );
    const path = join(temporaryFolder(), "a.json");
    const collected = async (highWaterMark: number) => {
      const items: unknown[] = [];
      for await (const {kind, bytes} of jsonParts(path, "a.json", {chunkBytes: highWaterMark}))
        if (kind === "item") items.push(JSON.parse(bytes.toString("utf8")));
      return items;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.integer({min: 1, max: 40}),
        fc.boolean(),
        async (rows, chunk, wrapped) => {
          writeFileSync(path, JSON.stringify(wrapped ? {a: "[", features: rows, b: [1]} : rows));
          expect(await collected(chunk)).toEqual(JSON.parse(JSON.stringify(rows)));
        },
      ),
      {numRuns: 60},
    );
  });
});
