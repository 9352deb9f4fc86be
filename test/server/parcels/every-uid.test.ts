import {beforeAll, describe, expect, it} from "vitest";
import {built, geojson, invented, rawFiles, row, square} from "../../pipeline/parcels/raw-folder.ts";
import {asker, generationOfBuilt} from "./lookup-fixture.ts";

let ask: ReturnType<typeof asker>;
let uids: string[];

beforeAll(async () => {
  const unnumbered = invented({id: "us-tx-other", ids: {none: true, key: ["SITUS", "OWNER"]}});
  const alike = {SITUS: "9 MARDEN ST", OWNER: "VESTBERG ANNA"};
  const state = await built(
    await rawFiles({
      "a.geojson": geojson([
        {properties: row("100-a"), geometry: square(0, 0)},
        {properties: row("100-A2"), geometry: square(1, 0)},
        {properties: row("00103"), geometry: square(2, 0)},
        {properties: row("54500.000"), geometry: square(3, 0)},
        {properties: row("12 034 567"), geometry: square(4, 0)},
      ]),
      // Two records of one digest, and one of another.
      "us-tx-other/b.geojson": geojson([
        {properties: row(null, alike), geometry: null},
        {properties: row(null, {...alike, VALUE: "2,000"}), geometry: null},
        {properties: row(null, {SITUS: "11 MARDEN ST", OWNER: "OSGARD RAY"}), geometry: square(6, 0)},
      ]),
    }),
    [invented(), unnumbered],
  );
  const generation = generationOfBuilt(state);
  ask = asker(generation, {sources: () => invented()});
  const {parcels} = generation.states.get("TX")!;
  uids = Array.from({length: parcels.rows}, (_, at) => parcels.text("parcel_uid").at(at)!);
});

describe("the uid of an answer", () => {
  it("is asked for as a parcel number, and gives that parcel alone", async () => {
    expect(uids).toHaveLength(8);
    expect(uids.filter((uid) => uid.includes("~"))).toHaveLength(3);
    for (const uid of uids) {
      const {json} = await ask("parcel", {parcelId: uid});
      expect([uid, json.property?._id, json.property?.match]).toEqual([
        uid,
        uid,
        {type: "exact", score: 1, notes: []},
      ]);
    }
  });

  it("is asked of no county where no parcel has it", async () => {
    const {json} = await ask("parcel", {parcelId: "48453-~0123456789ab"});
    expect(json.type).toBe("/problems/parcel-not-covered");
  });
});
