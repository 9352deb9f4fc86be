import {Validator} from "@seriousme/openapi-schema-validator";
import {beforeAll, describe, expect, it} from "vitest";
import type {Generation} from "../../../server/generation/generation.ts";
import {openApiDocument} from "../../../server/http/openapi.ts";
import {parcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {testServer} from "../server-fixture.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

let ask: ReturnType<typeof asker>;
let generation: Generation;

beforeAll(async () => {
  const tx = await writeState(temporaryFolder(), "TX", {
    parcels: [{county: "48453", id: "1", lon: -97.7, lat: 30.3}],
  });
  generation = generationOfStates([tx]);
  ask = asker(generation);
});

const point = {latitude: "30.3", longitude: "-97.7"};

describe("wrong parameters are 400 with the name of the parameter", () => {
  it.each<[string, "address" | "parcel" | "near" | "owner", Record<string, string>, string]>([
    ["no address", "address", {}, "address"],
    ["a long address", "address", {address: "1 MAIN ST".padEnd(301, "X"), state: "TX"}, "address"],
    ["a control character", "address", {address: "1 MAIN\u0000 ST", state: "TX"}, "address"],
    ["an address encoded twice", "address", {address: "1%20MAIN%20ST", state: "TX"}, "address"],
    ["an owner encoded twice", "owner", {owner: "HARLOW%20DALE", state: "TX"}, "owner"],
    ["a state that is none", "address", {address: "1 MAIN ST", state: "XX"}, "state"],
    ["a state by name", "address", {address: "1 MAIN ST", state: "Texas"}, "state"],
    ["a ZIP of four digits", "address", {address: "1 MAIN ST", zipCode: "7873"}, "zipCode"],
    ["a county that is none", "address", {address: "1 MAIN ST", state: "TX", county: "Nowhere"}, "county"],
    ["three county digits without a state", "parcel", {parcelId: "1", county: "453"}, "county"],
    ["no parcel number", "parcel", {}, "parcelId"],
    ["a parcel number without letter or digit", "parcel", {parcelId: "-- ."}, "parcelId"],
    ["no longitude", "near", {latitude: "30"}, "longitude"],
    ["a latitude beyond the pole", "near", {...point, latitude: "90.1"}, "latitude"],
    ["a longitude with an exponent", "near", {...point, longitude: "1e2"}, "longitude"],
    ["a hexadecimal latitude", "near", {...point, latitude: "0x10"}, "latitude"],
    ["a radius above the maximum", "near", {...point, radius: "2.1"}, "radius"],
    ["a negative radius", "near", {...point, radius: "-1"}, "radius"],
    ["a category that is none", "near", {...point, use: "agriculture,desert"}, "use"],
    ["an empty category in a list", "near", {...point, use: "agriculture,"}, "use"],
    ["a limit of nothing", "near", {...point, limit: "0"}, "limit"],
    ["a limit with a fraction", "near", {...point, limit: "1.5"}, "limit"],
    ["a negative offset", "near", {...point, offset: "-1"}, "offset"],
    ["a page too far back", "near", {...point, offset: "9991"}, "offset"],
    ["residential of another word", "near", {...point, residential: "maybe"}, "residential"],
    [
      "includeUnassignedAddress of another word",
      "near",
      {...point, includeUnassignedAddress: "1"},
      "includeUnassignedAddress",
    ],
    ["no owner", "owner", {state: "TX"}, "owner"],
    ["two kinds of owner", "owner", {owner: "harlow", lastName: "harlow"}, "lastName"],
    ["a first name alone", "owner", {owner: "harlow", firstName: "dale"}, "firstName"],
    ["stop words alone", "owner", {owner: "the LLC of"}, "owner"],
    ["a single letter", "owner", {nameContains: "h"}, "nameContains"],
    ["marks alone", "owner", {lastName: "& /"}, "lastName"],
  ])("%s", async (_, kind, values, name) => {
    const {ok, json} = await ask(kind, values);
    expect([ok, json.type, json.invalid_params?.[0]?.name]).toEqual([
      false,
      "/problems/invalid-parameter",
      name,
    ]);
    expect(json.error).toBe(json.detail);
  });

  it("lists the seven categories for a word that is none", async () => {
    const {json} = await ask("near", {...point, use: "farm"});
    expect(json.invalid_params[0]?.allowed).toHaveLength(7);
  });

  it("never repeats an owner, address, parcel number or coordinate", async () => {
    const replies = await Promise.all([
      ask("address", {address: "SECRET\u0001", state: "TX"}),
      ask("parcel", {parcelId: "SECRET".padEnd(201, "X")}),
      ask("near", {latitude: "SECRET", longitude: "SECRET"}),
      ask("owner", {owner: "SECRET\u0001"}),
    ]);
    for (const {ok, body} of replies) expect([ok, body.includes("SECRET")]).toEqual([false, false]);
  });

  it("takes values at their bounds", async () => {
    expect((await ask("near", {...point, radius: "2", limit: "1", offset: "9999"})).ok).toBe(true);
    expect((await ask("near", {latitude: "-90", longitude: "180", radius: "0"})).ok).toBe(true);
  });
});

describe("parameters of the parcel endpoints", () => {
  const path = "/public/land-agent/property/parcel-id-lookup";

  it("are trimmed, absent when empty, and ignored and listed when their name is another or in other letters", async () => {
    const {json} = await ask("parcel", {parcelId: " 1 ", county: " ", State: "ZZ", zebra: "1"});
    const {applied, ignored} = json.metadata.query;
    expect([applied, ignored]).toEqual([{parcelId: "1"}, ["State", "zebra"]]);
  });

  it("reduce a limit above 100 and say so", async () => {
    const {json} = await ask("owner", {owner: "harlow", limit: "500"});
    expect([json.metadata.limit, json.metadata.limitations.some((text) => text.includes("maximum"))]).toEqual(
      [100, true],
    );
  });

  it("are 400 when they come twice, and the same with and without a slash at the end of the path", async () => {
    const server = await testServer({endpoints: parcelEndpoints, generation: () => generation});
    const [twice, plain, slash] = await Promise.all(
      [`${path}?parcelId=1&parcelId=2`, `${path}?parcelId=1`, `${path}/?parcelId=1`].map((each) =>
        server.get(each),
      ),
    );
    await server.close();
    expect([twice!.status, twice!.json().invalid_params[0]?.name]).toEqual([400, "parcelId"]);
    expect([plain!.status, slash!.text]).toEqual([200, plain!.text]);
  });
});

describe("the OpenAPI document of the parcel endpoints", () => {
  it("S12: is valid, names the contract's paths, and asks for either header", async () => {
    const document = JSON.parse(JSON.stringify(openApiDocument(parcelEndpoints)));
    expect((await new Validator().validate(structuredClone(document))).errors ?? []).toEqual([]);
    expect(Object.keys(document.paths)).toEqual(
      ["address-lookup", "parcel-id-lookup", "location-search", "owner-search"].map(
        (name) => `/public/land-agent/property/${name}`,
      ),
    );
    for (const path of Object.keys(document.paths)) {
      expect(document.paths[path].get.security).toEqual([{apiKey: []}, {authorization: []}]);
    }
    expect(document.components.schemas.PropertyOutput ?? document.components.schemas.Property).toBeDefined();
  });
});
