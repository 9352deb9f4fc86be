import type {FieldOrSpec, FieldSpec} from "../../../schemas/field-map.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {ConfigError, messageOf} from "../../errors.ts";
import {sqlName} from "../../sql/duckdb.ts";
import {resolveColumn} from "./file-cells.ts";
import {type WhereSql, whereSql} from "./where-sql.ts";

/** Names in an entry's `joins.on.ours` that mean our columns, not source fields. */
const keyColumns: ReadonlySet<string> = new Set(["county_key", "parcel_id"]);

/** The members of an entry, or of a layer's proposed map, that conforming needs. */
export type ConformEntry = Omit<ParcelSource, "accept" | "publisher">;

/** A requirement of an entry: its source must have at least one of the names. */
export type Need = {readonly what: string; readonly names: readonly string[]};

/** The names in a field spec, in order. */
export function namesOf(spec: FieldOrSpec | undefined): string[] {
  if (spec === undefined) return [];
  if (typeof spec === "string") return [spec];
  const names = spec.from === undefined ? [] : [spec.from].flat();
  return spec.join === undefined ? names : names.map((name) => `${spec.join}.${name}`);
}

/**
 * The prefix of the joined table that a name belongs to, or null for the main table; names may contain dots.
 */
export function prefixOf(name: string, entry: Pick<ConformEntry, "joins">): string | null {
  return entry.joins?.find(({prefix}) => name.startsWith(`${prefix}.`))?.prefix ?? null;
}

/** The column of a cell. Capitals are marked, because DuckDB ignores case but names may differ only in case. */
export function cellName(name: string): string {
  return name.replace(/[A-Z^]/g, "^$&");
}

/** The SQL cell of a name. */
export function cellSql(name: string): string {
  return sqlName(cellName(name));
}

/** True when `coverage.countyFrom` is a county key rather than a field. */
function isCountyKey(text: string): boolean {
  return /^(?:\d{5}|MB\d{3})$/.test(text);
}

/**
 * The entry's `where` clause, which selects the rows that are parcels; null for all rows. Throws a
 * `ConfigError` for a clause that cannot be parsed.
 */
export function parcelsWhere({id, where}: Pick<ConformEntry, "id" | "where">): WhereSql | null {
  if (where === undefined) return null;
  try {
    return whereSql(where, cellSql);
  } catch (error) {
    throw new ConfigError(`${id}: where: ${messageOf(error)}.`);
  }
}

/**
 * Value of `coverage.countyFrom` for a source that names no county: use the county that contains the row's
 * point.
 */
const byPoint = "@point";

/**
 * Where a row's county comes from: a key for all rows, the row's point, or a field; null when the entry does
 * not say.
 */
export function countyOrigin({
  coverage,
}: Pick<ConformEntry, "coverage">): {constant: string} | {point: true} | {field: FieldOrSpec} | null {
  const {countyFrom, counties} = coverage;
  if (countyFrom === byPoint) return {point: true};
  if (typeof countyFrom === "string" && isCountyKey(countyFrom)) return {constant: countyFrom};
  if (countyFrom !== undefined) return {field: countyFrom};
  return counties !== "all" && counties.length === 1 ? {constant: counties[0]!} : null;
}

/** All requirements of an entry. */
function entryNeeds(entry: ConformEntry): Need[] {
  const {ids, area, owners, use, vintage, joins = []} = entry;
  const origin = countyOrigin(entry);
  const each = (what: string, spec: FieldOrSpec | undefined): Need[] => {
    const names = namesOf(spec);
    return names.length === 0 ? [] : [{what, names}];
  };
  const list = (what: string, names: string | readonly string[] | undefined): Need[] =>
    names === undefined ? [] : [{what, names: [names].flat()}];
  return [
    ...(origin !== null && "field" in origin ? each("coverage.countyFrom", origin.field) : []),
    ...("none" in ids
      ? ids.key.map((name) => ({what: "ids.key", names: [name]}))
      : [
          ...each("ids.raw", ids.raw),
          ...(ids.alt ?? []).flatMap((alt) => each("ids.alt", alt)),
          ...each("ids.parent", ids.parent),
          ...(ids.line ?? []).map((name) => ({what: "ids.line", names: [name]})),
        ]),
    ...Object.entries(entry.fields).flatMap(([column, spec]) => each(`fields.${column}`, spec as FieldSpec)),
    ...(parcelsWhere(entry)?.names ?? []).map((name) => ({what: "where", names: [name]})),
    ...list("area.from", area?.from),
    ...list("area.unitFrom", area?.unitFrom),
    ...list("owners.confidentialFlag", owners?.confidentialFlag),
    ...list("use.codeFrom", use?.codeFrom),
    ...list("use.descriptionFrom", use?.descriptionFrom),
    ...list("use.taxStatusFrom", use?.taxStatusFrom),
    ...list("use.agAcresFrom", use?.agAcresFrom),
    ...list("use.linesFrom", use?.linesFrom),
    ...vintage.flatMap((rule) => vintageNeeds(rule)),
    ...joins.flatMap(({on}) =>
      [on.ours]
        .flat()
        .filter((name) => !keyColumns.has(name))
        .map((name) => ({what: "joins.on.ours", names: [name]})),
    ),
  ];
}

