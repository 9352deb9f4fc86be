import {readFileSync} from "node:fs";
import {join} from "node:path";
import {beforeAll, describe, expect, it} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {type InventedParcel, writeState} from "./state-fixture.ts";

let ask: ReturnType<typeof asker>;

/** Closed square around a point, half a side in degrees. */
function square(lon: number, lat: number, half: number): [number, number][] {
  const [w, s, e, n] = [lon - half, lat - half, lon + half, lat + half];
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
}

const farms: InventedParcel[] = [
  {county: "48453", id: "near", lon: -97.731, lat: 30.351, columns: {land_use_category: "agriculture"}},
  {county: "48453", id: "vector", lon: -97.74, lat: 30.36, columns: {land_use_category: "vacant"}},
  {
    county: "48453",
    id: "house",
    lon: -97.7305,
    lat: 30.3505,
    situs: "12 OAKVALE RD",
    columns: {land_use_category: "residential"},
  },
  {county: "48453", id: "unknown", lon: -97.7306, lat: 30.3506},
  {county: "48453", id: "far", lon: -97.9, lat: 30.35},
  {county: "48453", id: "no-point"},
];

const fields: InventedParcel[] = [
  {county: "48209", id: "big", lon: -98.1, lat: 30, outline: square(-98.1, 30, 0.05), columns: {acres: 9000}},
  {
    county: "48209",
    id: "small",
    lon: -98.11,
    lat: 30.01,
    outline: square(-98.11, 30.01, 0.005),
    columns: {acres: 90},
  },
  {county: "48209", id: "beside", lon: -98.112, lat: 30.02},
];

beforeAll(async () => {
  const root = temporaryFolder();
  const tx = await writeState(root, "TX", {parcels: farms, part: {coverage: "partial"}});
  const ok = await writeState(root, "OK", {parcels: fields});
  ask = asker(generationOfStates([tx, ok]));
});

const near = (values: Record<string, string>) =>
  ask("near", {latitude: "30.35", longitude: "-97.73", ...values});

