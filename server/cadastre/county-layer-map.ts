import {isNumericType, soleNumberField} from "@open-cattle/entry-proposer";
import {
  type ConformEntry,
  mainNames,
  namesOf,
  unmetByColumns,
} from "../../lib/parcels/conform/column-references.ts";
import {resolveColumn} from "../../lib/parcels/conform/file-cells.ts";
import type {LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {
  mayGiveOwners,
  proposedLayerMap,
  withoutOwners,
  withQueriedFields,
} from "../../lib/registry/proposed-layer-map.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {Layer} from "./county-layers.ts";
import type {LayerFacts} from "./county-reader.ts";

/** A field that a query can name, and whether it is numeric. */
type AskField = {readonly name: string; readonly numeric: boolean};

/** The map of a layer: the fields that queries use, and the entry by which its rows are read. */
export type LayerMap = {
  readonly entry: ConformEntry;
  /** True when the map was derived from the layer's metadata and no person has checked it. */
  readonly proposed: boolean;
  /** True when the layer has no field of the name that its entry gives for the parcel number. */
  readonly staleId: boolean;
  readonly outFields: readonly string[];
  /** Of a layer with a stale id, the only field that is called a parcel number; null where there are several. */
  readonly id: AskField | null;
  /** The printed line or, beside a column of house numbers, the name of the street alone. */
  readonly address: (AskField & {readonly isStreet: boolean}) | null;
  /** `whole` is true when no other column holds part of the house number. */
  readonly number: (AskField & {readonly whole: boolean}) | null;
  /** Also null when the source's owners must not be given out. */
  readonly owner: AskField | null;
  /** True when the rows state their county; otherwise their point must prove that they lie in the target county. */
  readonly countyStated: boolean;
};

/** Names that are safe in `outFields`, which servers split at commas. */
const listable = /^[\w.$()]+$/;

/**
 * Returns the map of a layer for one county: the registry's if the layer has all of its columns, otherwise one proposed from the layer's
 * field names. Null when no column holds the parcel number.
 */
export function layerMap(
  {source, statewide}: Layer,
  facts: LayerFacts,
  county: AskedCounty,
): LayerMap | null {
  const names = facts.fields.map(({name}) => name);
  const registered = registeredEntry(source, county);
  const fitting = registered !== null && unmetByColumns(registered, names).length === 0 ? registered : null;
  const entry =
    fitting === null
      ? proposedEntry({source, statewide}, facts, county)
      : withQueriedFields(fitting, source, names);
  if (entry === null) return null;
  const {cadastre} = source;
  const field = (name: string | undefined): AskField | null => {
    const known = facts.fields.find((each) => each.name.toLowerCase() === name?.toLowerCase());
    return known === undefined ? null : {name: known.name, numeric: isNumericType(known.type)};
  };
  const one = (column: string) => onlyName(entry, column);
  const staleId = cadastre.idField !== undefined && field(cadastre.idField) === null;
  const idName = staleId
    ? soleNumberField(facts.fields)
    : (cadastre.idField ?? ("none" in entry.ids ? undefined : namesOf(entry.ids.raw)[0]));
  const id = field(idName);
  const number = field(cadastre.numberField ?? one("situs_number"));
  const street = field(one("situs_name"));
  const line = field(cadastre.addressField ?? one("situs_raw")) ?? street;
  const isStreet = line !== null && line.name === street?.name;
  // A street's name alone holds no number: a question by number could match no row.
  const address = line === null || (isStreet && number === null) ? null : {...line, isStreet};
  const owner = mayGiveOwners(source) ? field(cadastre.ownerField) : null;
  const asked = [id, address, number, owner].flatMap((each) => each?.name ?? []);
  const read = mainNames(entry).flatMap((name) => resolveColumn(name, names) ?? []);
  return {
    entry,
    proposed: fitting === null || staleId,
    staleId,
    outFields: [...new Set([...asked, ...read])].filter((name) => listable.test(name)),
    id,
    address,
    number: number === null ? null : {...number, whole: number.name === one("situs_number")},
    owner,
    countyStated: entry.coverage.countyFrom !== county.key,
  };
}

/** The registry's map for one county; null for a layer without a map, or with one that needs joined tables. */
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
  const proposal = proposedLayerMap(source, facts.fields);
  if (proposal === null) return null;
  const {countyFrom, ...map} = proposal;
  return entryOf(source, map, {county, countyFrom: statewide ? (countyFrom ?? county.key) : county.key});
}

type FieldMap = Pick<ParcelSource, "ids" | "fields" | "vintage" | "owners" | "area" | "use" | "values">;
type CountyOfRows = {county: AskedCounty; countyFrom: ParcelSource["coverage"]["countyFrom"]};

/** Makes an entry. Owners that must not be given out are not mapped, so they are not requested either. */
function entryOf(source: LayerSource, map: FieldMap, {county, countyFrom}: CountyOfRows): ConformEntry {
  const {cadastre: _, accept: __, publisher: ___, ...facts} = source;
  return {
    ...facts,
    ...map,
    fields: withoutOwners(map.fields, mayGiveOwners(source)),
    coverage: {country: county.country, state: county.state, counties: [county.key], countyFrom},
  };
}

/** The single column that one of our fields comes from; undefined when there are none or several. */
function onlyName({fields}: ConformEntry, column: string): string | undefined {
  const [name, second] = namesOf(fields[column]);
  return second === undefined ? name : undefined;
}
