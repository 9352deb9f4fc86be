import {states as allStates} from "@open-cattle/us-address";
import {afterAll, beforeAll, describe, expect, it, test} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {CoverageAnswer} from "../../../schemas/coverage-answer.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import {coverage} from "../../../server/coverage/coverage.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {describeAnswer} from "../../../server/text/describe-answer.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {writeMarketFixture} from "../market/market-fixture.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";
import {partOf, writeState} from "../parcels/state-fixture.ts";
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
        /^Texas: 2 parcels in 2 of 254 counties, from extracts; 1 complete; \d+ sale barns, prices of \d+ counties\.$/,
      ),
    });
    expect(of("MT")).toMatchObject({
      status: "planned",
      parcels: 0,
      counties: {with_parcels: 0, live: 0, total: 56},
      sentence: expect.stringMatching(/^Montana: no parcels yet[;.]/),
    });
    const manitoba = (await ask("/coverage?state=MB")).answer.states;
    expect(manitoba).toMatchObject([{counties: {with_parcels: 0, live: 0, total: null}}]);
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

describe("the coverage of a manifest", () => {
  const county = {
    county_key: "48453",
    county_name: "Travis County",
    rows: 5,
    vintage: "2024",
    sources: ["a"],
  };
  const counties = [
    {...county, complete: true, fill: {acres: 0.5}},
    {...county, county_key: "48491", complete: false, places: ["Round Rock"]},
  ];
  const source = {name: "Invented", licence: null, attribution: null, retrieved_at: null};
  const gate = {gate: "G1", figure: 1, warn_at: 1, fail_at: 2, detail: null};
  const vintages = [null, "2024-03-01", "2025-08-01", "2023", null].map((vintage, i) => ({
    ...{id: ["a", "b"][i % 2]!, vintage, complete: true},
  }));
  const manifest = {
    as_of_date: "2026-11-21",
    market: {
      rows: {},
      sources: ["2026-11-02", null, "2026-11-18"].map((day) => ({id: "b", source_date: day})),
    },
    states: {
      TX: {...partOf([], 0, {}), coverage: "live", rows: 10, counties, sources: vintages},
      MB: {...partOf([], 0, {}), coverage: "partial", country: "CA", rows: 3, counties: [], sources: []},
    },
    gates: (["pass", "skipped", "warn", "fail", "accepted"] as const).flatMap((status) =>
      ["TX", "MARKET"].map((part) => ({...gate, status, part})),
    ),
    sources: [
      {...source, id: "a", parts: ["TX", "MB"], terms: {store: true, redistributeOwners: true, bulk: true}},
      {...source, id: "b", parts: ["MARKET"]},
      {...source, id: "c", parts: ["MB"]},
    ],
  } as unknown as Manifest;
  const answerTo = (query: {state?: string}, changes: object = {}) => {
    const generation = {...generationOfStates([]), manifest, ...changes};
    const call = {generation, query, ignored: ["zebra"], oldBuild: false, ...changes};
    return CoverageAnswer.parse(JSON.parse((coverage.answer(call as never) as {body: string}).body));
  };
  const stateOf = (answer: CoverageAnswer, state: string) =>
    answer.states.find((each) => each.state === state)!;

  test("has each state once, sorted, provinces that the build has among them", () => {
    const answer = answerTo({});
    const names = answer.states.map(({state}) => state);
    expect(names).toEqual([...new Set([...names, "MB"])].sort());
    expect(names.length).toBe(allStates.length + 1);
    expect(stateOf(answer, "MB")).toMatchObject({status: "partial", parcels: 3, sources: [], vintage: null});
    expect(stateOf(answer, "TX")).toMatchObject({status: "live", parcels: 10, vintage: "2025-08-01"});
    expect(stateOf(answer, "MT")).toMatchObject({status: "planned", parcels: 0, sources: [], vintage: null});
    expect(answer.query).toEqual({applied: {}, ignored: ["zebra"]});
    expect(answerTo({state: "TX"}).query.applied).toEqual({state: "TX"});
  });

  test("counts barns, and counties with an observed price, by state; without a market none", async () => {
    const folder = temporaryFolder();
    await writeMarketFixture(folder);
    const answer = answerTo({}, {market: openMarketArtifacts(folder)});
    const countsOf = (state: string) => {
      const {barns, priced_counties: priced, sentence} = stateOf(answer, state);
      expect(sentence).toContain(`${barns} sale barns, prices of ${priced} counties.`);
      return [barns, priced];
    };
    expect(["OK", "KS", "MT"].map(countsOf)).toEqual([
      [2, 2],
      [1, 1],
      [0, 0],
    ]);
    expect(answerTo({}).states.reduce((sum, {barns, priced_counties: n}) => sum + barns + n, 0)).toBe(0);
  });

  test("has the counties of a state alone, whole or in part, with what is known of them", () => {
    expect(answerTo({state: "TX"}).counties).toEqual([
      {
        ...{state: "TX", county_key: "48453", county: "Travis County", status: "live", parcels: 5},
        ...{vintage: "2024", attributes: {acres: 0.5}, sources: ["a"]},
      },
      {
        ...{state: "TX", county_key: "48491", county: "Travis County", status: "partial", parcels: 5},
        ...{vintage: "2024", places: ["Round Rock"], attributes: {}, sources: ["a"]},
      },
    ]);
    expect([answerTo({state: "MT"}).counties, answerTo({}).counties]).toEqual([[], undefined]);
  });

  test("has the newest day of a source in any of its parts, its age where it is a day, and its terms", () => {
    const told = (query: {state?: string}) =>
      answerTo(query).sources.map(({id, newest, age_days: age}) => [id, newest, age]);
    const [a, b, c] = [
      ["a", "2025-08-01", 477],
      ["b", "2026-11-18", 3],
      ["c", null, null],
    ];
    expect(told({})).toEqual([a, b, c]);
    expect(told({state: "TX"})).toEqual([a, b]);
    expect(told({state: "MT"})).toEqual([b]);
    expect(answerTo({}).sources.map((each) => "terms" in each)).toEqual([true, false, false]);
    expect(answerTo({}).market).toEqual({rows: {}, newest: "2026-11-18"});
    expect(answerTo({}, {manifest: {...manifest, market: null}}).market).toBeNull();
  });

  test("tells the gates that did not simply pass, of a state its own", () => {
    const told = (query: {state?: string}) =>
      answerTo(query).gates.map(({status, part}) => `${status} ${part}`);
    const all = ["warn", "fail", "accepted"];
    expect(told({})).toEqual(all.flatMap((status) => [`${status} TX`, `${status} MARKET`]));
    expect(told({state: "TX"})).toEqual(all.map((status) => `${status} TX`));
  });

  test("says where the build is old, or a sample", () => {
    const said = (changes: object) => answerTo({}, changes).limitations;
    expect(said({})).not.toContain(limitations.L11);
    expect(said({oldBuild: true})).toContain(limitations.L11);
    expect(said({generation: {...generationOfStates([]), manifest, sample: true}})[0]).toBe(limitations.L23);
  });
});
