import {describe, expect, it} from "vitest";
import {
  orderedParcelLimitations,
  parcelLimitations as P,
  partialLimitation,
  unclassifiedLimitation,
} from "../../../lib/parcels/limitations.ts";

describe("parcel limitations", () => {
  it("come in the order of their ids, P01 always, P22 before it in a sample build", () => {
    const said = [P.P14, partialLimitation(3, 254), P.P02, unclassifiedLimitation(12), P.P02];
    expect(orderedParcelLimitations(said, true)).toEqual([
      P.P22,
      P.P01,
      P.P02,
      "12 parcels without a land use category were left out by the filter.",
      "Coverage of this state is partial: 3 of 254 counties.",
      P.P14,
    ]);
    expect(orderedParcelLimitations([], false)).toEqual([P.P01]);
  });
});
