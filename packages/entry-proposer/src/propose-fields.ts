import {ColumnClaims} from "./column-claims.ts";
import {fitsRole} from "./column-fits.ts";
import {ColumnValues, memberOf, memberPaths} from "./column-values.ts";
import type {FieldProposal, FieldSpec, ProposalContext, SourceColumn} from "./field-proposal.ts";
import {plainColumns, yearInName} from "./field-synonyms.ts";
import {proposedAddresses} from "./propose-addresses.ts";
import {type IdColumns, keyOfRows, proposedIds} from "./propose-ids.ts";
import {ownerOrder, ownersBesideMail} from "./propose-owner.ts";
import {proposedPlace} from "./propose-place.ts";
import {proposedUse} from "./propose-use.ts";
import {proposedArea, proposedDate, proposedValues} from "./propose-values.ts";

/**
 * Proposes a field map from column names, types and cells, by the synonyms of
 * `data/field-synonyms.json` and by what the cells look like; the same columns
 * give the same map. A column serves one role, except an account that also identifies the parcel and a column
 * with both code and description of a use.
 */
export function proposeFields(
  columns: readonly SourceColumn[],
  {idField, state, outlineAcres, facts}: ProposalContext = {},
): FieldProposal {
  const members = columns.flatMap(membersOf);
  const claims = new ColumnClaims([...columns, ...members], state, facts);
  const ids = proposedIds(claims, idField);
  const countyFrom = claims.take("county");
  const addresses = proposedAddresses(claims);
  const area = proposedArea(claims, outlineAcres);
  const use = proposedUse(claims);
  const {fields: money, values} = proposedValues(claims);
  const vintage = proposedVintage(claims, money);
  const fields: Record<string, FieldSpec> = {...addresses, ...ownersBesideMail(claims, addresses), ...money};
  if (ids?.account !== undefined && ids.account !== null) fields.account_id = {from: ids.account};
  for (const role of plainColumns.keys()) {
    if (fields[role] !== undefined) continue;
    const name = role === "source_url" ? pageOfParcel(claims) : claims.take(role);
    const spec = name === null ? null : fieldSpec(role, claims.column(name));
    if (name !== null && spec !== null)
      fields[role] = role === "legal_desc" ? withNextLines(name, claims) : spec;
  }
  const price = fields.transfer_date === undefined ? null : claims.take("price_bare");
  if (price !== null) fields.transfer_price ??= {from: price, transform: ["money"]};
  Object.assign(fields, proposedPlace(claims, fields), joinedParts(claims, fields));
  const order = ownerOrder(claims, fields.owner_raw);
  for (const [column, spec] of Object.entries(fields)) fields[column] = memberSpec(spec, claims);
  const mappedColumns = new Set(Object.values(fields).flatMap(({from}) => from ?? []));
  const sizes = {area: [area?.from ?? []].flat(), outlineAcres: outlineAcres ?? []};
  const key = ids === null ? keyOfRows(fields, claims, sizes) : null;
  return {
    ids: ids === null ? null : idSpec(ids),
    key,
    countyFrom,
    fields,
    vintage,
    owners: {published: fields.owner_raw !== undefined, order},
    ...(area === undefined ? {} : {area}),
    ...(use === undefined ? {} : {use}),
    ...(values === undefined ? {} : {values}),
    unused: claims.names.filter((name) => !claims.isTaken(name) && !mappedColumns.has(name)),
    choices: claims.choices,
    notes: [...notesOn({ids, key, use, fields, values}), ...nestedNotes(claims, fields)],
  };
}

/** The members of a column's dictionaries, as columns; none for plain cells. */
function membersOf({name: column, samples = []}: SourceColumn): SourceColumn[] {
  const values = new ColumnValues(samples);
  if (!values.isNested) return [];
  return memberPaths(values.filled).map((path) => ({
    name: `${column} ${path.join(" ")}`,
    samples: samples.map((cell) => path.reduce<string>((text, name) => memberOf(text, name) ?? "", cell)),
    memberOf: {column, path},
  }));
}

/**
 * Rewrites a spec that names a dictionary member so that it reads the member from its column; of several
 * members it takes the first.
 */
function memberSpec(spec: FieldSpec, claims: ColumnClaims): FieldSpec {
  const [first] = [spec.from ?? []].flat();
  const member = first === undefined ? undefined : claims.column(first).memberOf;
  if (member === undefined) return spec;
  const steps = (spec.transform ?? []).filter((step) => !step.startsWith("join:") && step !== "ownerLines");
  return {from: member.column, transform: [...member.path.map((name) => `member:${name}`), ...steps]};
}

/** Names the columns whose dictionaries or lists the map does not read. */
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