function vintageNeeds(rule: ConformEntry["vintage"][number]): Need[] {
  if (typeof rule === "string" || "edition" in rule) return [];
  if ("row" in rule) return [{what: "vintage", names: [rule.row]}];
  const names = typeof rule.rollYear === "number" ? [] : namesOf(rule.rollYear);
  return names.length === 0 ? [] : [{what: "vintage", names}];
}

/** The names of the main table that an entry uses, sorted and unique. */
export function mainNames(entry: ConformEntry): string[] {
  return unique(
    entryNeeds(entry)
      .flatMap(({names}) => names)
      .filter((name) => prefixOf(name, entry) === null),
  );
}

/** The names of a joined table that an entry uses, without the prefix and including the join keys. */
export function joinNames(entry: ConformEntry, prefix: string): string[] {
  const join = entry.joins?.find((each) => each.prefix === prefix);
  const used = entryNeeds(entry).flatMap(({names}) => names);
  const own = used
    .filter((name) => prefixOf(name, entry) === prefix)
    .map((name) => name.slice(prefix.length + 1));
  return unique([
    ...own,
    ...[join?.on.theirs ?? []].flat(),
    ...(join?.oncePer === undefined ? [] : [join.oncePer]),
  ]);
}

/** The requirements for which a source has none of the names; a missing outline column is allowed. */
export function unmetNeeds(entry: ConformEntry, found: ReadonlySet<string>): Need[] {
  return entryNeeds(entry)
    .filter(({what}) => what !== "fields.geometry")
    .map(({what, names}) => ({what, names: names.filter((name) => prefixOf(name, entry) === null)}))
    .filter(({names}) => names.length > 0 && !names.some((name) => found.has(name)));
}

/** Without these no row has a number or county, the wrong rows would be read, or owners shown that must not be. */
const indispensable: ReadonlySet<string> = new Set([
  "ids.raw",
  "ids.key",
  "coverage.countyFrom",
  "where",
  "joins.on.ours",
  "joins.on.theirs",
  "owners.confidentialFlag",
]);

/**
 * True if a table is no part of a source: of all requirements it meets none without which rows cannot be read, and less than half of the
 * others. A part that lost or renamed a column meets more.
 */
export function isForeign(all: readonly Need[], unmet: readonly Need[]): boolean {
  const indispensableOf = (needs: readonly Need[]) => needs.filter(isIndispensable).length;
  return indispensableOf(unmet) === indispensableOf(all) && 2 * (all.length - unmet.length) < all.length;
}

/** The requirements of a joined table that a table with these names does not meet. */
export function unmetOfJoin(entry: ConformEntry, prefix: string, found: ReadonlySet<string>): Need[] {
  const theirs = [entry.joins?.find((each) => each.prefix === prefix)?.on.theirs ?? []].flat();
  return joinNames(entry, prefix)
    .filter((name) => !found.has(name))
    .map((name) => ({what: theirs.includes(name) ? "joins.on.theirs" : `joins.${prefix}`, names: [name]}));
}

/** True for a requirement without which an entry's rows cannot be read; without any other, only its own fact is lost. */
export function isIndispensable({what}: Pick<Need, "what">): boolean {
  return indispensable.has(what);
}

/** The requirements that a table with these columns does not meet. */
export function unmetByColumns(entry: ConformEntry, columns: readonly string[]): Need[] {
  const found = new Set(mainNames(entry).filter((name) => resolveColumn(name, columns) !== undefined));
  return unmetNeeds(entry, found);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
