import {afterAll, afterEach, beforeAll, describe, expect, it} from "vitest";
import type {StateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import type {StatePart} from "../../../schemas/manifest.ts";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";
import {type InventedParcel, writeState} from "../parcels/state-fixture.ts";
import {brazos, countyAsker, inventedRows, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, startFakeArcgis} from "./fake-arcgis.ts";

const reader = createAnswerReader();
const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(() => reader.close());

/** A point on the first parcel of the county, 0.7 miles from the neighbour that the build has. */
const point = {latitude: String(brazos.lat + 0.0004), longitude: String(brazos.lon + 0.0004)};
const onTheRoad = {...point, latitude: String(brazos.lat - 0.0004)};
const neighbour: InventedParcel = {county: brazos.key, id: "N-1", lon: brazos.lon + 0.012, lat: brazos.lat};
const sentences = {
  pointAlone: "The county service was asked for the parcel at the point alone",
  noBoundaries: "Boundaries are not loaded here",
};

let whole: StateArtifacts;
let extract: StateArtifacts;
beforeAll(async () => {
  const stateOf = async (parcels: InventedParcel[], complete: boolean) => {
    const built = await writeState(temporaryFolder(), "TX", {parcels});
    const counties = built.part.counties.map((each): StatePart["counties"][number] => ({...each, complete}));
    const part: StatePart = {...built.part, coverage: complete ? "live" : "partial", counties};
    return Object.create(built, {part: {value: part, enumerable: true}}) as StateArtifacts;
  };
  whole = await stateOf([neighbour], true);
  extract = await stateOf([neighbour], false);
});

async function startCounty(states: StateArtifacts[], changes: Partial<Generation> = {}) {
  const fake = await startFakeArcgis(inventedRows());
  const generation = {...generationOfStates(states), ...changes};
  const asked = countyAsker([layerEntry(fake.url)], {
    generation,
    reader: {read: reader.read, close: () => Promise.resolve()},
  });
  open.push(fake, asked);
  const near = async (question: Record<string, string>) => {
    const {json} = await asked.ask("near", question);
    const {total, lookup, limitations} = json.metadata;
    const says = (sentence: string) => limitations.some((each) => each.startsWith(sentence));
    return {
      uids: json.properties.map(({parcelUid, match}) => `${parcelUid} ${match?.type}`),
      total,
      status: lookup.cadastreStatus,
      pointAlone: says(sentences.pointAlone),
      noBoundaries: says(sentences.noBoundaries),
    };
  };
  return {near, fake, store: asked.store};
}

describe("a search around a point", () => {
  const both = {
    uids: ["48041-R-100-1 contains_point", "48041-N-1 nearest"],
    total: 2,
    status: "found",
    pointAlone: true,
    noBoundaries: true,
  };

  it("P34: says that only the parcel at the point was asked for, and P14 only where containment is not known", async () => {
    const {near} = await startCounty([]);
    expect(await near(point)).toEqual({
      uids: ["48041-R-100-1 contains_point"],
      total: 1,
      status: "found",
      pointAlone: true,
      noBoundaries: false,
    });
    expect(await near(onTheRoad)).toMatchObject({total: 0, status: "empty", pointAlone: true});
    expect(await near({...point, radius: "0"})).toMatchObject({total: 1, pointAlone: false});
  });

  it("asks the county for the parcel at the point where the build has an extract of the county", async () => {
    const {near, store} = await startCounty([extract]);
    expect(await near(point)).toEqual(both);
    expect(store.discoveries.map(({upsert}) => upsert.parcelUid)).toEqual(["48041-R-100-1"]);
    expect(await near({...point, limit: "1", offset: "1"})).toMatchObject({uids: ["48041-N-1 nearest"]});
    expect(await near(onTheRoad)).toMatchObject({uids: ["48041-N-1 nearest"], total: 1, status: "empty"});
  });

  it("does not ask where the build has the whole county", async () => {
    const {near, fake} = await startCounty([whole]);
    expect(await near(point)).toMatchObject({uids: ["48041-N-1 nearest"], status: "not_asked"});
    expect(fake.asked).toEqual([]);
  });

  it("does not ask where the extent of a stored parcel holds the point", async () => {
    const around = brazos.lon + 0.0004;
    const built = await writeState(temporaryFolder(), "TX", {
      parcels: [{county: brazos.key, id: "H-1", lon: around, lat: brazos.lat + 0.0004}],
      part: {counties: []},
    });
    const {near, fake} = await startCounty([built]);
    expect(await near(point)).toMatchObject({uids: ["48041-H-1 nearest"], status: "not_asked"});
    expect(fake.asked).toEqual([]);
  });

  it("shows a parcel once that both the build and the county have", async () => {
    const stored = await writeState(temporaryFolder(), "TX", {
      parcels: [neighbour, {county: brazos.key, id: "R-100-1", lon: brazos.lon + 0.0002, lat: brazos.lat}],
      part: {counties: []},
    });
    expect(await (await startCounty([stored])).near(point)).toEqual(both);
  });

  it("gives what the build has where the county fails or has no service", async () => {
    const {near, fake} = await startCounty([extract]);
    await near(onTheRoad);
    fake.misbehave = failing;
    expect(await near(point)).toMatchObject({uids: ["48041-N-1 nearest"], status: "unavailable"});
    const sample = await startCounty([extract], {sample: true});
    expect(await sample.near(point)).toMatchObject({uids: ["48041-N-1 nearest"], status: "not_asked"});
  });
});

const failing: FakeArcgis["misbehave"] = (response) => response.writeHead(500).end() !== undefined;
