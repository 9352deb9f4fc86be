import {beforeAll, describe, expect, it} from "vitest";
import {endpoints} from "../../../server/routes/routes.ts";
import {built, geojson, invented, rawFiles, row, square} from "../../pipeline/parcels/raw-folder.ts";
import {type TestServer, testServer} from "../server-fixture.ts";
import {asker, type Body, generationOfBuilt} from "./lookup-fixture.ts";

let ask: ReturnType<typeof asker>;
let server: TestServer;

beforeAll(async () => {
  const state = await built(
    await rawFiles({
      "a.geojson": geojson([
        {properties: row("101-A", {SITUS: "100 LORIMAR RD, AUSTIN, TX 78737"}), geometry: square(0, 0)},
        {
          properties: row("102-A", {SITUS: "102 LORIMAR RD", OWNER: "QUISTAD JUNE R"}),
          geometry: square(1, 1),
        },
        {properties: row("00103", {SITUS: "FM 1826"}), geometry: null},
      ]),
    }),
  );
  const generation = generationOfBuilt(state);
  ask = asker(generation, {sources: () => invented()});
  server = await testServer({endpoints, generation: () => generation});
  return () => server.close();
});

describe("the files of a build, looked up", () => {
  it("by address, number and owner, with provenance of the source", async () => {
    const {json} = await ask("address", {address: "100 Lorimar Rd, Austin", state: "TX"});
    expect(json.property).toMatchObject({
      parcelUid: "48453-101-A",
      address: "100 LORIMAR RD",
      county: "TRAVIS",
      ownerName: "HARLOW DALE M",
      acres: 2,
      totalMarketValue: 1000,
      currency: "USD",
      provenance: {default: {source: "us-tx-invented", vintage: "2026", vintageBasis: "roll_year"}},
    });
    expect((await ask("parcel", {parcelId: "103"})).json.property.match).toMatchObject({
      type: "fuzzy",
      score: 0.8,
    });
    expect((await ask("owner", {owner: "June R Quistad"})).json.metadata.total).toBe(1);
  });

  it("by an address that only its town puts into a state", async () => {
    const {json} = await ask("address", {address: "100 Lorimar Rd, Austin"});
    expect(json.property.parcelUid).toBe("48453-101-A");
    expect(json.metadata.query.resolution).toMatchObject({state: "TX", stateFrom: "city"});
  });

  it("by place, with outlines for containment that are never returned", async () => {
    const {json, body} = await ask("near", {latitude: "30.3105", longitude: "-97.7395"});
    expect(json.properties.map(({parcelId, match}) => [parcelId, match?.type])).toEqual([
      ["102-A", "contains_point"],
      ["101-A", "nearest"],
    ]);
    expect(json.metadata.limitations.join(" ")).not.toContain("Boundaries are not loaded");
    expect(body).not.toMatch(/Polygon|geometry/);
  });

  it("over HTTP, with an ETag for what the dataset says and no-store for errors", async () => {
    const path = "/public/land-agent/property/parcel-id-lookup/?parcelId=101-a";
    const first = await server.get(path, {headers: {Authorization: `Bearer ${server.key}`}});
    expect([first.status, first.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
    const {etag = ""} = first.headers;
    const again = await server.get(path, {headers: {Authorization: server.key, "If-None-Match": etag}});
    expect(again.status).toBe(304);
    const missing = await server.get(path.replace("101-a", "999"));
    expect([missing.status, missing.headers["cache-control"]]).toEqual([404, "no-store"]);
    expect((missing.json() as unknown as Body).type).toBe("/problems/parcel-not-covered");
  });
});
