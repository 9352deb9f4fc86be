import type {ServerResponse} from "node:http";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {parcelLimitations as P} from "../../../lib/parcels/record/parcel-limitations.ts";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import type {CountyReader} from "../../../server/cadastre/county-reader.ts";
import {createUpstream} from "../../../server/cadastre/upstream.ts";
import {brazos, type CountyOptions, countyAsker, inventedRows, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, startFakeArcgis} from "./fake-arcgis.ts";
import {bodyFaults, type Hostile, meaningFaults, transportFaults} from "./misbehaviours.ts";

const asked = {parcelId: "R-100-1", state: "TX", county: brazos.key};
/** The times of the budget, divided by 20. */
const limits = {connectMs: 100, headersMs: 250, betweenChunksMs: 150};
const times = {limits, totalMs: 400, callMs: 250};

let fake: FakeArcgis;
beforeAll(async () => {
  fake = await startFakeArcgis(inventedRows());
});
afterAll(() => fake.close());

const unread = {kind: "failed", status: "unavailable", reason: "full", unread: true} as const;

type Refused = {type: string; error: string; lookup: {origin: string; cadastreStatus: string}};

/** Asks a county that misbehaves, with new guards. */
async function askHostile({does}: Hostile, given: CountyOptions = {}) {
  fake.misbehave = does;
  const {ask, store, close} = countyAsker([layerEntry(fake.url)], given);
  const single = (await ask("parcel", asked)).json as unknown as Refused;
  await close();
  return {single, discoveries: store.discoveries};
}

describe("C1: a hostile county", () => {
  it.each(transportFaults)("is not taken for an empty one when it $name", async (hostile) => {
    const {single, discoveries} = await askHostile(hostile, times);
    expect(single.type).toBe("/problems/cadastre-unavailable");
    expect(["unavailable", "timeout"]).toContain(single.lookup.cadastreStatus);
    expect(discoveries).toEqual([]);
  });

  it.each(bodyFaults)("is not taken for an empty one when it sends $name", async (hostile) => {
    const {single, discoveries} = await askHostile(hostile);
    expect(single.type).toBe("/problems/cadastre-unavailable");
    expect(["unavailable", "rejected"]).toContain(single.lookup.cadastreStatus);
    expect(discoveries).toEqual([]);
  });

  it.each(meaningFaults({rows: inventedRows()}))("is refused when it sends $name", async (hostile) => {
    const {single, discoveries} = await askHostile(hostile);
    expect(single.lookup.cadastreStatus).toBe("rejected");
    expect(single.type).toBe("/problems/cadastre-unavailable");
    expect(discoveries).toEqual([]);
  });

  it("S6: changes no prototype, and takes no foreign key into a row", async () => {
    const page = `{"spatialReference":{"wkid":4326},"features":[{"attributes":{"__proto__":{"polluted":true},"constructor":"x","APN":"R-100-1"},"geometry":{"rings":[[[-96.35,30.65],[-96.35,30.651],[-96.349,30.651],[-96.349,30.65],[-96.35,30.65]]]}}]}`;
    fake.misbehave = (response, {isQuery}) => isQuery && response.end(page) !== undefined;
    const {ask, store, close} = countyAsker([layerEntry(fake.url)]);
    expect((await ask("parcel", asked)).json.property.parcelUid).toBe("48041-R-100-1");
    await close();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(store.discoveries[0]!.upsert.raw).toEqual({APN: "R-100-1"});
  });

  it("takes control characters out of texts, keeps them in what the county sent, and leaves markup as the text it is", async () => {
    const [row] = inventedRows();
    fake.misbehave = null;
    const before = fake.rows;
    fake.rows = [
      {...row!, attributes: {...row!.attributes, LEGAL_DESC: "LOT 1\u0000\nBLK <script>2</script>"}},
    ];
    const {ask, store, close} = countyAsker([layerEntry(fake.url)]);
    const {json} = await ask("parcel", asked);
    await close();
    fake.rows = before;
    expect(json.property.legalDesc).toBe("LOT 1 \nBLK <script>2</script>");
    expect(store.discoveries[0]!.upsert.raw).toMatchObject({
      LEGAL_DESC: "LOT 1\u0000\nBLK <script>2</script>",
    });
  });

  it("leaves a search with the rows of the dataset, and says so", async () => {
    fake.misbehave = (response) => response.writeHead(500).end() !== undefined;
    const {ask, close} = countyAsker([layerEntry(fake.url)]);
    const {ok, json} = await ask("near", {latitude: "30.6502", longitude: "-96.3498"});
    await close();
    expect(ok).toBe(true);
    expect(json.properties).toEqual([]);
    expect(json.metadata.lookup).toEqual({origin: "dataset", cadastreStatus: "unavailable"});
    expect(json.metadata.limitations).toContain(P.P10);
  });
});

