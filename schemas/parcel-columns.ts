import type {ProvenanceGroup} from "./parcel-fields/parcel-field.ts";
import {parcelFields} from "./parcel-fields/parcel-field-table.ts";
import type {ColumnKind} from "./vocabulary/described-file.ts";

export type ParcelColumn = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly required: boolean;
  readonly about: string;
  readonly values?: readonly string[];
};

/** Columns of a parcel row except those of its provenance, in the order of the field table. */
export const factColumns: readonly ParcelColumn[] = parcelFields.flatMap(({column}) =>
  column === undefined ? [] : [column],
);

/** Columns that lookups search; the server maps them. */
export const findingColumns: readonly ParcelColumn[] = parcelFields.flatMap(({column}) =>
  column?.finds ? [column] : [],
);

const groupsAbout: Readonly<Record<ProvenanceGroup, string>> = {
  identity: "Provenance of ids, legal description and zoning",
  situs: "Provenance of the address",
  owner: "Provenance of owner and mailing address",
  land: "Provenance of the area",
  use: "Provenance of the land use",
  value: "Provenance of values and tax",
  transfer: "Provenance of sale and deed",
  building: "Provenance of building facts",
  location: "Provenance of point and extent",
};

const provenanceColumns: readonly ParcelColumn[] = [
  {
    name: "prov_default",
    kind: "int32",
    required: true,
    about: "Row of `parcel_provenance` that applies to every fact without a group of its own",
  },
  ...Object.entries(groupsAbout).map(
    ([group, about]): ParcelColumn => ({name: `prov_${group}`, kind: "int32", required: false, about}),
  ),
];

/**
 * Columns of a parcel row, in order; in `parcels.parquet` geometry and bounding box follow. Arrow files have the same values, but dictionary columns are dictionary-encoded, lists are text joined
 * by line feeds, and money is float64.
 */
export const parcelColumns: readonly ParcelColumn[] = [...factColumns, ...provenanceColumns];
