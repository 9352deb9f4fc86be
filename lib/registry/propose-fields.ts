import type {FieldSpec} from "../../schemas/field-map.ts";
import {parcelColumns} from "../../schemas/parcel-columns.ts";
import {parcelFields} from "../../schemas/parcel-fields/table.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {type Choice, ColumnClaims, type SourceColumn} from "./column-claims.ts";
import {ColumnValues, memberOf, memberPaths} from "./column-values.ts";
import {yearInName} from "./field-synonyms.ts";
import {proposedAddresses} from "./propose-addresses.ts";
import {proposedIds, proposedUse} from "./propose-ids.ts";
import {proposedPlace} from "./propose-place.ts";
import {proposedArea, proposedDate, proposedValues} from "./propose-values.ts";

/** A field map proposed from the names and cells of columns, without the parts of an entry that neither tells. */
export type FieldProposal = Pick<
  ParcelSource,
  "fields" | "vintage" | "owners" | "values" | "area" | "use"
> & {
  /** Null when no column looks like a parcel number. */
  readonly ids: {raw: string; alt?: string[]; parent?: string} | null;
  /** The column with the county's key or name, or null. */
  readonly countyFrom: string | null;
  /** Columns that the map does not use, in the table's order. */
  readonly unused: readonly string[];
  /** Roles for which several columns were candidates. */
  readonly choices: readonly Choice[];
  /** Sentences on points that a person has to decide. */
  readonly notes: readonly string[];
};

/** Facts of a table beside its columns. */
type ProposalContext = {
  /** The parcel number, where a person or the registry names it. */
  readonly idField?: string | undefined;
  /** Two letters; without a state, values are not judged by where they are. */
  readonly state?: string | undefined;
  /** Acres of the outlines of the sampled rows. */
  readonly outlineAcres?: readonly (number | null)[] | undefined;
};

const kinds = new Map(parcelColumns.map(({name, kind}) => [name, kind]));

/** The roles that take one column by its name, if its cells can be of the role. */
const plainRoles = parcelFields.flatMap(({column}) => (column?.proposed ? [column.name] : []));

/**
 * Proposes a field map from the names of columns (and their types and cells, when given) by the table of
 * `data/reference/field-synonyms.json` and the rules of `docs/design/parcels.md` section 3; equal columns give an equal map.
 * A column serves one role, except an account that also finds the parcel and a column that holds both code and description of a use. Throws a
 * `ConfigError` when the table is not valid.
 */
export function proposeFields(
  columns: readonly SourceColumn[],
  {idField, state, outlineAcres}: ProposalContext = {},
): FieldProposal {
  const members = columns.flatMap(membersOf);
  const claims = new ColumnClaims([...columns, ...members], state);
  const ids = proposedIds(claims, idField);
  const countyFrom = claims.take("county");
  const addresses = proposedAddresses(claims);
  const area = proposedArea(claims, outlineAcres);
  const use = proposedUse(claims);
  const {fields: money, values} = proposedValues(claims);
  const vintage = proposedVintage(claims, money);
  const fields: Record<string, FieldSpec> = {...proposedOwner(claims), ...addresses, ...money};
  if (ids?.account !== undefined && ids.account !== null) fields.account_id = {from: ids.account};
  for (const role of plainRoles) {
    if (fields[role] !== undefined || role in addressRoles) continue;
    const name = role === "source_url" ? pageOfParcel(claims) : claims.take(role);
    const spec = name === null ? null : fieldSpec(role, claims.column(name));
    if (name !== null && spec !== null) fields[role] = spec;
  }
  Object.assign(fields, proposedPlace(claims, fields), joinedParts(claims, fields));
  const order = ownerOrder(claims, fields.owner_raw);
  for (const [column, spec] of Object.entries(fields)) fields[column] = openedSpec(spec, claims);
  const read = new Set(Object.values(fields).flatMap(({from}) => from ?? []));
  return {
    ids: ids === null ? null : idSpec(ids),
    countyFrom,
    fields,
    vintage,
    owners: {published: fields.owner_raw !== undefined, order},
    ...(area === undefined ? {} : {area}),
    ...(use === undefined ? {} : {use}),
    ...(values === undefined ? {} : {values}),
    unused: claims.names.filter((name) => !claims.isTaken(name) && !read.has(name)),
    choices: claims.choices,
    notes: [...notesOn({ids, use, fields, values}), ...nestedNotes(claims, fields)],
  };
}

