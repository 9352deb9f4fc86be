import {area, building, land, owner, transfer, use, value} from "./facts.ts";
import type {ParcelField} from "./field.ts";
import {identity, location, situs} from "./place.ts";

/**
 * The one table of parcel fields, in the order of the columns. Schema of the record, tables, record text, provenance, merging, field maps,
 * OpenAPI and FORMAT.md follow from it. Columns `prov_*`, which name the provenance of a group, come after it.
 */
export const parcelFields: readonly ParcelField[] = [
  ...identity,
  ...situs,
  ...owner,
  ...area,
  ...use,
  ...value,
  ...transfer,
  ...land,
  ...building,
  ...location,
];
