import {type ProvenanceGroup as Group, provenanceGroupNames} from "../../../schemas/parcel-fields/field.ts";
import {parcelFields} from "../../../schemas/parcel-fields/table.ts";

export type ProvenanceGroup = Group;

/** The groups in the order of the `prov_*` columns. */
export const groupNames = provenanceGroupNames;

/**
 * Columns of the parcel row by provenance group: facts that a source publishes together, and that are taken from one row
 * when sources are merged.
 */
export const provenanceGroups = Object.fromEntries(
  groupNames.map((name) => [
    name,
    parcelFields.flatMap(({group, column}) => (group === name && column !== undefined ? [column.name] : [])),
  ]),
) as unknown as Readonly<Record<ProvenanceGroup, readonly string[]>>;

/** Gives the group of a column of the parcel row; undefined for a column that follows the default. */
export function groupOf(column: string): ProvenanceGroup | undefined {
  return groupNames.find((group) => provenanceGroups[group].includes(column));
}
