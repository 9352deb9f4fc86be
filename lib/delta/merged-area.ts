import {shownAreaDifference} from "../../schemas/parcel-fields/texts.ts";
import {areaTolerance} from "../parcels/conform/area-sql.ts";
import {groupFlags, groupNames, type ProvenanceGroup} from "../parcels/conform/file-cells.ts";
import type {ParcelLimitationId} from "../parcels/record/parcel-limitations.ts";
import type {ProvenanceEntry} from "../parcels/record/provenance.ts";
import {methodFactors} from "../parcels/record/record-confidence.ts";
import {roundHalfAway} from "../rounding.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";

/** A record split into its members and the provenance of each. */
export type SplitRecord = {
  readonly members: Readonly<Record<string, unknown>>;
  readonly entries: ReadonlyMap<string, ProvenanceEntry>;
  readonly limitations: ReadonlySet<ParcelLimitationId>;
};

/** A row of the dataset split up, with the columns that decide between it and a found parcel. */
export type SplitRow = SplitRecord & {readonly columns: RowValues};

/** The cleaning codes of a merged record and its measured area, which is compared with the stated one as in a build. */
export function mergedArea(
  ours: SplitRow,
  theirs: SplitRow,
  winner: (group: ProvenanceGroup | null) => SplitRow,
): {
  readonly flags: readonly string[];
  readonly acresComputed: number | undefined;
  /** The provenance of a member by the areas that are compared now. */
  adjusted(name: string, entry: ProvenanceEntry): ProvenanceEntry;
} {
  const flagsOf = ({members}: SplitRow) => (members["flags"] ?? []) as readonly string[];
  const ofGroups = groupNames.flatMap((group) =>
    flagsOf(winner(group)).filter((flag) => groupFlags[group]?.includes(flag)),
  );
  const allOfGroups = new Set(Object.values(groupFlags).flat());
  const ofParcel = [ours, theirs].flatMap(flagsOf).filter((flag) => !allOfGroups.has(flag));
  const flags = new Set([...ofGroups, ...ofParcel]);
  const land = winner("land");
  const {acres, acresBasis} = land.members;
  const measured = winner("location").columns["geom_acres"];
  const isCompared = typeof acres === "number" && acresBasis !== "computed" && typeof measured === "number";
  const difference = isCompared ? Math.abs(measured - acres) / acres : 0;
  if (difference > areaTolerance) flags.add("area_mismatch");
  else if (isCompared) flags.delete("area_mismatch");
  const isShown = difference > shownAreaDifference && !flags.has("shared_outline");
  const contradicted = methodFactors.contradicted / 10_000;
  const factorOf = (side: SplitRow) =>
    (flags.has("area_mismatch") ? contradicted : 1) /
    (flagsOf(side).includes("area_mismatch") ? contradicted : 1);
  return {
    flags: [...flags].sort(),
    acresComputed: isCompared && isShown ? roundHalfAway(measured, 4) : undefined,
    adjusted(name, entry) {
      if (name === "acres" || name === "landArea" || name === "acresBasis")
        return scaled(entry, factorOf(land));
      if (name !== "acresComputed") return entry;
      const location = winner("location");
      if (location.entries.has(name)) return scaled(entry, factorOf(location));
      const now = flags.has("area_mismatch") ? contradicted : 1;
      return scaled(entry, (now * methodFactors.computedArea) / methodFactors.centroid);
    },
  };
}

/** The confidence is a product that was rounded, so that another factor can leave it a hundredth off. */
function scaled(entry: ProvenanceEntry, factor: number): ProvenanceEntry {
  return factor === 1 ? entry : {...entry, confidence: roundHalfAway(entry.confidence * factor, 2)};
}
