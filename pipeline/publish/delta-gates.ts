import {findBaseRow} from "../../lib/delta/base-row.ts";
import {foundParcel} from "../../lib/delta/found-parcel.ts";
import {holdsFound} from "../../lib/delta/merge-records.ts";
import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import type {GateResult} from "../../schemas/manifest.ts";
import type {StateDelta} from "./delta-inputs.ts";
import {judgeFaults} from "./gate.ts";

/**
 * Judges that no found parcel is lost. Every record is in the staged state, read with the server's loader, or a newer vintage
 * superseded it there; and no line of a consumed segment is damaged, unless a person accepts the damage.
 */
export function deltaGates(state: string, set: ParcelSet, delta: StateDelta | null): GateResult[] {
  if (delta === null) return [];
  const missing = delta.records.filter(({record}) => {
    const found = foundParcel(record);
    const base = findBaseRow(set, found.columns);
    return base === null || !holdsFound(base, found);
  });
  const shown = missing.slice(0, 5).map(({segment, record}) => `${segment} record ${record.seq}`);
  const damage = delta.damage.map(({segment, lines}) => `${segment}: ${lines} damaged lines`);
  const damaged = delta.damage.reduce((sum, {lines}) => sum + lines, 0);
  return [
    judgeFaults(state, "delta-merged", missing.length, shown.join(", ")),
    judgeFaults(state, "delta-damage", damaged, damage.join(", ")),
  ];
}
