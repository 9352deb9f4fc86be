import {area, building, land, owner, transfer, value} from "./facts.ts";
import type {ParcelField} from "./parcel-field.ts";
import {identity, location, situs} from "./place.ts";
import {use} from "./use.ts";

/**
 * The only table of parcel fields, in column order. The schema of the record, tables, record text, provenance, merging, field maps, OpenAPI
 * and FORMAT.md are derived from it. Columns `prov_*`, which give the provenance of a group, come after it.
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
