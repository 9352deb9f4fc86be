import type {FieldOrSpec} from "../../../schemas/field-map.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {loadParcelSources, registeredCadastreSource} from "../../registry/parcel-sources.ts";
import {namesOf, prefixOf} from "../conform/column-references.ts";
import type {OwnerOrder} from "../owner/owner-names.ts";

/** The members of a registry entry that answers need. */
export type SourceEntry = Pick<
  ParcelSource,
  "id" | "name" | "licence" | "attribution" | "url" | "joins" | "owners" | "area" | "use"
> & {
  readonly publisher?: string | undefined;
  readonly coverage?: {readonly places?: readonly string[] | undefined} | undefined;
  readonly fields?: ParcelSource["fields"] | undefined;
  readonly vintage?: ParcelSource["vintage"] | undefined;
};

/** Looks up the registry entry of a source id; undefined when there is none. */
export type SourceRegistry = (id: string) => SourceEntry | undefined;

let entries: ReadonlyMap<string, SourceEntry> | undefined;

/**
 * The bulk sources of `data/sources/parcels`, read on the first call, and the layers that are only queried on
 * a miss. Throws a `ConfigError` for an invalid entry.
 */
export function registeredSource(id: string): SourceEntry | undefined {
  entries ??= new Map(loadParcelSources().map((entry) => [entry.id, entry]));
  return entries.get(id) ?? registeredCadastreSource(id);
}

/** True when the source's field map, area or use rule fills a column from a joined table. */
export function isJoined(entry: SourceEntry, column: string): boolean {
  return namesFor(entry, column).some((name) => prefixOf(name, entry) !== null);
}

/** True when the source's field map names a column; other columns are derived. */
export function isMapped(entry: SourceEntry, column: string): boolean {
  return entry.fields?.[column] !== undefined;
}

/** The order in which a source prints personal names; `unknown` for an unregistered source. */
export function ownerOrder(entry: SourceEntry | undefined): OwnerOrder {
  return entry?.owners?.order ?? "unknown";
}

/**
 * The entry's URL if it is a plain web page; a URL with a query is never shown, because it may hold a token.
 */
export function publicUrl({url}: SourceEntry): string | undefined {
  return url !== undefined && /^https?:\/\/[^\s?#@]+$/.test(url) ? url : undefined;
}

function namesFor(entry: SourceEntry, column: string): string[] {
  const spec = entry.fields?.[column] as FieldOrSpec | undefined;
  if (spec !== undefined) return namesOf(spec);
  if (column === "acres") return [entry.area?.from ?? []].flat();
  if (column === "use_code") return [entry.use?.codeFrom ?? []].flat();
  return column === "use_description" ? [entry.use?.descriptionFrom ?? []].flat() : [];
}
