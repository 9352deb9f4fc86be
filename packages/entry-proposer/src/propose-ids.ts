import type {ColumnClaims} from "./column-claims.ts";
import type {ColumnValues} from "./column-values.ts";
import type {FieldOrSpec, FieldSpec, SourceColumn} from "./field-proposal.ts";
import {bareName} from "./field-synonyms.ts";

/** The columns of parcel numbers; `account` is that of the roll account, and `isGuessed` tells that only its cells speak for `raw`. */
export type IdColumns = {
  raw: FieldOrSpec;
  alt: string[];
  parent: string | null;
  account: string | null;
  isGuessed?: boolean;
};

const maxAltIds = 3;
const otherNumbers =
  /PREV|PRIOR|OLD|FORMER|PARENT|ADD(?:ITIONA|T?)L|OWNER|ADDR|COUNT|DATE|OBJECT|GLOBAL|BOOK|PAGE/i;

/**
 * Chooses the parcel number, other ids that identify the parcel, the parent parcel and the account; null when
 * no column looks like a parcel number. A given `idField` is always the parcel number.
 */
export function proposedIds(claims: ColumnClaims, idField: string | undefined): IdColumns | null {
  if (idField !== undefined) claims.claim(idField);
  const parent = claims.take("parent_id");
  const account = claims.take("account_id");
  const raw = idField ?? parcelNumber(claims) ?? numberOfAccount(account, claims);
  if (raw === null)
    return numberInParts(claims, {parent, account}) ?? guessedNumber(claims, {parent, account});
  claims.claim(raw);
  if (raw === account) return {raw, alt: [], parent, account: null};
  const alt: string[] = [];
  for (const name of [
    ...claims.unclaimed("alt_id"),
    ...claims.unclaimed("parcel_id").filter((each) => isUnique(each, claims)),
    ...claims.names.filter((each) => looksLikeIds(each, claims.values(each)) && isUnique(each, claims)),
  ]) {
    if (claims.isTaken(name)) continue;
    const known = [raw, ...alt].some((other) => sameCells(claims.values(other), claims.values(name)));
    if (!known && alt.length < maxAltIds) alt.push(name);
    claims.claim(name);
  }
  const finds = account !== null && claims.values(account).distinct >= 0.5;
  return {raw, alt: finds ? [...alt, account] : alt, parent, account};
}

/** Falls back to the account number when it is unique in each row. */
function numberOfAccount(account: string | null, claims: ColumnClaims): string | null {
  return account !== null && isUnique(account, claims) ? account : null;
}

type OtherIds = Pick<IdColumns, "parent" | "account">;

/**
 * The number of a table that prints it as block, lot and qualifier alone, of one with several towns behind the town; null where they
 * do not tell the rows apart.
 */
function numberInParts(claims: ColumnClaims, others: OtherIds): IdColumns | null {
  const [block, lot, qualifier, town] = ["block_num", "lot_num", "qualifier", "jurisdiction"].map(
    (role) => claims.unclaimed(role)[0],
  );
  if (block === undefined || lot === undefined) return null;
  const choices = [
    [block, lot],
    [block, lot, qualifier],
    [town, block, lot, qualifier],
  ]
    .map((names) => names.filter((name) => name !== undefined))
    .filter((names) => tellRows(names, claims));
  const [from] = choices;
  return from === undefined ? null : {raw: {from, transform: ["join:-"]}, alt: [], ...others};
}

/** True when the cells of the columns together are different in nearly each row. */
function tellRows(
  names: readonly string[],
  claims: ColumnClaims,
  outlineAcres: readonly (number | null)[] = [],
): boolean {
  const columns = names.map((name) => claims.values(name).cells);
  const rows = (columns[0] ?? []).map((_, i) =>
    [...columns.map((cells) => cells[i]), outlineAcres[i] ?? ""].join("-"),
  );
  return rows.length >= 20 && new Set(rows).size >= rows.length * 0.98;
}

/** Fields that tell the rows of a source without parcel numbers apart, those first that change least. */
const keyFields = ["legal_desc", "sec_twn_rng", "subdivision", "block_num", "lot_num", "owner_raw"];

/**
 * The columns that, with the outline, tell the rows of a table without a parcel number apart: those of the land's address, and as many
 * further ones as it takes. Null where the table has neither address nor owner, or two rows remain equal in more than a fiftieth.
 */
export function keyOfRows(
  fields: Readonly<Record<string, FieldSpec>>,
  claims: ColumnClaims,
  {area, outlineAcres}: {area: readonly string[]; outlineAcres: readonly (number | null)[]},
): string[] | null {
  const columnsOf = (role: string) => [fields[role]?.from ?? []].flat();
  const address = Object.keys(fields)
    .filter((role) => role.startsWith("situs_") || role === "city")
    .flatMap(columnsOf);
  if (address.length === 0 && columnsOf("owner_raw").length === 0) return null;
  const key = new Set(address);
  for (const names of [[], ...keyFields.map(columnsOf), area]) {
    for (const name of names) key.add(name);
    if (key.size > 0 && tellRows([...key], claims, outlineAcres)) return [...key];
  }
  return null;
}

/** Names of columns that are no parcel number though each row has a value of its own. */
const otherKeys =
  /DATE|VALUE|VAL$|PRICE|AMT|AMOUNT|AREA|ACRE|SQ_?FT|LAT|LON|COORD|(?:^|_)[XY]$|POINT|PHONE|URL|LINK|ROW|OBJECT|GLOBAL|UUID|GUID|OWNER|NAME|ADDR|STREET|LEGAL|BOOK|PAGE|DEED|TAX(?:ES)?$|SHAPE|LENGTH/i;

