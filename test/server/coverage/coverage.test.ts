import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {CoverageAnswer} from "../../../schemas/coverage-answer.ts";
import {coverage} from "../../../server/coverage/coverage.ts";
import {openMarketArtifacts} from "../../../server/market/artifacts.ts";
import {describeAnswer} from "../../../server/text/describe-answer.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {writeMarketFixture} from "../market/market-fixture.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";
import {writeState} from "../parcels/state-fixture.ts";
import {type TestServer, testKey, testServer} from "../server-fixture.ts";

const parcelsOnly = testKey({id: "parcels", scopes: ["parcel"]});
let server: TestServer;

beforeAll(async () => {
  const root = temporaryFolder();
  const tx = await writeState(root, "TX", {
    parcels: [
      {county: "48453", id: "1", owner: "HARLOW DALE"},
      {county: "48491", id: "2"},
    ],
  });
  tx.part.coverage = "partial";
  Object.assign(tx.part.counties[0]!, {complete: false, fill: {owner_name: 1}});
  const market = temporaryFolder();
  await writeMarketFixture(market);
  const generation = generationOfStates([tx], {market: openMarketArtifacts(market)});
  const terms = {store: true, redistributeOwners: false, bulk: true};
  Object.assign(generation.manifest, {
    as_of_date: "2026-11-21",
    market: {rows: {barns: 3}, sources: [{id: "mars", source_date: "2026-11-18", retrieved_at: null}]},
    gates: [
      {part: "TX", gate: "G1", status: "warn", figure: 0.4, warn_at: 0.2, fail_at: 0.5, detail: "fewer rows"},
      {part: "TX", gate: "G2", status: "pass", figure: 0, warn_at: 0.2, fail_at: 0.5, detail: null},
    ],
    sources: [
      {
        id: "mars",
        name: "Market news",
        licence: "public domain",
        attribution: null,
        retrieved_at: null,
        parts: ["MARKET"],
      },
      {
        id: "us-zz-invented",
        name: "Invented",
        licence: null,
        attribution: "The county",
        terms,
        retrieved_at: null,
        parts: ["TX"],
      },
      {id: "us-ok", name: "Elsewhere", licence: null, attribution: null, retrieved_at: null, parts: ["OK"]},
    ],
  });
  server = await testServer({
    endpoints: [coverage],
    generation: () => generation,
    records: [parcelsOnly.record],
  });
});
afterAll(() => server.close());

const ask = async (path: string) => {
  const {status, text} = await server.get(path);
  expect(status, text).toBe(200);
  return {answer: CoverageAnswer.parse(JSON.parse(text)), body: text};
};

describe("GET /coverage", () => {
  it("tells every state with its parcels, counties and market, and says it in words", async () => {
    const {answer} = await ask("/coverage");
    const of = (state: string) => answer.states.find((each) => each.state === state)!;
    expect(of("TX")).toMatchObject({
      status: "partial",
      parcels: 2,
      counties: {with_parcels: 2, live: 1, total: 254},
      vintage: "2025",
      sources: ["us-zz-invented"],
      sentence: expect.stringMatching(
        /^Texas: 2 parcels in 2 of 254 counties, from extracts; 1 whole; \d+ sale barns, prices of \d+ counties\.$/,
      ),
    });
    expect(of("MT")).toMatchObject({
      status: "planned",
      parcels: 0,
      counties: {with_parcels: 0, live: 0, total: 56},
    });
    expect(answer.states.some(({barns}) => barns > 0)).toBe(true);
    expect(answer.states.some(({priced_counties: priced}) => priced > 0)).toBe(true);
    expect(answer.counties).toBeUndefined();
    expect(answer.market).toEqual({rows: {barns: 3}, newest: "2026-11-18"});
  });

  it("tells sources with age and terms, and the gates that did not simply pass", async () => {
    const {answer} = await ask("/coverage");
    expect(answer.sources.map(({id, newest, age_days: age}) => [id, newest, age])).toEqual([
      ["mars", "2026-11-18", 3],
      ["us-zz-invented", "2025", null],
      ["us-ok", null, null],
    ]);
    expect(answer.sources[1]!.terms).toMatchObject({redistributeOwners: false});
    expect(answer.gates.map(({gate}) => gate)).toEqual(["G1"]);
    expect(answer.limitations[0]).toMatch(/^Parcel data is public centroid/);
  });

  it("with a state has its counties, and the sources of it and of the market", async () => {
    const {answer, body} = await ask("/coverage?state=tx");
    expect(answer.states.map(({state}) => state)).toEqual(["TX"]);
    expect(answer.counties).toMatchObject([
      {county_key: "48453", status: "partial", parcels: 1, attributes: {owner_name: 1}},
      {county_key: "48491", status: "live", parcels: 1},
    ]);
    expect(answer.sources.map(({id}) => id)).toEqual(["mars", "us-zz-invented"]);
    const {headline, tables, notes} = describeAnswer("/coverage", {ok: true, body});
    expect(headline[0]).toMatch(/^Texas: /);
    expect(tables.map(({rows}) => rows.length)).toEqual([2, 2]);
    expect(notes).toContainEqual(["Gate: warn", "TX G1 fewer rows"]);
  });

  it("answers a state without anything, and refuses what is none", async () => {
    expect((await ask("/coverage?state=MT")).answer).toMatchObject({counties: [], states: [{parcels: 0}]});
    const wrong = await server.get("/coverage?state=ZZ");
    expect([wrong.status, wrong.json().invalid_params[0]!.name]).toEqual([400, "state"]);
  });

  it("takes any valid key in either header, and none else", async () => {
    const status = async (headers: Record<string, string>) =>
      (await server.get("/coverage", {headers})).status;
    expect(await status({"X-API-Key": parcelsOnly.key})).toBe(200);
    expect(await status({Authorization: `Bearer ${parcelsOnly.key}`})).toBe(200);
    expect(await status({})).toBe(403);
    expect(await status({Authorization: "Bearer nonsense"})).toBe(403);
  });
});