describe("location search", () => {
  it.each([
    ["30.35", "97.73", true],
    ["-80.2", "25.8", true],
    ["30.35", "-97.73", false],
    ["28", "-90", false],
  ])(
    "P33 is said of a point with an exchanged or unsigned number: %s, %s",
    async (latitude, longitude, is) => {
      const {json} = await near({latitude, longitude});
      expect(json.metadata.limitations.some((each) => each.startsWith("The point is far"))).toBe(is);
    },
  );

  it("narrows and orders by acres, whether a parcel holds the point or not", async () => {
    const found = async (values: Record<string, string>) => {
      const {json} = await near({latitude: "30.0101", longitude: "-98.11", radius: "2", ...values});
      return [
        json.metadata.total,
        json.properties.map(({parcelId, distanceMiles}) => [parcelId, distanceMiles]),
      ];
    };
    const all = (await found({})) as [number, [string, number][]];
    const miles = Object.fromEntries(all[1]);
    expect(all[1].map(([id]) => id)).toEqual(["small", "big", "beside"]);
    expect(await found({sort: "acres"})).toEqual([
      3,
      ["big", "small", "beside"].map((id) => [id, miles[id]]),
    ]);
    expect(await found({sort: "acres", limit: "1", offset: "2"})).toEqual([3, [["beside", miles["beside"]]]]);
    expect(await found({maxAcres: "90"})).toEqual([1, [["small", miles["small"]]]]);
    const refused = await near({sort: "score"});
    expect(refused.json.invalid_params[0]).toMatchObject({
      name: "sort",
      allowed: ["distance", "acres", "value"],
    });
  });

  it("orders by great-circle miles: (30.35,-97.73) to (30.36,-97.74) is 0.913", async () => {
    const {json} = await near({});
    expect(json.properties.map(({parcelId, distanceMiles}) => [parcelId, distanceMiles])).toEqual([
      ["house", 0.046],
      ["unknown", 0.055],
      ["near", 0.091],
      ["vector", 0.913],
    ]);
    expect(json.properties[0]?.match).toEqual({type: "nearest", notes: []});
    expect(json.metadata).toMatchObject({
      limit: 10,
      offset: 0,
      count: 4,
      total: 4,
      nextOffset: null,
      searchCenter: {longitude: -97.73, latitude: 30.35},
      radiusMiles: 1,
      coverage: [{state: "TX", status: "partial", rows: 6, counties: {withParcels: 1, live: 1, total: 254}}],
      lookup: {origin: "dataset", cadastreStatus: "not_asked"},
    });
    expect(json.metadata).not.toHaveProperty("unclassified");
  });

  it("says that boundaries are not loaded, and then not whether a parcel holds the point", async () => {
    const {json} = await near({});
    expect(json.metadata.limitations).toContain("Boundaries are not loaded here; containment is not known.");
    expect(json.metadata.limitations).toContainEqual(
      expect.stringMatching(
        /^Coverage of Texas is partial: [\d,]+ parcels in \d+ of 254 counties, 1 of them complete\.$/,
      ),
    );
    expect(json.properties.some((property) => "containsPoint" in property)).toBe(false);
  });

  it("leaves out what has no category where one is asked for, and counts it", async () => {
    const {json} = await near({use: "Agriculture, vacant"});
    expect(json.properties.map(({parcelId}) => parcelId)).toEqual(["near", "vector"]);
    expect(json.metadata.unclassified).toBe(1);
    expect(json.metadata.query.applied["use"]).toEqual(["agriculture", "vacant"]);
    expect(json.metadata.limitations).toContain(
      "1 parcels without a land use category were left out by the filter.",
    );
    expect((await near({residential: "false"})).json.metadata).toMatchObject({total: 2, unclassified: 1});
    expect((await near({residential: "true"})).json.properties.map(({parcelId}) => parcelId)).toEqual([
      "house",
    ]);
  });

  it("leaves out land without a house number only where that is asked for", async () => {
    const {json} = await near({includeUnassignedAddress: "false"});
    expect(json.properties.map(({parcelId}) => parcelId)).toEqual(["house"]);
  });

  it("gives the same parcels on pages as at once", async () => {
    const pages = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const {json} = await near({limit: "3", offset: String(offset)});
      expect(json.metadata.total).toBe(4);
      pages.push(...json.properties.map(({parcelId}) => parcelId));
      offset = json.metadata.nextOffset;
    }
    expect(pages).toEqual(["house", "unknown", "near", "vector"]);
  });

  it("puts parcels that hold the point first, the smallest before the others, where boundaries are loaded", async () => {
    const {json} = await ask("near", {latitude: "30.0121", longitude: "-98.1121"});
    expect(
      json.properties.map(({parcelId, match, containsPoint}) => [parcelId, match?.type, containsPoint]),
    ).toEqual([
      ["small", "contains_point", true],
      ["big", "contains_point", true],
      ["beside", "nearest", undefined],
    ]);
    const beside = await ask("near", {latitude: "30.0159", longitude: "-98.1121"});
    expect(beside.json.properties.map(({parcelId, containsPoint}) => [parcelId, containsPoint])).toEqual([
      ["big", true],
      ["beside", undefined],
      ["small", false],
    ]);
  });

  it("with radius 0 finds only parcels that hold the point", async () => {
    const inside = await ask("near", {latitude: "30.04", longitude: "-98.06", radius: "0"});
    expect(inside.json.properties.map(({parcelId}) => parcelId)).toEqual(["big"]);
    const without = await near({radius: "0"});
    expect(without.json).toMatchObject({properties: [], metadata: {total: 0, radiusMiles: 0}});
  });

  it("answers a place without parcels with an empty list, and says that the county could not be asked", async () => {
    const {ok, json} = await ask("near", {latitude: "39", longitude: "-98.5"});
    expect([ok, json.properties]).toEqual([true, []]);
    expect(json.metadata).toMatchObject({
      count: 0,
      total: 0,
      nextOffset: null,
      coverage: [{state: "KS", status: "planned"}],
      sources: [],
      lookup: {origin: "dataset", cadastreStatus: "unsupported"},
    });
    expect(json.metadata.limitations).toContain(
      "The county service could not be asked; the answer may be incomplete.",
    );
  });

  it("reduces a limit above the maximum and says so", async () => {
    const {json} = await near({limit: "5000"});
    expect(json.metadata.limit).toBe(100);
    expect(json.metadata.limitations).toContain("Limit reduced to the maximum.");
  });
});

describe("answers that a person can check", () => {
  const lines = readFileSync(join(packageRoot, "test", "cases", "lookups.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  it.each(lines)("%s", async (line) => {
    const [latitude = "", longitude = "", expected] = line.split(/\s+/);
    const {json} = await ask("near", {latitude, longitude});
    expect(json.properties[0]?.parcelUid ?? "none").toBe(expected);
  });
});
