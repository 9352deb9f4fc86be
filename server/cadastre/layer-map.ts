import {resolveColumn} from "../../lib/parcels/conform/cells.ts";
import {provenanceGroups} from "../../lib/parcels/conform/groups.ts";
import {type ConformEntry, mainNames, namesOf, unmetNeeds} from "../../lib/parcels/conform/references.ts";
import {proposeFields} from "../../lib/registry/propose-fields.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {LayerFacts} from "./county-reader.ts";
import type {Layer, LayerSource} from "./layers.ts";

/** A field that a query can name, with the kind of its values. */
type AskField = {readonly name: string; readonly numeric: boolean};

/** The map of a layer: the fields that queries name, and the entry that reads its rows. */
export type LayerMap = {
  readonly entry: ConformEntry;
  /** True when the map was proposed from the layer's metadata, and no person has checked it. */
  readonly proposed: boolean;
  readonly outFields: readonly string[];
  readonly id: AskField | null;
  readonly address: (AskField & {readonly nameOnly: boolean}) | null;
  readonly number: AskField | null;
  /** Null also when the source's owners may not be given. */
  readonly owner: AskField | null;
  /** True when the rows state their county; else their point has to prove that they are of the target county. */
  readonly countyStated: boolean;
};

const numericTypes = /^esriFieldType(?:Double|Single|Integer|SmallInteger|BigInteger|OID)$/;
/** Names that can be in `outFields`, a list that servers split at commas. */
const listable = /^[\w.$()]+$/;

/**
 * Gives the map of a layer for one county: the registry's when the layer has all its columns, else one proposed from the
 * layer's field names. Null when no column has the parcel number.
 */
export function layerMap(
  {source, statewide}: Layer,
  facts: LayerFacts,
  county: AskedCounty,
): LayerMap | null {
  const names = facts.fields.map(({name}) => name);
  const registered = registeredEntry(source, county);
  const fitting = registered !== null && lacksNothing(registered, names) ? registered : null;
  const mapped = fitting ?? proposedEntry({source, statewide}, facts, county);
  if (mapped === null) return null;
  const {cadastre} = source;
  const entry = readingWhatItAsks(mapped, source, names);
  const field = (name: string | undefined): AskField | null => {
    const known = facts.fields.find((each) => each.name.toLowerCase() === name?.toLowerCase());
    return known === undefined ? null : {name: known.name, numeric: numericTypes.test(known.type ?? "")};
  };
  const one = (column: string) => onlyName(entry, column);
  const idName = cadastre.idField ?? ("none" in entry.ids ? undefined : namesOf(entry.ids.raw)[0]);
  const id = field(idName);
  if (cadastre.idField !== undefined && id === null) return null;
  const address = field(cadastre.addressField ?? one("situs_raw") ?? one("situs_name"));
  const number = field(cadastre.numberField ?? one("situs_number"));
  const owner = mayGiveOwners(source) ? field(cadastre.ownerField) : null;
  const asked = [id, address, number, owner].flatMap((each) => each?.name ?? []);
  const read = mainNames(entry).flatMap((name) => resolveColumn(name, names) ?? []);
  return {
    entry,
    proposed: fitting === null,
    outFields: [...new Set([...asked, ...read])].filter((name) => listable.test(name)),
    id,
    address: address === null ? null : {...address, nameOnly: address.name === one("situs_name")},
    number,
    owner,
    countyStated: entry.coverage.countyFrom !== county.key,
  };
}

/** Columns of ours by the member of `cadastre` that names the field by which they are asked. */
const askedColumns = {
  addressField: ["situs_raw", "situs_name"],
  numberField: ["situs_number"],
  ownerField: ["owner_raw"],
  cityField: ["city"],
} as const;

/**
 * Gives the entry with the fields by which the layer is queried among those that it reads: a row that came for its address is
 * known by that address, whatever other columns the map prefers.
 */
