import {expect, test} from "vitest";
import type {ProvenanceFacts} from "../../../../lib/parcels/record/provenance.ts";
import {provenanceText} from "../../../../lib/parcels/record/provenance-text.ts";
import type {RecordKind} from "../../../../lib/parcels/record/record-kind.ts";
import {recordMembers} from "../../../../schemas/parcel-record.ts";

test.each([
  ["row_date", "2026-11-01"],
  ["roll_year", "2026-11-01"],
  ["retrieved", "2024"],
  ["unknown", "2024"],
] as const)(
  "beside owners of 2024, facts whose date is a %s one give their source the vintage %s",
  (vintageBasis, vintage) => {
    const kind = {
      ...{members: recordMembers.filter(({name}) => name === "parcelId"), flags: new Set(), origins: []},
      ...{pointMethod: "", acresBasis: "", partsKind: "", categoryConfidence: null, hasUrl: false},
    } as RecordKind;
    const facts = {sourceId: "a", authority: "county", retrievedAt: "2026-11-01T03:00:00Z"};
    const originOf = (group: string) =>
      (group === "owner"
        ? {...facts, vintage: "2024", vintageBasis: "roll_year"}
        : {...facts, vintage: "2026-11-01", vintageBasis}) as ProvenanceFacts;
    const {sources} = provenanceText(kind, {originOf, asOf: "2026-11-21", sources: () => undefined});
    expect(sources).toEqual([{id: "a", vintage, isRetrieval: false}]);
  },
);
