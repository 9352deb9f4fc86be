import {parcelColumns} from "../../schemas/parcel-columns.ts";
import {parcelFields} from "../../schemas/parcel-fields/table.ts";
import type {FieldSpec, ParcelSource} from "../../schemas/parcel-source.ts";
import {ColumnTaker, type SourceColumn} from "./column-taker.ts";
import {proposedDate} from "./propose-dates.ts";

/** A field map proposed from the names of columns, without the parts of an entry that no name tells. */
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
  /** Sentences on points that a person has to decide. */
  readonly notes: readonly string[];
};

const kinds = new Map(parcelColumns.map(({name, kind}) => [name, kind]));
const mostAltIds = 3;

/** The roles that take one column, which its name alone tells. */
const plainRoles = parcelFields.flatMap(({column}) => (column?.proposed ? [column.name] : []));

/**
 * Proposes a field map from the names of columns (and their types and cells, when given) by the table of
 * `data/reference/field-synonyms.json`; equal columns give an equal map. A column serves one role, and `idField` is the
 * parcel number whatever its name. Land-use systems are not guessed, and the order of owners' names is `unknown`. Throws a
 * `ConfigError` when the table is not valid.
 */
export function proposeFields(
  columns: readonly SourceColumn[],
  {idField}: {idField?: string | undefined} = {},
): FieldProposal {
  const taker = new ColumnTaker(columns);
  const ids = proposedIds(taker, idField);
  const countyFrom = taker.take("county");
  const area = proposedArea(taker);
  const use = proposedUse(taker);
  const vintage = proposedVintage(taker);
  const fields: Record<string, FieldSpec> = {};
  const owners = [taker.take("owner_raw"), taker.take("owner_second")].filter((name) => name !== null);
  if (owners.length > 0)
    fields.owner_raw = owners.length === 1 ? {from: owners[0]!} : {from: owners, transform: ["ownerLines"]};
  const mail = ["mail_line1", "mail_line2", "mail_line3"]
    .map((role) => taker.take(role))
    .filter((name) => name !== null);
  for (const role of plainRoles) {
    const name = taker.take(role);
    const spec = name === null ? null : fieldSpec(role, taker.column(name));
    if (name !== null && spec !== null) fields[role] = spec;
  }
  if (mail.length > 0) fields.mail_line1 = mailSpec(mail, fields.mail_city !== undefined);
  const published = fields.owner_raw !== undefined;
  return {
    ids,
    countyFrom,
    fields,
    vintage,
    owners: {published, order: "unknown"},
    ...(area === undefined ? {} : {area}),
    ...(use === undefined ? {} : {use}),
    ...proposedValues(fields),
    unused: columns.map(({name}) => name).filter((name) => !taker.isTaken(name)),
    notes: notesOn({ids, use, fields}),
  };
}

function proposedIds(taker: ColumnTaker, idField: string | undefined): FieldProposal["ids"] {
  if (idField !== undefined) taker.claim(idField);
  const raw = idField ?? parcelNumber(taker);
  if (raw === null) return null;
  const alt = taker.takeAll("alt_id", mostAltIds);
  const parent = taker.take("parent_id");
  return {raw, ...(alt.length === 0 ? {} : {alt}), ...(parent === null ? {} : {parent})};
}

/**
 * The surest column of a parcel number, before all one of text, since a number has lost leading zeros and signs; null
 * without one.
 */
function parcelNumber(taker: ColumnTaker): string | null {
  const candidates = taker.free("parcel_id");
  const best = candidates.find((name) => !isNumeric(taker.column(name))) ?? candidates[0] ?? null;
  if (best !== null) taker.claim(best);
  return best;
}

function isNumeric({type}: SourceColumn): boolean {
  return type !== undefined && /^esriFieldType(?:Double|Single|Integer|SmallInteger|BigInteger)$/.test(type);
}

/** The areas whose names tell the unit: deeded before assessed before computed. */
function proposedArea(taker: ColumnTaker): ParcelSource["area"] {
  const acres = [
    {name: taker.take("area_deeded_acres"), basis: "deeded" as const},
    {name: taker.take("area_acres"), basis: "assessed" as const},
    {name: taker.take("area_computed_acres"), basis: "computed" as const},
  ].flatMap(({name, basis}) => (name === null ? [] : [{name, basis}]));
  if (acres.length > 0)
    return {from: acres.map(({name}) => name), unit: "acres", basis: acres.map(({basis}) => basis)};
  const sqft = taker.take("area_sqft");
  return sqft === null ? undefined : {from: sqft, unit: "sqft", basis: "assessed"};
}

function proposedUse(taker: ColumnTaker): ParcelSource["use"] {
  const description = taker.take("use_description");
  const code = taker.take("use_code") ?? description;
  if (code === null) return undefined;
  return {systems: [], codeFrom: code, ...(description === null ? {} : {descriptionFrom: description})};
}

/** The sources of the vintage in order: roll year, date of the row, the layer's last edit, retrieval. */
function proposedVintage(taker: ColumnTaker): ParcelSource["vintage"] {
  const roll = taker.take("roll_year");
  const row = taker.take("row_date");
  const format = row === null ? null : proposedDate(taker.column(row));
  return [
    ...(roll === null ? [] : [{rollYear: roll}]),
    ...(row === null || format === null ? [] : [{row, format}]),
    "layer_edit",
    "retrieved",
  ];
}

/** The spec that fills a role from a column; null for dates in an unknown form. */
function fieldSpec(role: string, column: SourceColumn): FieldSpec | null {
  const from = column.name;
  if (role === "zip") return {from, transform: ["zip5"]};
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

/**
 * The spec of mail lines. They are joined beside a city column; without one the last line holds the city and is read later.
 */
function mailSpec(lines: readonly string[], hasCity: boolean): FieldSpec {
  if (lines.length === 1) return {from: lines[0]!};
  return {from: [...lines], ...(hasCity ? {transform: ["join:, "]} : {})};
}

/**
 * The kinds of money values. Land and buildings are parts of the assessed value, or of the market value when that is the
 * only one.
 */
function proposedValues(fields: Readonly<Record<string, FieldSpec>>): {values?: ParcelSource["values"]} {
  const totals = {
    assessed_value: "assessed",
    market_value: "market",
    taxable_value: "taxable",
    use_value: "use",
  } as const;
  const has = (column: string) => fields[column] !== undefined;
  const found = Object.entries(totals).filter(([column]) => has(column));
  const part = has("market_value") && !has("assessed_value") ? "market" : "assessed";
  const parts = ["land_value", "building_value"].filter(has).map((column) => [column, part] as const);
  if (found.length + parts.length === 0) return {};
  return {values: {...Object.fromEntries([...found, ...parts]), zeroMeans: "unknown"}};
}

function notesOn({ids, use, fields}: Pick<FieldProposal, "ids" | "use" | "fields">): string[] {
  const notes: string[] = [];
  if (ids === null)
    notes.push(
      "no column looks like a parcel number: name it in ids.raw, or say ids.none with the fields that tell records apart",
    );
  if (use !== undefined) notes.push("use.systems is empty: name the code system of the land-use map");
  if (fields.owner_raw !== undefined)
    notes.push(
      "owners.order is unknown, and terms.redistributeOwners is false until a person has read the terms",
    );
  if (fields.land_value !== undefined)
    notes.push("values: whether the parts are of the assessed or of the market value is read from the names");
  return notes;
}
