import {cpSync} from "node:fs";
import {rm} from "node:fs/promises";
import {afterEach, beforeAll, beforeEach, describe, expect, it} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import {rollback} from "../../pipeline/publish/publish.ts";
import type {RunningServer} from "../../server/commands/start.ts";
import type {Discovery} from "../../server/delta/delta-view.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {ask, type DeltaWorkshop, deltaWorkshop, rollNumbers, until} from "./delta-workshop.ts";
import {discoveryOf, layerId} from "./fake-county.ts";

const lookups = "/public/land-agent/property";
const byId = `${lookups}/parcel-id-lookup?state=TX&county=Travis&parcelId=`;
const elm = {
  id: "777-B",
  alt: ["R9000"],
  situs: "12 ELM ST, AUSTIN 78701",
  owner: "QUISTAD JUNE R",
  lon: -97.7,
  lat: 30.3,
};

let shop: DeltaWorkshop;
let county: {up: boolean; asked: number; parcels: Map<string, Discovery>};
let running: RunningServer[];
const template = temporaryFolder();
let key: string;
beforeAll(async () => {
  const first = deltaWorkshop(template, {up: true, asked: 0, parcels: new Map()});
  first.roll(rollNumbers(40));
  await build(first.options());
  key = first.key;
});
beforeEach(() => {
  const parcels = new Map([["777-B", discoveryOf(elm)]]);
  county = {up: true, asked: 0, parcels};
  const root = temporaryFolder();
  cpSync(template, root, {recursive: true, verbatimSymlinks: true});
  shop = deltaWorkshop(root, county, key);
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.stop();
});

async function start(): Promise<RunningServer> {
  const server = await shop.start();
  running.push(server);
  return server;
}

const origin = async (server: RunningServer, id: string) => {
  const {body} = await ask(shop, server, byId + id);
  return body.metadata?.lookup.origin;
};

describe("a parcel that the dataset lacks", () => {
  it("comes from the county, then from the delta in every process with the county down, then from the build", async () => {
    const [one, two] = [await start(), await start()];
    const before = await ask(shop, one, `${byId}100-A`);
    const first = await ask(shop, one, `${byId}777-B`);
    expect(first.body.metadata?.lookup).toEqual({
      origin: "cadastre",
      cadastreStatus: "found",
      persisted: true,
      sourceAdded: true,
    });
    county.up = false;
    const again = await ask(shop, one, `${byId}777-B`);
    expect(again.body.metadata).toMatchObject({
      lookup: {origin: "delta", cadastreStatus: "not_asked"},
      sources: [{id: layerId, name: "County layer", vintage: "2026-11-01"}],
    });
    expect(Date.parse(again.body.metadata!.generatedAt)).toBeGreaterThan(Date.parse("2026-11-21T04:00:00Z"));
    expect((await ask(shop, one, `${byId}100-A`)).etag).not.toBe(before.etag);
    await until(async () => (await origin(two, "777-B")) === "delta");
    expect(await build(shop.options())).toMatchObject({outcome: "published", heldBack: []});
    await until(async () => (await origin(one, "777-B")) === "dataset");
    await until(async () => (await origin(two, "777-B")) === "dataset");
    const {body} = await ask(shop, two, `${byId}777-B`);
    expect(body.property).toMatchObject({
      ownerName: "QUISTAD JUNE R",
      provenance: {default: {source: layerId, vintage: "2026-11-01", retrievedAt: "2026-11-20T10:00:00Z"}},
    });
    expect(county.asked).toBe(1);
  });

  it("is found by all four lookups as soon as it is stored", async () => {
    const server = await start();
    await ask(shop, server, `${byId}777-B`);
    county.up = false;
    for (const path of [
      "parcel-id-lookup?parcelId=777b&state=TX",
      "parcel-id-lookup?parcelId=R9000&state=TX",
      "address-lookup?address=12+Elm+St&state=TX",
      "address-lookup?address=12+Elmm+St,+Austin,+TX",
    ]) {
      const {body} = await ask(shop, server, `${lookups}/${path}`);
      expect([path, body.property?.parcelUid]).toEqual([path, "48453-777-B"]);
    }
    for (const path of [
      "location-search?latitude=30.3001&longitude=-97.7&radius=0.1",
      "owner-search?owner=Quistad+June&state=TX",
      "owner-search?lastName=quistad&firstName=ju",
    ]) {
      const {body} = await ask(shop, server, `${lookups}/${path}`);
      expect([path, body.metadata?.total, body.metadata?.lookup.origin]).toEqual([path, 1, "delta"]);
    }
  });

  it("is found after a restart, and after its build was rolled back", async () => {
    const one = await start();
    await ask(shop, one, `${byId}777-B`);
    county.up = false;
    await running.pop()!.stop();
    const two = await start();
    expect(await origin(two, "777-B")).toBe("delta");
    const {buildId} = await build(shop.options());
    await until(async () => (await origin(two, "777-B")) === "dataset");
    await rollback(shop.data);
    await until(async () => (await origin(two, "777-B")) === "delta");
    await rollback(shop.data, buildId);
    await until(async () => (await origin(two, "777-B")) === "dataset");
  });

  it("is answered though it cannot be stored, and the service says that it is degraded", async () => {
    const server = await start();
    await rm(shop.data.delta, {recursive: true});
    const {status, body} = await ask(shop, server, `${byId}777-B`);
    expect([status, body.metadata?.lookup.persisted]).toEqual([200, false]);
    expect((await ask(shop, server, "/readyz")).body).toMatchObject({
      status: "degraded",
      reasons: ["delta_not_writable"],
    });
  });
});

describe("a found parcel that the dataset has too", () => {
  it("takes the place of its row, keeps its key, and each fact comes from the newer side", async () => {
    const server = await start();
    county.parcels.set("999-X", discoveryOf({...elm, id: "999-X", alt: ["100-A"], owner: "NORDQUIST OLE"}));
    await ask(shop, server, `${byId}999-X`);
    const check = async (from: string) => {
      const {body} = await ask(shop, server, `${byId}100-A`);
      expect(body.metadata?.lookup.origin).toBe(from);
      expect(body.property).toMatchObject({
        parcelUid: "48453-100-A",
        ownerName: "NORDQUIST OLE",
        totalMarketValue: 1000,
      });
      const {fields, default: usual} = body.property!.provenance;
      const sourceOf = (name: string) => fields[name]?.source ?? usual.source;
      expect([sourceOf("ownerName"), sourceOf("totalMarketValue")]).toEqual([layerId, "us-tx-invented"]);
    };
    await check("delta");
    const old = await ask(shop, server, `${lookups}/owner-search?owner=Harlow+Dale&state=TX`);
    expect(old.body.metadata?.total).toBe(39);
    await build(shop.options());
    await until(async () => (await origin(server, "100-A")) === "dataset");
    await check("dataset");
  });
});
