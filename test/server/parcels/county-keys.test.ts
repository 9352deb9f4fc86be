import {beforeAll, describe, expect, it} from "vitest";
import {temporaryFolder} from "../../temporary-folder.ts";
import {countyAsker, layerEntry} from "../cadastre/county-fixture.ts";
import {startFakeArcgis} from "../cadastre/fake-arcgis.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

/** Parcels keyed as their sources print: a planning region of Connecticut, an old county of it, and a county that took a retired one's land. */
let ask: ReturnType<typeof asker>;
beforeAll(async () => {
  const ct = await writeState(temporaryFolder(), "CT", {
    parcels: [
      {county: "09190", id: "R-12-7", situs: "12 ELM ST", lon: -73.54, lat: 41.05},
      {county: "09009", id: "R-80-2", situs: "80 OAK ST", lon: -72.93, lat: 41.31},
    ],
  });
  const sd = await writeState(temporaryFolder(), "SD", {
    parcels: [{county: "46102", id: "700-12", situs: "7 ELM ST", lon: -102.5, lat: 43.3}],
  });
  ask = asker(generationOfStates([ct, sd]));
});

const uidOf = async (question: Record<string, string>) => {
  const {json} = await ask("parcelId" in question ? "parcel" : "address", question);
  return json.property?.parcelUid ?? json.type;
};

const notCovered = "/problems/parcel-not-covered";

describe("a parcel is found by each key of its county", () => {
  it.each([
    [{parcelId: "R-12-7", state: "CT", county: "Fairfield"}, "09190-R-12-7"],
    [{parcelId: "R-12-7", state: "CT", county: "Western Connecticut"}, "09190-R-12-7"],
    [{parcelId: "09001-R-12-7"}, "09190-R-12-7"],
    [{parcelId: "09190-R-12-7"}, "09190-R-12-7"],
    [{parcelId: "09120-R-12-7"}, notCovered],
    [{parcelId: "09009-R-12-7"}, notCovered],
    [{address: "12 Elm St", state: "CT", county: "09001"}, "09190-R-12-7"],
    [{address: "12 Elm St", state: "CT", county: "New Haven"}, notCovered],
    [{parcelId: "R-80-2", state: "CT", county: "South Central Connecticut"}, "09009-R-80-2"],
    [{parcelId: "09140-R-80-2"}, "09009-R-80-2"],
    [{parcelId: "09190-R-80-2"}, notCovered],
    [{parcelId: "46113-700-12"}, "46102-700-12"],
    [{parcelId: "46102-700-12"}, "46102-700-12"],
  ])("%j is %s", async (question, wanted) => {
    expect(await uidOf(question as unknown as Record<string, string>)).toBe(wanted);
  });
});

describe("a miss goes to the county by each key", () => {
  it.each([
    ["09001", "09001-R-1"],
    ["09190", "09190-R-1"],
    ["Western Connecticut", "09190-R-1"],
    // The parcel is in another county.
    ["09009", undefined],
    ["09170", undefined],
  ])("as %s, at the layer of the state", async (county, uid) => {
    const attributes = {OBJECTID: 1, APN: "R-1", SITUS: "12 ELM ST"};
    const fake = await startFakeArcgis([{attributes, west: -73.54, south: 41.05}]);
    const layer = layerEntry(fake.url, {
      id: "us-ct-invented",
      authority: "state",
      coverage: {country: "US", state: "CT", counties: "all"},
    });
    const asked = countyAsker([layer]);
    const {json} = await asked.ask("parcel", {parcelId: "R-1", state: "CT", county});
    expect(json.property?.parcelUid).toBe(uid);
    await asked.close();
    await fake.close();
  });

  it("as that of today for a retired prefix", async () => {
    const attributes = {OBJECTID: 1, APN: "R-1", SITUS: "12 ELM ST"};
    const fake = await startFakeArcgis([{attributes, west: -102.5, south: 43.3}]);
    const coverage = {country: "US" as const, state: "SD", counties: ["46102"]};
    const asked = countyAsker([layerEntry(fake.url, {id: "us-sd-invented", coverage})]);
    const {json} = await asked.ask("parcel", {parcelId: "46113-R-1"});
    expect(json.property.parcelUid).toBe("46102-R-1");
    await asked.close();
    await fake.close();
  });
});
