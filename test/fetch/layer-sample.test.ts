import {afterAll, beforeAll, expect, test} from "vitest";
import {draftOf} from "../../pipeline/commands/propose-options.ts";
import {sampleLayer} from "../../pipeline/fetch/probe/layer-sample.ts";
import {proposeEntry} from "../../pipeline/parcels/propose/propose-entry.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {layer} from "./arcgis-world.ts";
import {ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeAll(async () => {
  server = await ReplayServer.start();
  const outlines = {geometryType: "esriGeometryPolygon"};
  const list = (names: readonly string[]) => ({
    layers: names.map((name, id) => ({id, name, ...(name === "Points" ? {} : outlines)})),
    tables: [{id: 9, name: "Owners"}],
  });
  const answer = (body: unknown) => (_: unknown, reply: {end: (text: string) => void}) =>
    reply.end(JSON.stringify(body));
  server.on("/one/MapServer", answer(list(["Sections", "Points", "Tax Parcels"])));
  server.on("/one/MapServer/2", layer({rows: 40, name: "Tax Parcels", geojson: true, refusesGeojson: true}));
  server.on("/two/MapServer", answer(list(["Parcels", "Parcels 2024"])));
  server.on("/two/MapServer/1", layer({rows: 40, name: "Parcels 2024"}));
  server.on("/closed/MapServer/0", layer({rows: 4, needsToken: true}));
});
afterAll(() => server.stop());

function sample(path: string, layerName?: string) {
  return sampleLayer(`${server.origin}${path}`, {
    ...{layerName, rows: 600, dir: temporaryFolder(), userAgent: "test", proxy: ""},
    signal: new AbortController().signal,
  });
}

test("finds the parcels among the layers of a service, and proposes an entry that pulls them", async () => {
  const {path, ...sampledLayer} = await sample("/one/MapServer/");
  const {entry, rows} = await proposeEntry(
    path,
    {...draftOf({county: ["48453"]}), sampledLayer},
    "2026-11-21",
  );
  expect(rows).toBe(40);
  expect(entry).toMatchObject({
    ...{protocol: "arcgis", url: `${server.origin}/one/MapServer/2`, layerName: "Tax Parcels"},
    accept: {minRows: 36},
  });
});

test.each([
  ["/two/MapServer", "parcels 2024"],
  ["/two/MapServer/1/query?where=1%3D1", undefined],
])("takes the layer that %s and --layer %s name", async (path, wanted) => {
  const {url, layer: found} = await sample(path, wanted);
  expect([url, found.name]).toEqual([`${server.origin}/two/MapServer/1`, "Parcels 2024"]);
});

test.each([
  ["/two/MapServer", /layers 0 "Parcels", 1 "Parcels 2024", 9 "Owners"; say which one .*--layer/],
  ["/closed/MapServer/0", /requires a token/],
  ["/two/parcels.zip", /not the address of an ArcGIS layer/],
  ["/three/MapServer/0", /status 404/],
])("says what is wrong with %s", async (path, message) => {
  await expect(sample(path)).rejects.toThrow(message);
});