function readingWhatItAsks(entry: ConformEntry, source: LayerSource, names: readonly string[]): ConformEntry {
  const {cadastre} = source;
  const fields = {...entry.fields};
  for (const [member, columns] of Object.entries(askedColumns)) {
    const wanted = cadastre[member as keyof typeof askedColumns];
    const name = wanted === undefined ? undefined : resolveColumn(wanted, names);
    if (name === undefined || (member === "ownerField" && !mayGiveOwners(source))) continue;
    const isRead = columns.some((column) => reads(fields[column], name));
    if (!isRead) fields[columns[0]] = {from: name};
  }
  const {ids} = entry;
  const idName = cadastre.idField === undefined ? undefined : resolveColumn(cadastre.idField, names);
  if (idName === undefined || "none" in ids || [ids.raw, ...(ids.alt ?? [])].some((id) => reads(id, idName)))
    return {...entry, fields};
  return {...entry, fields, ids: {...ids, alt: [...(ids.alt ?? []), idName]}};
}

function reads(spec: Parameters<typeof namesOf>[0], name: string): boolean {
  return namesOf(spec).some((each) => each.toLowerCase() === name.toLowerCase());
}

/** True when the source's terms let its owners be given to callers. */
function mayGiveOwners({owners, terms}: LayerSource): boolean {
  return owners?.published === true && terms.redistributeOwners;
}

function lacksNothing(entry: ConformEntry, names: readonly string[]): boolean {
  const found = new Set(mainNames(entry).filter((name) => resolveColumn(name, names) !== undefined));
  return unmetNeeds(entry, found).length === 0;
}

/** Gives the registry's map for one county; null for a layer without a map, or with one that needs joined tables. */
function registeredEntry(source: LayerSource, county: AskedCounty): ConformEntry | null {
  const {ids, fields, vintage, joins} = source;
  if (ids === undefined || fields === undefined || vintage === undefined || joins !== undefined) return null;
  const {countyFrom = county.key} = source.coverage;
  return entryOf(source, {ids, fields, vintage, owners: source.owners}, {county, countyFrom});
}

function proposedEntry(
  {source, statewide}: Layer,
  facts: LayerFacts,
  county: AskedCounty,
): ConformEntry | null {
  const columns = facts.fields.map(({name, type}) => ({name, type: type ?? undefined}));
  const {idField} = source.cadastre;
  const known =
    idField === undefined
      ? undefined
      : resolveColumn(
          idField,
          columns.map(({name}) => name),
        );
  const proposal = proposeFields(columns, {idField: known});
  if (proposal.ids === null) return null;
  const {ids, fields, vintage, area, use, values} = proposal;
  const idType = columns.find(({name}) => name === ids.raw)?.type ?? "";
  const countyFrom = statewide ? (proposal.countyFrom ?? county.key) : county.key;
  return entryOf(
    source,
    {
      ids: {...ids, ...(numericTypes.test(idType) ? {numericSource: true} : {})},
      fields,
      vintage,
      ...(area === undefined ? {} : {area}),
      ...(use === undefined ? {} : {use}),
      ...(values === undefined ? {} : {values}),
      owners: source.owners ?? proposal.owners,
    },
    {county, countyFrom},
  );
}

type FieldMap = Pick<ParcelSource, "ids" | "fields" | "vintage" | "owners" | "area" | "use" | "values">;
type CountyOfRows = {county: AskedCounty; countyFrom: ParcelSource["coverage"]["countyFrom"]};

/** Makes an entry that reads no owners when they may not be given: they are not requested either. */
function entryOf(source: LayerSource, map: FieldMap, {county, countyFrom}: CountyOfRows): ConformEntry {
  const {cadastre: _, accept: __, publisher: ___, ...facts} = source;
  const secret: ReadonlySet<string> = new Set(mayGiveOwners(source) ? [] : provenanceGroups.owner);
  const fields = Object.entries(map.fields).filter(([column]) => !secret.has(column));
  return {
    ...facts,
    ...map,
    fields: Object.fromEntries(fields),
    coverage: {country: county.country, state: county.state, counties: [county.key], countyFrom},
  };
}

/** Gives the one column that a field of ours comes from; undefined for none or several. */
function onlyName({fields}: ConformEntry, column: string): string | undefined {
  const [name, second] = namesOf(fields[column]);
  return second === undefined ? name : undefined;
}
