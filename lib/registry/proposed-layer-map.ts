import {type LayerField, proposeLayerFields} from "@open-cattle/entry-proposer";
import type {CadastreSource, ParcelSource} from "../../schemas/parcel-source.ts";
import {namesOf} from "../parcels/conform/column-references.ts";
import {provenanceGroups, resolveColumn} from "../parcels/conform/file-cells.ts";
import {stateFacts} from "./proposal-facts.ts";

type LayerSource = Pick<
  CadastreSource,
  "ids" | "fields" | "vintage" | "owners" | "area" | "use" | "values" | "terms"
> &
  Partial<Pick<CadastreSource, "cadastre" | "coverage">>;

/** The members of an entry that define how a layer's rows are read. */
export type LayerFieldMap = Pick<
  ParcelSource,
  "ids" | "fields" | "vintage" | "owners" | "area" | "use" | "values"
> & {
  /** The field that names a row's county; null when none is known. */
  readonly countyFrom: string | null;
};

/**
 * The map for reading a layer's rows, the same for answers on a miss and for a file pulled from the layer.
 * What a person wrote takes precedence; the rest is proposed from field names and types. Owners are read only
 * where they may be shown. Null when no field is known to be the parcel number.
 */
export function proposedLayerMap(source: LayerSource, fields: readonly LayerField[]): LayerFieldMap | null {
  const names = fields.map(({name}) => name);
  const idField = source.cadastre?.idField;
  const known = idField === undefined ? undefined : resolveColumn(idField, names);
  const state = source.coverage?.state;
  const proposal = proposeLayerFields(fields, {idField: known, state, facts: stateFacts});
  const ids = source.ids ?? proposal.ids;
  if (ids === null) return null;
  const given = mayGiveOwners(source);
  const {area, use, values} = {...proposal, ...definedOf(source)};
  const map = {
    ids,
    fields: withoutOwners(source.fields ?? proposal.fields, given),
    vintage: source.vintage ?? proposal.vintage,
    owners: given ? (source.owners ?? proposal.owners) : {published: false, order: "unknown" as const},
    ...(area === undefined ? {} : {area}),
    ...(use === undefined ? {} : {use}),
    ...(values === undefined ? {} : {values}),
    countyFrom: proposal.countyFrom,
  };
  return withQueriedFields(map, source, names);
}

/** True when the terms of a source allow showing its owners to callers. */
export function mayGiveOwners({owners, terms}: Pick<LayerSource, "owners" | "terms">): boolean {
  return owners?.published !== false && terms.redistributeOwners;
}

/** A field map without the owner columns, unless they may be shown. */
export function withoutOwners(fields: ParcelSource["fields"], given: boolean): ParcelSource["fields"] {
  const secret: ReadonlySet<string> = new Set(given ? [] : provenanceGroups.owner);
  return Object.fromEntries(Object.entries(fields).filter(([column]) => !secret.has(column)));
}

function definedOf({area, use, values}: LayerSource) {
  return Object.fromEntries(Object.entries({area, use, values}).filter(([, member]) => member !== undefined));
}

/** Our columns, by the member of `cadastre` that names the field to query. */
const queriedColumns = {
  addressField: ["situs_raw", "situs_name"],
  numberField: ["situs_number"],
  ownerField: ["owner_raw"],
} as const;

/**
 * Adds the fields by which the layer is queried to those that are read, so that a row found by its address
 * shows that address whatever other columns the map prefers.
 */
export function withQueriedFields<Map extends Pick<ParcelSource, "ids" | "fields">>(
  map: Map,
  source: Pick<LayerSource, "cadastre" | "owners" | "terms">,
  names: readonly string[],
): Map {
  const {cadastre} = source;
  if (cadastre === undefined) return map;
  const fields = {...map.fields};
  for (const [member, columns] of Object.entries(queriedColumns)) {
    const wanted = cadastre[member as keyof typeof queriedColumns];
    const name = wanted === undefined ? undefined : resolveColumn(wanted, names);
    if (name === undefined || (member === "ownerField" && !mayGiveOwners(source))) continue;
    const isRead = columns.some((column) => reads(fields[column], name));
    if (!isRead) fields[columns[0]] = {from: name};
  }
  const {ids} = map;
  const idName = cadastre.idField === undefined ? undefined : resolveColumn(cadastre.idField, names);
  if (idName === undefined || "none" in ids || [ids.raw, ...(ids.alt ?? [])].some((id) => reads(id, idName)))
    return {...map, fields};
  return {...map, fields, ids: {...ids, alt: [...(ids.alt ?? []), idName]}};
}

function reads(spec: Parameters<typeof namesOf>[0], name: string): boolean {
  return namesOf(spec).some((each) => each.toLowerCase() === name.toLowerCase());
}
