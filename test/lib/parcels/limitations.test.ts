import {describe, expect, it} from "vitest";
import {
  orderedParcelLimitations,
  parcelLimitations as P,
  partialLimitation,
  unclassifiedLimitation,
} from "../../../lib/parcels/limitations.ts";

describe("parcel limitations", () => {
  it("come in the order of their ids, P01 always, P22 before it in a sample build", () => {
    const said = [
      P.P14,
      partialLimitation("Texas", {parcels: 6062, counties: 38, total: 254, whole: 3}),
      P.P02,
      unclassifiedLimitation(12, false),
      unclassifiedLimitation(3, true),
      P.P02,
    ];
    expect(orderedParcelLimitations(said, true)).toEqual([
      P.P22,
      P.P01,
      P.P02,
      "12 parcels without a land use category were left out by the filter.",
      "3 parcels without a land use category or acres were left out by the filter.",
      "Coverage of Texas is partial: 6,062 parcels in 38 of 254 counties, of which 3 whole.",
      P.P14,
    ]);
    expect(orderedParcelLimitations([], false)).toEqual([P.P01]);
  });
});