/** The members of the dictionaries in a column as columns; none for a column of plain cells. */
function membersOf({name: column, samples = []}: SourceColumn): SourceColumn[] {
  const values = new ColumnValues(samples);
  if (!values.isNested) return [];
  return memberPaths(values.filled).map((path) => ({
    name: `${column} ${path.join(" ")}`,
    samples: samples.map((cell) => path.reduce<string>((text, name) => memberOf(text, name) ?? "", cell)),
    memberOf: {column, path},
  }));
}

/** The spec with the members that it names read from their columns; of several members the first. */
function openedSpec(spec: FieldSpec, claims: ColumnClaims): FieldSpec {
  const [first] = [spec.from ?? []].flat();
  const member = first === undefined ? undefined : claims.column(first).memberOf;
  if (member === undefined) return spec;
  const steps = (spec.transform ?? []).filter((step) => !step.startsWith("join:") && step !== "ownerLines");
  return {from: member.column, transform: [...member.path.map((name) => `member:${name}`), ...steps]};
}

/** Names the columns whose cells hold members that the map does not read. */
function nestedNotes(claims: ColumnClaims, fields: Readonly<Record<string, FieldSpec>>): string[] {
  const read = new Set(Object.values(fields).flatMap(({from}) => from ?? []));
  return claims.names.flatMap((name) => {
    const values = claims.values(name);
    if (!values.isNested || read.has(name)) return [];
    const members = values.members.slice(0, 8).join(", ");
    return [
      `${name} holds dictionaries or lists (${members}) that are not read; the transform member:<name> reads one`,
    ];
  });
}

const addressRoles: Readonly<Record<string, true>> = {
  city: true,
  zip: true,
  mail_city: true,
  mail_state: true,
  mail_zip: true,
};

function idSpec({raw, alt, parent}: NonNullable<ReturnType<typeof proposedIds>>): FieldProposal["ids"] {
  return {raw, ...(alt.length === 0 ? {} : {alt}), ...(parent === null ? {} : {parent})};
}

function proposedOwner(claims: ColumnClaims): Record<string, FieldSpec> {
  const [last, first] = [claims.free("owner_last")[0], claims.free("owner_first")[0]];
  const hasWhole = claims.free("owner_raw").some((name) => name !== last && name !== first);
  if (last !== undefined && first !== undefined && !hasWhole) {
    claims.claim(last, first);
    return {owner_raw: {from: [last, first], transform: ["join"]}};
  }
  const owner = claims.take("owner_raw");
  const second = claims.take("owner_second");
  const taxpayer = claims.free("taxpayer")[0] ?? null;
  if (owner !== null && second === null && taxpayer !== null) {
    claims.chose("owner_raw", [owner, taxpayer]);
    // Some tables print the owner only where the taxpayer is another; then the taxpayer is the owner of all others.
    const filled = (name: string) => claims.values(name).filled.length;
    if (filled(owner) * 2 < filled(taxpayer)) {
      claims.claim(taxpayer);
      return {owner_raw: {from: [owner, taxpayer]}};
    }
  }
  if (owner === null && taxpayer !== null) claims.claim(taxpayer);
  const owners = [owner ?? taxpayer, second].filter((name) => name !== null);
  if (owners.length === 0) return {};
  return {owner_raw: owners.length === 1 ? {from: owners[0]!} : {from: owners, transform: ["ownerLines"]}};
}

/**
 * `last_comma_first` where most names have a comma behind their first word, `last_first` where names are joined of two columns; else
 * the order is not known.
 */