/** The first column that has nothing but different codes of one form, in a table without a name for parcel numbers; else null. */
function guessedNumber(claims: ColumnClaims, others: OtherIds): IdColumns | null {
  const raw = claims.names.find(
    (name) =>
      ![otherKeys, otherNumbers].some((words) => words.test(name)) &&
      !claims.isTaken(name) &&
      isUnique(name, claims) &&
      hasForm(claims.values(name)),
  );
  if (raw === undefined) return null;
  claims.claim(raw);
  return {raw, alt: [], ...others, isGuessed: true};
}

/** True for codes of at least five letters and digits that are alike in length and signs. */
function hasForm(values: ColumnValues): boolean {
  const forms = values.filled.map((cell) => cell.replace(/[A-Z]/gi, "A").replace(/\d/g, "0"));
  const [, most = []] =
    [...Map.groupBy(forms, (form) => form)].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const isCode = (cell: string) =>
    /^[A-Z0-9][A-Z0-9 ./_-]{4,}$/i.test(cell) && /\d{3}/.test(cell) && !/^\d*\.\d+$/.test(cell);
  return !countsRows(values) && values.share(isCode) >= 0.95 && most.length >= forms.length * 0.8;
}

/** True for a column that is known to have a different value in each row, but for a few rows that may be no parcels. */
function isUnique(name: string, claims: ColumnClaims): boolean {
  const values = claims.values(name);
  return values.filled.length >= Math.max(20, values.cells.length * 0.9) && values.distinct >= 0.995;
}

/**
 * The best parcel number column: unique values before nearly unique ones, text before numbers (which have
 * lost leading zeros and punctuation), and of two spellings of the same number the punctuated one. Failing a
 * telling name, it takes a column with a word for parcels in its name and a distinct number in each row; null
 * when there is none.
 */
function parcelNumber(claims: ColumnClaims): string | null {
  const named = claims.unclaimed("parcel_id");
  const [best = null] = named.toSorted(
    (a, b) =>
      numericRank(claims.column(a)) - numericRank(claims.column(b)) ||
      repeats(claims.values(a)) - repeats(claims.values(b)) ||
      Number(isQuoted(b)) - Number(isQuoted(a)),
  );
  if (best !== null && repeats(claims.values(best)) < 2) return withSigns(best, named, claims);
  const unnamed = claims.names.find(
    (name) => !claims.isTaken(name) && looksLikeIds(name, claims.values(name)),
  );
  return unnamed ?? best;
}

/** True for the assessor's parcel number, which people quote, beside other keys of the table. */
function isQuoted(name: string): boolean {
  return /^APN(?:_?(?:DASH|NUM|NUMBER|NO))?$/i.test(name);
}

function withSigns(best: string, named: readonly string[], claims: ColumnClaims): string {
  const signs = (name: string) =>
    claims.values(name).share((cell) => /[A-Z0-9][^A-Z0-9]+[A-Z0-9]/i.test(cell));
  const better = named.find(
    (name) =>
      name !== best && signs(name) > signs(best) && sameNumbers(claims.values(best), claims.values(name)),
  );
  return better ?? best;
}

/**
 * 0 for a different value in each row, 1 for nearly so and for row numbers, 2 for one that repeats; 0 when nothing is known.
 */
function repeats(values: ColumnValues): number {
  if (values.filled.length < 20) return 0;
  if (countsRows(values)) return 1;
  const filled = values.filled.length / values.cells.length;
  return values.distinct * filled >= 0.995 ? 0 : values.distinct * filled >= 0.6 ? 1 : 2;
}

/** True for numbers that begin near 1 and grow evenly from row to row, as those that a program gives do. */
function countsRows({filled, numbers}: ColumnValues): boolean {
  const known = numbers.filter((each) => !Number.isNaN(each));
  const [first = Number.NaN, second = Number.NaN] = known;
  const step = second - first;
  return (
    known.length >= filled.length &&
    first <= 10 * step &&
    filled.every((cell) => !/^0/.test(cell)) &&
    isEven(known, step)
  );
}

function isEven(numbers: readonly number[], step: number): boolean {
  const steps = numbers.slice(1).filter((each, i) => each - numbers[i]! === step);
  return steps.length >= (numbers.length - 1) * 0.95;
}

function looksLikeIds(column: string, values: ColumnValues): boolean {
  const name = bareName(column);
  if (!/PARCEL|PRCL|APN|(?:^|[^A-Z])PIN|TAX ?_?(?:MAP|ID|KEY)/i.test(name)) return false;
  if (otherNumbers.test(name) || otherKeys.test(name)) return false;
  return (
    values.filled.length >= 20 && values.distinct >= 0.9 && values.share((cell) => /\d{3}/.test(cell)) >= 0.9
  );
}

function sameCells(a: ColumnValues, b: ColumnValues): boolean {
  return a.known && b.known && a.cells.every((cell, i) => cell === b.cells[i]);
}

function sameNumbers(a: ColumnValues, b: ColumnValues): boolean {
  const bare = (cell: string) => cell.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return a.known && b.known && a.cells.every((cell, i) => bare(cell) === bare(b.cells[i] ?? ""));
}

function numericRank({type}: SourceColumn): number {
  const numeric = /^esriFieldType(?:Double|Single|Integer|SmallInteger|BigInteger)$/;
  return type !== undefined && numeric.test(type) ? 1 : 0;
}
