import {describe, expect, it, test} from "vitest";
import {
  orderedParcelLimitations,
  parcelLimitations as P,
  type ParcelLimitationId,
  partialLimitation,
  unclassifiedLimitation,
} from "../../../lib/parcels/record/parcel-limitations.ts";
import type {ProvenanceEntry} from "../../../lib/parcels/record/provenance.ts";
import {limitationsOf} from "../../../lib/parcels/record/provenance-text.ts";

const nothing = {
  isComputedArea: false,
  partsKind: "",
  isContradictedArea: false,
  isShared: false,
  isOpenRange: false,
  isPartlyRead: false,
  isAssumed: false,
  isWithheld: false,
};
const entry = {vintageBasis: "stated"} as unknown as ProvenanceEntry;
/** What is said of a record with these members; a number and a point are always among them. */
const said = (members: readonly string[], is: Partial<typeof nothing> = {}, of = entry) =>
  limitationsOf({
    entries: new Map(["parcelId", "latitude", ...members].map((name) => [name, of])),
    ...nothing,
    ...is,
  });

test.each<
  [ParcelLimitationId, readonly string[], Partial<typeof nothing>, readonly string[], Partial<typeof nothing>]
>([
  ["P02", ["ownerName"], {}, [], {}],
  ["P04", ["acresBasis"], {isComputedArea: true}, ["acresBasis"], {}],
  ["P05", [], {isContradictedArea: true}, [], {}],
  ["P06", [], {isWithheld: true}, ["ownerName"], {isWithheld: true}],
  ["P07", ["landUseCategory"], {}, [], {}],
  ["P09", ["useValue"], {}, ["useValue", "totalMarketValue"], {}],
  ["P09", [], {partsKind: "use"}, [], {partsKind: "market"}],
  ["P17", [], {isShared: true}, [], {}],
  ["P25", [], {isOpenRange: true}, [], {}],
  ["P30", [], {partsKind: "market"}, [], {partsKind: "assessed"}],
  ["P31", [], {isPartlyRead: true}, [], {}],
  ["P32", [], {isAssumed: true}, [], {}],
])("%s is said of a record with %j and %j, and not with %j and %j", (id, members, is, others, otherwise) => {
  expect(said(members, is)).toContain(id);
  expect(said(others, otherwise)).not.toContain(id);
});

test("P03 is said of a point, P15 without one, P21 without a number, P18 of a vintage that is the retrieval, P29 of none", () => {
  expect(said([])).toEqual(["P03"]);
  expect(limitationsOf({entries: new Map(), ...nothing})).toEqual(["P15", "P21"]);
  expect(said([], {}, {vintageBasis: "retrieved"} as unknown as ProvenanceEntry)).toEqual(["P03", "P18"]);
  expect(said([], {}, {vintageBasis: "unknown"} as unknown as ProvenanceEntry)).toEqual(["P03", "P29"]);
});

describe("P08, P13: parcel limitations", () => {
  it("names municipalities without a total where no table has them all", () => {
    const covered = {parcels: 49, counties: 3, whole: 0};
    expect(partialLimitation("Manitoba", covered)).toBe(
      "Coverage of Manitoba is partial: 49 parcels in 3 municipalities, none of them complete.",
    );
    expect(partialLimitation("Texas", {...covered, counties: 1, total: 254})).toContain(
      " in 1 of 254 counties,",
    );
  });

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
      "Coverage of Texas is partial: 6,062 parcels in 38 of 254 counties, 3 of them complete.",
      P.P14,
    ]);
    expect(orderedParcelLimitations([], false)).toEqual([P.P01]);
  });
});
