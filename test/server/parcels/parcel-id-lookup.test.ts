import {beforeAll, describe, expect, it} from "vitest";
import {parcelLimitations} from "../../../lib/parcels/record/parcel-limitations.ts";
import {answerLimitations} from "../../../server/parcels/coverage-words.ts";
import {casesOf} from "../../cases-of.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

let ask: ReturnType<typeof asker>;

beforeAll(async () => {
  const root = temporaryFolder();
  const az = await writeState(root, "AZ", {
    parcels: [
      {county: "04013", id: "401-55-001", lon: -112.1, lat: 33.4},
      {county: "04013", id: "401-55-001A", lon: -112.2, lat: 33.5},
      {county: "04015", id: "999-1"},
    ],
  });
  const tx = await writeState(root, "TX", {
    parcels: [
      {county: "48453", id: "0241101058", alt: ["241101058"], lon: -97.7, lat: 30.3},
      {county: "48491", id: "053-3537000140", alt: ["3537000140"]},
      {county: "48491", id: "0783994433"},
      {county: "48491", id: "999-1"},
      {county: "48491", id: "101_1"},
    ],
  });
  const wi = await writeState(root, "WI", {
    parcels: [
      {county: "55137", id: "143-6"},
      {county: "55137", id: "14-36"},
      {county: "55139", id: "1N130CB00200"},
    ],
  });
  const mb = await writeState(root, "MB", {parcels: [{county: "MB601", id: "54500.000", alt: ["54500"]}]});
  ask = asker(generationOfStates([az, tx, wi, mb]));
});

const match = async (values: Record<string, string>) => {
  const {ok, json} = await ask("parcel", values);
  return ok ? [json.property.parcelUid, json.property.match?.type, json.property.match?.score] : json.type;
};

describe("parcel-id lookup", () => {
  it.each(casesOf<[string, Record<string, string>, [string, string, number]]>("parcel-id-lookup.txt"))(
    "%s",
    async (_, values, expected) => {
      expect(await match(values)).toEqual(expected);
    },
  );

  it("P19 is said of a number that is not printed so, P20 of an answer of an old build", async () => {
    const said = async (parcelId: string) => (await ask("parcel", {parcelId})).json.metadata.limitations;
    expect(await said("40155001")).toContain(parcelLimitations.P19);
    expect(await said("401-55-001")).not.toContain(parcelLimitations.P19);
    const generation = {manifest: {states: {}}, sample: false};
    const of = (oldBuild: boolean) => answerLimitations({generation, oldBuild} as never, [], []);
    expect([of(true), of(false)].map((each) => each.includes(parcelLimitations.P20))).toEqual([true, false]);
  });

  it("I03: keeps a suffix letter apart", async () => {
    expect(await match({parcelId: "401-55-001A"})).toEqual(["04013-401-55-001A", "exact", 1]);
  });

  it("a number cut at other places than the stored one is another parcel", async () => {
    expect(await match({parcelId: "0533-537-000140", county: "48491"})).toBe("/problems/parcel-not-covered");
  });

  it("I06: leaves two parcels of one std form to the caller, without their owners", async () => {
    const {json} = await ask("parcel", {parcelId: "1436"});
    expect(json).toMatchObject({
      type: "/problems/ambiguous-parcel",
      status: 400,
      detail: "2 parcels match. Add county, or use the FIPS-APN form.",
      candidateTotal: 2,
    });
    expect(json.candidates).toEqual([
      {
        parcelUid: "55137-14-36",
        parcelId: "14-36",
        county: "COUNTY 55137",
        state: "WI",
        match: {type: "normalized", score: 0.95},
      },
      {
        parcelUid: "55137-143-6",
        parcelId: "143-6",
        county: "COUNTY 55137",
        state: "WI",
        match: {type: "normalized", score: 0.95},
      },
    ]);
  });

  it("shows the candidates beyond the first ten by limit and offset", async () => {
    const wi = await writeState(temporaryFolder(), "WI", {
      parcels: Array.from({length: 14}, (_, i) => ({county: `551${10 + i}`, id: "77-7"})),
    });
    const askMany = asker(generationOfStates([wi]));
    const counties = async (values: Record<string, string>) => {
      const {json} = await askMany("parcel", {parcelId: "77-7", ...values});
      const {candidates, candidateTotal} = json as unknown as {
        candidates: {county: string}[];
        candidateTotal: number;
      };
      return [candidateTotal, candidates.length, candidates[0]?.county];
    };
    expect(await counties({})).toEqual([14, 10, "COUNTY 55110"]);
    expect(await counties({offset: "10"})).toEqual([14, 4, "COUNTY 55120"]);
    expect(await counties({limit: "100"})).toEqual([14, 14, "COUNTY 55110"]);
  });

  it("I30: one number in two counties is ambiguous until state or county narrows it", async () => {
    expect((await ask("parcel", {parcelId: "999-1"})).json.candidateTotal).toBe(2);
    expect(await match({parcelId: "999-1", state: "az"})).toEqual(["04015-999-1", "exact", 1]);
    expect(await match({parcelId: "999-1", county: "48491"})).toEqual(["48491-999-1", "exact", 1]);
    expect(await match({parcelId: "999-1", county: "Williamson County"})).toEqual([
      "48491-999-1",
      "exact",
      1,
    ]);
    expect(await match({parcelId: "999-1", county: "491", state: "TX"})).toEqual(["48491-999-1", "exact", 1]);
  });

  it("answers a miss with 404 and what is covered, and repeats the number in the echo alone", async () => {
    const {json} = await ask("parcel", {parcelId: "04013-999-99-999"});
    expect(json).toMatchObject({
      type: "/problems/parcel-not-covered",
      status: 404,
      query: {
        applied: {parcelId: "04013-999-99-999"},
        ignored: [],
        resolution: {countyKey: "04013", tok: "999-99-999"},
      },
      coverage: [{state: "AZ", county: "COUNTY 04013", countyKey: "04013", status: "live"}],
      lookup: {origin: "dataset", cadastreStatus: "unsupported"},
    });
    expect(json.limitations[0]).toMatch(/^Parcel data is public centroid/);
    expect(json.error).toBe(json.detail);
    expect(json.detail).not.toContain("999");
  });
});
