import {beforeAll, describe, expect, it} from "vitest";
import type {ParcelSet, StateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import type {CadastreQuestion, CadastreReply} from "../../../server/parcels/cadastre-port.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

let tx: StateArtifacts;
let county: ParcelSet;
let generation: Generation;

beforeAll(async () => {
  tx = await writeState(temporaryFolder(), "TX", {
    parcels: [{county: "48453", id: "1", lon: -97.7, lat: 30.3, owner: "HARLOW DALE"}],
  });
  const answered = await writeState(temporaryFolder(), "TX", {
    parcels: [
      {county: "48491", id: "77-1", situs: "12 OAKVALE RD", lon: -97.6, lat: 30.6, owner: "QUISTAD RAY"},
    ],
  });
  county = {...answered, origin: "cadastre", record: answered.record};
  generation = generationOfStates([tx]);
});

/** Asks with a county service that gives one reply, and remembers what it was asked. */
function askWith(reply: CadastreReply, changes: Partial<Generation> = {}, hasRoom = true) {
  const asked: CadastreQuestion[] = [];
  const cadastre = {
    hasRoom: () => hasRoom,
    ask: (question: CadastreQuestion) => {
      asked.push(question);
      return Promise.resolve(reply);
    },
  };
  return {ask: asker({...generation, ...changes}, {cadastre}), asked};
}

const found = (kept: number[] = []): CadastreReply => ({
  status: "found",
  set: county,
  async keep(rows) {
    kept.push(...rows);
    return {persisted: true, sourceAdded: true};
  },
});

describe("a miss", () => {
  it.each([
    {hasRoom: true, looks: 1},
    {hasRoom: false, looks: 0},
  ])("O1: looks $looks times for what other processes stored where room is $hasRoom", async (given) => {
    let looks = 0;
    const delta = {
      position: () => "0.0",
      sets: () => [],
      beside: (set: StateArtifacts) => set,
      counties: () => new Map(),
      async catchUp() {
        looks += 1;
        return false;
      },
    };
    const {ask} = askWith({status: "paused"}, {delta}, given.hasRoom);
    const questions = [
      ["parcel", {parcelId: "48491-77-1"}],
      ["near", {latitude: "30.6", longitude: "-97.6", radius: "0.1"}],
      ["owner", {owner: "QUISTAD RAY", state: "TX", county: "Williamson"}],
    ] as const;
    for (const [kind, query] of questions) {
      looks = 0;
      await ask(kind, query);
      expect([kind, looks]).toEqual([kind, given.looks]);
    }
  });

  it("is answered by what the county gave, matched as in the dataset", async () => {
    const {ask, asked} = askWith(found());
    const {json} = await ask("parcel", {parcelId: "48491-77-1"});
    expect(json).toMatchObject({
      property: {parcelUid: "48491-77-1", match: {type: "exact", score: 1}},
      metadata: {lookup: {origin: "cadastre", cadastreStatus: "found", persisted: true, sourceAdded: true}},
    });
    expect(
      json.metadata.limitations.some((sentence) => sentence.startsWith("This answer came from the county")),
    ).toBe(true);
    expect(asked[0]).toMatchObject({kind: "parcel_id", state: "TX", counties: new Set(["48491"])});
  });

  it("is not answered by another parcel than the one that was asked for, and that one is not kept", async () => {
    const kept: number[] = [];
    const {json} = await askWith(found(kept)).ask("parcel", {parcelId: "48491-88-1"});
    expect(kept).toEqual([]);
    expect(json.type).toBe("/problems/cadastre-unavailable");
  });

  it("asks by address, place and owner, and lists what came", async () => {
    const {ask, asked} = askWith(found());
    expect((await ask("address", {address: "12 Oakvale Rd", state: "TX"})).json.property.parcelUid).toBe(
      "48491-77-1",
    );
    const near = await ask("near", {latitude: "30.601", longitude: "-97.601"});
    expect(near.json.properties.map(({parcelUid}) => parcelUid)).toEqual(["48491-77-1"]);
    expect(near.json.metadata.lookup).toMatchObject({origin: "cadastre", cadastreStatus: "found"});
    const owner = await ask("owner", {owner: "quistad", state: "TX", county: "48491"});
    expect(owner.json.metadata).toMatchObject({total: 1, lookup: {origin: "cadastre"}});
    expect(asked.map(({kind}) => kind)).toEqual(["address", "location", "owner"]);
  });

  it("never asks where the dataset has a hit, ambiguous ones and those of another category among them", async () => {
    const {ask, asked} = askWith(found());
    await ask("parcel", {parcelId: "1"});
    await ask("near", {latitude: "30.3", longitude: "-97.7", use: "vacant"});
    await ask("owner", {owner: "harlow", state: "TX", county: "48453", use: "vacant"});
    await ask("owner", {owner: "quistad"});
    expect(asked).toEqual([]);
  });

  it("is 404 parcel-not-found where the county said so, parcel-not-covered where none can be asked", async () => {
    const ask = async (reply: CadastreReply) =>
      (await askWith(reply).ask("parcel", {parcelId: "48491-9"})).json;
    expect(await ask({status: "empty"})).toMatchObject({
      type: "/problems/parcel-not-found",
      lookup: {origin: "cadastre", cadastreStatus: "empty"},
    });
    expect(await ask({status: "county_unknown"})).toMatchObject({
      type: "/problems/parcel-not-covered",
      lookup: {origin: "dataset", cadastreStatus: "county_unknown"},
    });
  });

  it("says in its own words whether the number, the parcel, the county or the setting is missing", async () => {
    const text = async (reply: CadastreReply, address = "9 Oakvale Rd") =>
      (await askWith(reply).ask("address", {address, state: "TX"})).json["detail"];
    const texts = [
      await text({status: "county_unknown"}, "Oakvale Rd"),
      await text({status: "empty"}),
      await text({status: "unsupported", notAsked: "no_service"}),
      await text({status: "unsupported", notAsked: "switched_off"}),
      await text({status: "unsupported", notAsked: "sample"}),
      await text({status: "unsupported", notAsked: "unsuited"}),
      await text({status: "county_unknown"}),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    const words = [/no house number/, /or at the county service/, /no service of its county/, /switched off/];
    for (const [at, word] of words.entries()) expect(texts[at]).toMatch(word);
  });

  it.each(["unavailable", "timeout", "paused", "rejected"] as const)(
    "is 503 where the county is %s, for a search a short list",
    async (status) => {
      const {ask} = askWith({status, retryAfterSeconds: 900});
      const single = await ask("address", {address: "9 Oakvale Rd", state: "TX"});
      expect(single.json).toMatchObject({
        type: "/problems/cadastre-unavailable",
        status: 503,
        detail: "The county service did not answer; this is not a statement that the parcel does not exist.",
        coverage: [{state: "TX"}],
        lookup: {origin: "cadastre", cadastreStatus: status},
      });
      const list = await ask("near", {latitude: "31", longitude: "-97"});
      expect(list.ok).toBe(true);
      expect(list.json.metadata.lookup).toEqual({origin: "dataset", cadastreStatus: status});
      expect(list.json.metadata.limitations).toContain(
        "The county service could not be asked; the answer may be incomplete.",
      );
    },
  );
});

describe("the build behind an answer", () => {
  it("that is a sample says so before all else", async () => {
    const {ask} = askWith({status: "empty"}, {sample: true});
    const {json} = await ask("parcel", {parcelId: "1"});
    expect(json.metadata.limitations[0]).toBe("Generated sample data: no real parcel, owner or value.");
  });

  it("with a damaged state is 503 for questions that need the state", async () => {
    const manifest = {...generation.manifest, states: {...generation.manifest.states, OK: tx.part}};
    const {ask} = askWith({status: "empty"}, {manifest});
    expect((await ask("parcel", {parcelId: "1"})).json.type).toBe("/problems/build-unavailable");
    expect((await ask("parcel", {parcelId: "1", state: "TX"})).ok).toBe(true);
    expect((await ask("near", {latitude: "35.5", longitude: "-97.5"})).json.type).toBe(
      "/problems/build-unavailable",
    );
    expect((await ask("near", {latitude: "30.3", longitude: "-97.7"})).ok).toBe(true);
  });
});