function ownerOrder(
  claims: ColumnClaims,
  owner: FieldSpec | undefined,
): "last_comma_first" | "last_first" | "unknown" {
  if (owner?.transform?.includes("join")) return "last_first";
  const [name] = [owner?.from ?? []].flat();
  const share = name === undefined ? 0 : claims.values(name).share((cell) => /^[A-Z'-]+, ?[A-Z]/i.test(cell));
  return share >= 0.4 ? "last_comma_first" : "unknown";
}

/** The sources of the vintage in order: roll year, date of the row, the layer's last edit, retrieval. */
function proposedVintage(
  claims: ColumnClaims,
  money: Readonly<Record<string, FieldSpec>>,
): ParcelSource["vintage"] {
  const years = new Set(
    Object.values(money).map(({from}) => (typeof from === "string" ? yearInName(from) : null)),
  );
  const [only = null] = years.size === 1 ? years : [];
  const roll = claims.take("roll_year") ?? yearColumn(claims) ?? only;
  const row = claims.take("row_date");
  const format = row === null ? null : proposedDate(claims.column(row));
  return [
    ...(roll === null ? [] : [{rollYear: roll}]),
    ...(row === null || format === null ? [] : [{row, format}]),
    "layer_edit",
    "retrieved",
  ];
}

/** A column of years whose name says so in words of its own (`GRAND_LIST_YR`), but for a year of building. */
function yearColumn(claims: ColumnClaims): string | null {
  const isYears = (name: string) =>
    /(?:^|[^A-Z])(?:YEAR|YR)$|^(?:YEAR|YR)(?:[^A-Z]|$)/i.test(name) &&
    !/BUILT|BLT|CONST|EFF|REMOD|SALE|PREV|PRIOR|ACT/i.test(name) &&
    claims.values(name).filled.length >= 5 &&
    claims.values(name).share((cell) => /^(?:199|20\d)\d(?:\.0+)?$/.test(cell)) >= 0.9;
  const found = claims.names.find((name) => !claims.isTaken(name) && isYears(name)) ?? null;
  if (found !== null) claims.claim(found);
  return found;
}

/** The column of the parcel's own page: by its name, else one of addresses that differ from row to row. */
function pageOfParcel(claims: ColumnClaims): string | null {
  const named = claims.take("source_url");
  if (named !== null) return named;
  const isPage = (name: string) => {
    const values = claims.values(name);
    return (
      values.filled.length >= 5 &&
      values.distinct >= 0.8 &&
      values.share((cell) => /^https?:\/\/.*\d{3}/.test(cell)) >= 0.9
    );
  };
  const found = claims.names.find((name) => !claims.isTaken(name) && isPage(name)) ?? null;
  if (found !== null) claims.claim(found);
  return found;
}

/** Numbers of deeds and places of the land survey that stand in several columns. */
function joinedParts(
  claims: ColumnClaims,
  fields: Readonly<Record<string, FieldSpec>>,
): Record<string, FieldSpec> {
  const joined: Record<string, FieldSpec> = {};
  const parts = {
    transfer_doc_num: {roles: ["deed_book", "deed_page"], by: "/"},
    sec_twn_rng: {roles: ["section", "township", "range"], by: "-"},
  };
  for (const [column, {roles, by}] of Object.entries(parts)) {
    const names = roles.map((role) => claims.free(role)[0]);
    if (fields[column] !== undefined || names.some((name) => name === undefined)) continue;
    claims.claim(...(names as string[]));
    joined[column] = {from: names as string[], transform: [`join:${by}`]};
  }
  return joined;
}

/** The spec that fills a role from a column; null for dates in an unknown form. */
function fieldSpec(role: string, column: SourceColumn): FieldSpec | null {
  const from = column.name;
  switch (kinds.get(role)) {
    case "money":
      return {from, transform: ["money"]};
    case "int32":
      return {from, transform: ["number"]};
    case "date": {
      const format = proposedDate(column);
      return format === null ? null : {from, transform: [format]};
    }
    default:
      return {from};
  }
}

function notesOn({
  ids,
  use,
  fields,
  values,
}: Pick<FieldProposal, "use" | "fields" | "values"> & {ids: object | null}): string[] {
  const notes: string[] = [];
  if (ids === null)
    notes.push(
      "no column looks like a parcel number: name it in ids.raw, or say ids.none with the fields that tell records apart",
    );
  if (use?.systems.length === 0)
    notes.push(
      "use.systems is empty: no table of the state fits the codes; a description is read by its words",
    );
  if (fields.owner_raw !== undefined)
    notes.push("terms.redistributeOwners is false until a person has read the terms: no owner is shown");
  if (values?.land_value !== undefined || values?.building_value !== undefined)
    notes.push(
      `values: land and buildings are taken as parts of the ${values.land_value ?? values.building_value} value`,
    );
  return notes;
}
