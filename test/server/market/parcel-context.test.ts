import {afterAll, beforeAll, expect, it} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {BarnAnswer} from "../../../schemas/market-answer.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {sampleBuild} from "../../sample-build.ts";
import {type TestServer, testKey, testServer} from "../server-fixture.ts";

const marketOnly = testKey({id: "key-market", scopes: ["market"]});
let server: TestServer;

beforeAll(async () => {
  const {dir} = await sampleBuild("2026-11-21");
  const generation = await openGeneration(dir, {openState: openStateArtifacts, depth: "sizes"});
  server = await testServer({generation: () => generation, records: [marketOnly.record]});
});
afterAll(() => server.close());

it("tells the parcel that a yard lies in, with its source and without its owner", async () => {
  const answer = BarnAnswer.parse((await server.get("/barns?venue=crooked")).json());
  const [barn] = answer.records;
  expect(barn!["location_basis"]).toBe("yard");
  const {provenance, ...parcel} = barn!["parcel_context"]!;
  // The lot of row 2, column 3 of `pipeline/market/samples/lots.ts`: a quarter-mile square of ranch land.
  expect(parcel).toEqual({
    parcel_uid: "48143-R000990018",
    parcel_id: "R000990018",
    acres: 40,
    land_use_code: "D1",
    land_use_description: null,
    land_use_category: "agriculture",
    source_id: "open-map-parcel-context",
  });
  expect(provenance.default.source).toBe("us-tx-stratmap");
  expect(Object.keys(provenance.fields).filter((name) => /owner|mail/i.test(name))).toEqual([]);
  expect(answer.sources).toContain("open-map-parcel-context");
  expect(answer.query.resolution).not.toHaveProperty("parcel_context");
});

it("tells none of a barn whose point is its town's", async () => {
  const {records} = (await server.get("/barns?state=AZ")).json();
  expect(records.map(({location_basis, parcel_context}) => [location_basis, parcel_context])).toEqual(
    records.map(() => ["city_centroid", null]),
  );
});

it("leaves it out for a key that opens no parcels, says so, and answers such a key with a tag of its own", async () => {
  const path = "/barns?venue=crooked";
  const withheld = await server.get(path, {headers: {"X-API-Key": marketOnly.key}});
  expect(withheld.json().records[0]!["parcel_context"]).toBeNull();
  expect(withheld.json()["query"]).toMatchObject({
    resolution: {parcel_context: "left out: the key has no scope `parcel`"},
  });
  expect(withheld.headers.etag).not.toBe((await server.get(path)).headers.etag);
});