describe("C3: the client as a deployment runs it", () => {
  it("connects to no loopback address, never without TLS, and takes no proxy from the environment", async () => {
    fake.misbehave = null;
    const before = fake.asked.length;
    process.env["HTTPS_PROXY"] = process.env["https_proxy"] = new URL(fake.url).origin;
    const upstream = createUpstream({userAgent: "test"});
    for (const url of [fake.url, fake.url.replace("http:", "https:"), "https://localhost/rest/0"]) {
      const {ask, close} = countyAsker([layerEntry(url)], {...times, upstream});
      const {lookup} = (await ask("parcel", asked)).json as unknown as Refused;
      expect(["rejected", "unavailable"]).toContain(lookup.cadastreStatus);
      if (url.includes("localhost")) await close();
    }
    delete process.env["HTTPS_PROXY"];
    delete process.env["https_proxy"];
    expect(fake.asked).toHaveLength(before);
  });
});

describe("C2: what counts against a county", () => {
  it.each([
    ["counts a refused answer", {kind: "failed", status: "rejected", reason: "nonsense"}, "paused"],
    ["does not count an answer that was not read for want of room", unread, "unavailable"],
  ] as const)("%s", async (_, result, after) => {
    fake.misbehave = null;
    const own = createAnswerReader();
    const reader: CountyReader = {
      read: (kind, task, turn) => (kind === "layer" ? own.read(kind, task, turn) : Promise.resolve(result)),
      close: () => own.close(),
    };
    const {ask, close} = countyAsker([layerEntry(fake.url)], {reader, clock: () => 0});
    for (let i = 0; i < 6; i++) await ask("parcel", {...asked, parcelId: `A-${i}`});
    const {json} = await ask("parcel", asked);
    await close();
    expect(json).toMatchObject({lookup: {cadastreStatus: after}});
  });

  it("is refused when its metadata have more than 2,000 fields", async () => {
    fake.misbehave = null;
    fake.metadata = {
      fields: Array.from({length: 19_000}, (_, i) => ({name: `F${i}`, type: "esriFieldTypeString"})),
    };
    const {ask, close} = countyAsker([layerEntry(fake.url)]);
    const {json} = await ask("parcel", asked);
    await close();
    fake.metadata = {};
    expect(json).toMatchObject({lookup: {cadastreStatus: "rejected"}});
  });
});

describe("C1: a dead county among others", () => {
  it("rests after five failures without another question to it, and harms no other county", async () => {
    const dead = await startFakeArcgis(inventedRows());
    const held: ServerResponse[] = [];
    dead.misbehave = (response) => held.push(response) > 0;
    fake.misbehave = null;
    let clock = 0;
    const entries = [layerEntry(dead.url, {county: "48043"}), layerEntry(fake.url)];
    const {ask, store, close} = countyAsker(entries, {clock: () => clock});
    const deadOnes = ["A1", "A2", "A3", "A4", "A5"].map((parcelId) =>
      ask("parcel", {parcelId, state: "TX", county: "48043"}),
    );
    expect((await ask("parcel", asked)).json.property.parcelUid).toBe("48041-R-100-1");
    const fail = (response: ServerResponse) => response.writeHead(500).end();
    dead.misbehave = (response) => fail(response) !== undefined;
    for (const response of held) fail(response);
    await Promise.all(deadOnes);
    // The metadata of the layer took one call: after four more questions five calls have failed.
    for (const parcelId of ["B1", "B2", "B3", "B4"])
      await ask("parcel", {parcelId, state: "TX", county: "48043"});
    const before = dead.asked.length;
    const {json} = await ask("parcel", {parcelId: "C1", state: "TX", county: "48043"});
    expect(json).toMatchObject({type: "/problems/cadastre-unavailable", lookup: {cadastreStatus: "paused"}});
    expect(dead.asked).toHaveLength(before);
    expect((await ask("parcel", {...asked, parcelId: "R-100-2"})).json.property.parcelUid).toBe(
      "48041-R-100-2",
    );
    dead.misbehave = null;
    clock = 31_000;
    dead.rows = inventedRows().map((row) => ({...row, west: -103.3, south: 29.8}));
    expect((await ask("parcel", {...asked, county: "48043"})).json.property.parcelUid).toBe("48043-R-100-1");
    expect(store.discoveries).toHaveLength(3);
    await close();
    await dead.close();
  });
});