/** The spec of a text that goes on in further columns of the same name (`LEGAL1`, `LEGAL2`). */
function withNextLines(first: string, claims: ColumnClaims): FieldSpec {
  const stem = first.replace(/[_ ]?0?1$/, "");
  const lineOf = (name: string) =>
    name.startsWith(stem) ? Number(/^[_ ]?0?([2-9])$/.exec(name.slice(stem.length))?.[1] ?? 0) : 0;
  const next = claims.names
    .filter((name) => lineOf(name) > 0 && !claims.isTaken(name))
    .toSorted((a, b) => lineOf(a) - lineOf(b));
  claims.claim(...next);
  return next.length === 0 ? {from: first} : {from: [first, ...next], transform: ["join"]};
}

function idSpec({raw, alt, parent}: NonNullable<ReturnType<typeof proposedIds>>): FieldProposal["ids"] {
  return {raw, ...(alt.length === 0 ? {} : {alt}), ...(parent === null ? {} : {parent})};
}

/**
 * The vintage's sources in order of preference: roll year, date of the row, the layer's last edit, retrieval.
 */
function proposedVintage(
  claims: ColumnClaims,
  money: Readonly<Record<string, FieldSpec>>,
): FieldProposal["vintage"] {
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

/**
 * A column of years whose name contains YEAR or YR as a word (`GRAND_LIST_YR`), except a year of
 * construction, sale and the like.
 */
function yearColumn(claims: ColumnClaims): string | null {
  const isYears = (name: string) =>
    /(?:^|[^A-Z])(?:YEAR|YR)$|^(?:YEAR|YR)(?:[^A-Z]|$)/i.test(name) &&
    !/BUILT|BLT|CONST|EFF|REMOD|SALE|SOLD|PURCH|ACQ|DEED|TRANS|PREV|PRIOR|ACT/i.test(name) &&
    fitsRole("roll_year", claims.values(name), claims.state) &&
    claims.values(name).filled.length >= 5 &&
    claims.values(name).share((cell) => /^(?:199|20\d)\d(?:\.0+)?$/.test(cell)) >= 0.9;
  const found = claims.names.find((name) => !claims.isTaken(name) && isYears(name)) ?? null;
  if (found !== null) claims.claim(found);
  return found;
}

/**
 * The column with the URL of the parcel's own page: by name, or else a column of URLs that differ from row to
 * row.
 */
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

/** Land-survey locations that are split over several columns. */
function joinedParts(
  claims: ColumnClaims,
  fields: Readonly<Record<string, FieldSpec>>,
): Record<string, FieldSpec> {
  const joined: Record<string, FieldSpec> = {};
  const parts = {sec_twn_rng: {roles: ["section", "township", "range"], by: "-"}};
  for (const [column, {roles, by}] of Object.entries(parts)) {
    const names = roles.map((role) => claims.unclaimed(role)[0]);
    if (fields[column] !== undefined || names.some((name) => name === undefined)) continue;
    claims.claim(...(names as string[]));
    joined[column] = {from: names as string[], transform: [`join:${by}`]};
  }
  return joined;
}

/** The spec that fills a role from a column; null for dates in an unknown format. */
function fieldSpec(role: string, column: SourceColumn): FieldSpec | null {
  const from = column.name;
  switch (plainColumns.get(role)) {
    case "money":
      return {from, transform: ["money"]};
    case "number":
      return {from, transform: ["number"]};
    case "date": {
      // Without cells each row's own format decides.
      const isUnseen = (column.samples ?? []).every((cell) => cell.trim() === "");
      const format = proposedDate(column) ?? (isUnseen ? "date" : null);
      return format === null ? null : {from, transform: [format]};
    }
    default:
      return {from};
  }
}

function notesOn({
  ids,
  key,
  use,
  fields,
  values,
}: Pick<FieldProposal, "key" | "use" | "fields" | "values"> & {ids: IdColumns | null}): string[] {
  const notes: string[] = [];
  if (key !== null)
    notes.push(
      `no column is a parcel number: ids.none with ${key.join(", ")}. Parcels are found by address, owner and place, never by number; rows of one key and outline are one parcel where all their facts are equal, else each is one (uid with ~2); a later file with numbers replaces them. If a column is the number, name it (--parcel-number)`,
    );
  else if (ids === null)
    notes.push(
      "no column looks like a parcel number: name it in ids.raw, or say ids.none with the fields that tell records apart",
    );
  if (ids?.isGuessed)
    notes.push(
      "no name of a column tells the parcel number; ids.raw is the first column with a code of its own in each row: check it",
    );
  if (use?.systems.length === 0)
    notes.push(
      "use.systems is empty: no table of the state fits the codes; a description is read by its words",
    );
  if (fields.situs_raw === undefined && fields.situs_name === undefined)
    notes.push("no column looks like the address of the land: no parcel is found by its address");
  if (fields.owner_raw === undefined) notes.push("no column looks like the owner");
  if (fields.owner_raw !== undefined)
    notes.push("terms.redistributeOwners is false until a person has read the terms: no owner is shown");
  if (values?.land_value !== undefined || values?.building_value !== undefined)
    notes.push(
      `values: land and buildings are taken as parts of the ${values.land_value ?? values.building_value} value`,
    );
  return notes;
}
