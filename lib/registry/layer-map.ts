import type {EsriField} from "../../schemas/arcgis.ts";
import type {CadastreSource, ParcelSource} from "../../schemas/parcel-source.ts";
import {provenanceGroups, resolveColumn} from "../parcels/conform/cells.ts";
import {namesOf} from "../parcels/conform/references.ts";
import {proposeFields} from "./propose-fields.ts";

/** A field of a layer, as its metadata name it. */
type LayerField = Pick<EsriField, "name"> & {readonly type?: string | null | undefined};

type LayerSource = Pick<
  CadastreSource,
  "ids" | "fields" | "vintage" | "owners" | "area" | "use" | "values" | "terms"
> &
  Partial<Pick<CadastreSource, "cadastre" | "coverage">>;

/** The members of an entry that say how the rows of a layer are read. */
export type LayerFieldMap = Pick<
  ParcelSource,
  "ids" | "fields" | "vintage" | "owners" | "area" | "use" | "values"
> & {
  /** The field that names the county of a row; null where no field is known to. */
  readonly countyFrom: string | null;
};

const numericTypes = /^esriFieldType(?:Double|Single|Integer|SmallInteger|BigInteger|OID)$/;

/** True for a type of numbers in a layer's metadata. */
export function isNumericType(type: string | null | undefined): boolean {
  return numericTypes.test(type ?? "");
}

/**
 * Gives the map by which the rows of a layer are read, the same for its answers on a miss and for a file that was pulled of it: what a
 * person wrote, and the rest as proposed from the names and types of its fields. Owners are read only where they may be given. Null
 * where no field is known to be the parcel number.
 */
export function proposedLayerMap(source: LayerSource, fields: readonly LayerField[]): LayerFieldMap | null {
  const columns = fields.map(({name, type}) => ({name, type: type ?? undefined}));
  const names = columns.map(({name}) => name);
  const idField = source.cadastre?.idField;
  const known = idField === undefined ? undefined : resolveColumn(idField, names);
  const proposal = proposeFields(columns, {idField: known, state: source.coverage?.state});
  const ids = source.ids ?? proposedIds(proposal.ids, columns);
  if (ids === null) return null;
  const given = mayGiveOwners(source);
  const {area, use, values} = {...proposal, ...definedOf(source)};
  const map = {
    ids,
    fields: withoutSecrets(source.fields ?? proposal.fields, given),
    vintage: source.vintage ?? proposal.vintage,
    owners: given ? (source.owners ?? proposal.owners) : {published: false, order: "unknown" as const},
    ...(area === undefined ? {} : {area}),
    ...(use === undefined ? {} : {use}),
    ...(values === undefined ? {} : {values}),
    countyFrom: proposal.countyFrom,
  };
  return readingWhatItAsks(map, source, names);
}

/** True when the terms of a source let its owners be given to callers. */
export function mayGiveOwners({owners, terms}: Pick<LayerSource, "owners" | "terms">): boolean {
  return owners?.published !== false && terms.redistributeOwners;
}

/** Gives a field map without the columns of owners, unless they may be given. */
export function withoutSecrets(fields: ParcelSource["fields"], given: boolean): ParcelSource["fields"] {
  const secret: ReadonlySet<string> = new Set(given ? [] : provenanceGroups.owner);
  return Object.fromEntries(Object.entries(fields).filter(([column]) => !secret.has(column)));
}

function definedOf({area, use, values}: LayerSource) {
  return Object.fromEntries(Object.entries({area, use, values}).filter(([, member]) => member !== undefined));
}

function proposedIds(
  ids: ReturnType<typeof proposeFields>["ids"],
  columns: readonly {name: string; type: string | undefined}[],
): ParcelSource["ids"] | null {
  if (ids === null) return null;
  const type = columns.find(({name}) => name === ids.raw)?.type;
  return {...ids, ...(isNumericType(type) ? {numericSource: true} : {})};
}

/** Columns of ours by the member of `cadastre` that names the field by which they are asked. */
const askedColumns = {
  addressField: ["situs_raw", "situs_name"],
  numberField: ["situs_number"],
  ownerField: ["owner_raw"],
} as const;

/**
 * Gives the map with the fields by which the layer is queried among those that it reads: a row that came for its address is known by
 * that address, whatever other columns the map prefers.
 */
export function readingWhatItAsks<Map extends Pick<ParcelSource, "ids" | "fields">>(
  map: Map,
  source: Pick<LayerSource, "cadastre" | "owners" | "terms">,
  names: readonly string[],
): Map {
  const {cadastre} = source;
  if (cadastre === undefined) return map;
  const fields = {...map.fields};
  for (const [member, columns] of Object.entries(askedColumns)) {
    const wanted = cadastre[member as keyof typeof askedColumns];
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
