import {findBaseRow} from "../../lib/delta/base-row.ts";
import {type FoundParcel, foundParcel} from "../../lib/delta/found-parcel.ts";
import {holdsFound} from "../../lib/delta/merge-records.ts";
import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {readKind} from "../../lib/parcels/record/record-kind.ts";
import {createRecordMaker} from "../../lib/parcels/record/record-maker.ts";
import type {GateResult} from "../../schemas/manifest.ts";
import type {StateDelta} from "./delta-inputs.ts";
import {judgeFaults} from "./gate.ts";

/**
 * Judges that no found parcel is lost. Every record is in the staged state, read with the server's loader, or a newer vintage
 * superseded it there; and no line of a consumed segment is damaged, unless a person accepts the damage.
 */
export async function deltaGates(
  state: string,
  set: ParcelSet,
  delta: StateDelta | null,
): Promise<GateResult[]> {
  if (delta === null) return [];
  const found = delta.records.map(({record}) => foundParcel(record));
  const lost = await lostParcels(set, found);
  const missing = delta.records.filter((_, i) => lost.has(i));
  const shown = missing.slice(0, 5).map(({segment, record}) => `${segment} record ${record.seq}`);
  const damage = delta.damage.map(({segment, lines}) => `${segment}: ${lines} damaged lines`);
  const damaged = delta.damage.reduce((sum, {lines}) => sum + lines, 0);
  return [
    judgeFaults(state, "delta-merged", missing.length, shown.join(", ")),
    judgeFaults(state, "delta-damage", damaged, damage.join(", ")),
  ];
}

/** Numbers of the found parcels that the state does not hold. The groups compared are those that a record shows. */
async function lostParcels(set: ParcelSet, found: readonly FoundParcel[]): Promise<Set<number>> {
  const maker = createRecordMaker();
  const texts = await maker.make(found.map(({columns}) => columns)).finally(() => maker.close());
  const lost = new Set<number>();
  for (const [i, parcel] of found.entries()) {
    const groups = new Set(readKind(texts[i]!.kind).members.flatMap(({group}) => group ?? []));
    const base = findBaseRow(set, parcel.columns);
    if (base === null || !holdsFound(base, parcel, groups)) lost.add(i);
  }
  return lost;
}
