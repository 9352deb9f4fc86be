import type {FactKind} from "../../../schemas/parcel-fields/field.ts";
import {recordMembers} from "../../../schemas/parcel-record.ts";
import type {ProvenanceGroup} from "../conform/groups.ts";

export type Fact = {
  readonly group: ProvenanceGroup | "default";
  readonly kind: FactKind;
  /** Column of the row that a source's field map would fill; null where no map names it. */
  readonly column: string | null;
};

/** The facts of a record by name: every top-level member that bears provenance. */
export const facts: ReadonlyMap<string, Fact> = new Map(
  recordMembers.map(({name, group, made, mapped}) => [
    name,
    {group: group ?? "default", kind: made, column: mapped},
  ]),
);
