import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type LayerSource, layersOnMiss} from "../../lib/registry/layers-on-miss.ts";
import {type MarkedLayer, markLayers} from "../../pipeline/fetch/probe/mark-layers.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {quickRate} from "./fetched.ts";
import {type Answer, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeAll(async () => {
  server = await ReplayServer.start();
});
afterAll(() => server.stop());

const cochise = "04003";

/** A registered layer of the invented county, at a path of the server or another address. */
function source(address: string, changes: Record<string, unknown> = {}): LayerSource {
  const url = address.startsWith("/") ? `${server.origin}${address}` : address;
  return CadastreSource.parse({
    ...{id: "us-az-invented", name: "Invented parcel layer", authority: "county", rate: quickRate},
    coverage: {country: "US", state: "AZ", counties: [cochise]},
    licence: "invented",
    terms: {store: true, redistributeOwners: false, bulk: false},
    cadastre: {url, idField: "PARCEL_ID", idForms: ["raw"], point: true},
    ...changes,
  });
}

async function marked(...sources: LayerSource[]): Promise<MarkedLayer[]> {
  const found: MarkedLayer[] = [];
  await markLayers(sources, {
    ...{userAgent: "test", proxy: "", signal: new AbortController().signal},
    now: () => new Date("2026-11-29T05:30:00Z"),
    onEnd: (each) => void found.push(each),
  });
  return found;
}

const rows = {rows: 40, place: {lon: -109.9, lat: 31.9, county: "COCHISE"}};
const status =
  (code: number): Answer =>
  (_, reply) =>
    void reply.writeHead(code).end("{}");
const sends =
  (text: string): Answer =>
  (_, reply) =>
    void reply.end(text);

describe("a layer is marked", () => {
  const habits: [mark: string, habits: LayerHabits][] = [
    ["good", rows],
    ["no paging", {...rows, refusesPages: true}],
    ["no paging", {...rows, pages: false, refusesPages: true}],
    ["stale id", {...rows, renames: {PARCEL_ID: "PIN"}}],
    ["token", {...rows, needsToken: true}],
    ["wrong county", {...rows, place: {lon: -93.1, lat: 44.9, county: "RAMSEY"}}],
    ["unreadable", {rows: 0}],
  ];
  test.each(habits)("%s, with %j", async (mark, its) => {
    server.on("/own/FeatureServer/0", layer(its));
    const [{verdict} = {verdict: null}] = await marked(source("/own/FeatureServer/0"));
    const county = ["good", "stale id", "no paging"].includes(mark) ? {county: cochise} : {};
    expect(verdict).toEqual({mark, at: "2026-11-29T05:30:00.000Z", ...county});
  });

  const answers: [mark: string, what: string, answer: Answer][] = [
    ["gone", "status 404", status(404)],
    ["gone", "an error 404", sends('{"error":{"code":404,"message":"Not found","details":[]}}')],
    ["gone", "a service that is not there", sends('{"error":{"code":500,"message":"Service not found"}}')],
    ["refused", "status 403", status(403)],
    ["refused", "another error", sends('{"error":{"code":400,"message":"Failed to execute query."}}')],
    ["refused", "a connection that is cut", (_, reply) => void reply.destroy()],
    ["unreadable", "a page for people", sends("<html>maintenance</html>")],
    ["unreadable", "half an answer", sends('{"fields": [')],
    ["unreadable", "a list of services", sends('{"services": []}')],
  ];
  test.each(answers)("%s, for %s", async (mark, _, answer) => {
    server.on("/own/FeatureServer/0", answer);
    const [layerOf] = await marked(source("/own/FeatureServer/0"));
    expect(layerOf).toMatchObject({verdict: {mark}, reason: expect.any(String), isReached: true});
  });

  test("not, where its host asks for a long wait", async () => {
    const busy: Answer = (_, reply) => void reply.writeHead(429, {"retry-after": "7200"}).end();
    server.on("/own/FeatureServer/0", busy);
    expect(await marked(source("/own/FeatureServer/0"))).toMatchObject([{verdict: null}]);
  });

  test("gone, without a host of its name, which a network that is down looks like", async () => {
    const [none] = await marked(source("https://gis.county.invalid/arcgis/rest/services/P/MapServer/0"));
    expect(none!.isReached).toBe(false);
    expect(["gone", "refused"]).toContain(none!.verdict!.mark);
  });
});

test("layers at one address are asked once, for metadata and a few rows; a statewide one tells whose rows it gave", async () => {
  server.on("/shared/FeatureServer/0", layer(rows)).forget();
  const statewide = {id: "us-az-state", coverage: {country: "US", state: "AZ", counties: "all"}};
  const found = await marked(source("/shared/FeatureServer/0"), source("/shared/FeatureServer/0", statewide));
  expect(found.map(({source: {id}, verdict}) => [id, verdict?.mark, verdict?.county])).toEqual([
    ["us-az-invented", "good", cochise],
    ["us-az-state", "good", cochise],
  ]);
  expect(server.of("/shared").map(({path, query}) => [path, query.get("resultRecordCount")])).toEqual([
    ["/shared/FeatureServer/0", null],
    ["/shared/FeatureServer/0/query", "5"],
  ]);
});

test("the registry has each layer once by its id, the bulk source of two with one id", () => {
  const layers = layersOnMiss({});
  expect(new Set(layers.map(({id}) => id)).size).toBe(layers.length);
  expect(layers.find(({id}) => id === "us-dc-statewide")).toMatchObject({fields: expect.anything()});
});
