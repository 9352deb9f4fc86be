import type {ColumnTaker, SourceColumn} from "./column-taker.ts";
import type {ColumnValues} from "./column-values.ts";

/** The columns of parcel numbers; `account` is that of the roll account. */
export type IdColumns = {raw: string; alt: string[]; parent: string | null; account: string | null};

const mostAltIds = 3;
const otherNumbers =
  /PREV|PRIOR|OLD|FORMER|PARENT|ADD(?:ITIONA|T?)L|OWNER|ADDR|COUNT|DATE|OBJECT|GLOBAL|BOOK|PAGE/i;

/**
 * Chooses the parcel number, other ids that find the parcel, the shell parcel and the account; null when no column looks like
 * a parcel number. `idField` is the parcel number whatever it looks like.
 */
export function proposedIds(taker: ColumnTaker, idField: string | undefined): IdColumns | null {
  if (idField !== undefined) taker.claim(idField);
  const parent = taker.take("parent_id");
  const account = taker.take("account_id");
  const raw = idField ?? parcelNumber(taker);
  if (raw === null) return null;
  taker.claim(raw);
  const alt: string[] = [];
  for (const name of taker.free("alt_id")) {
    const known = [raw, ...alt].some((other) => sameCells(taker.values(other), taker.values(name)));
    if (!known && alt.length < mostAltIds) alt.push(name);
    taker.claim(name);
  }
  const finds = account !== null && taker.values(account).distinct >= 0.5;
  return {raw, alt: finds ? [...alt, account] : alt, parent, account};
}

/**
 * The surest column of a parcel number: one value a row before nearly so, text before numbers, which have lost leading zeros
 * and signs, and of two prints of a number the one with signs. Without a name that tells, a column that has a word for
 * parcels in its name and a number of its own in each row; null without one.
 */
function parcelNumber(taker: ColumnTaker): string | null {
  const named = taker.free("parcel_id");
  const [best = null] = named.toSorted(
    (a, b) =>
      numericRank(taker.column(a)) - numericRank(taker.column(b)) ||
      repeats(taker.values(a)) - repeats(taker.values(b)),
  );
  if (best !== null && repeats(taker.values(best)) < 2) return withSigns(best, named, taker);
  const unnamed = taker.names.find((name) => !taker.isTaken(name) && looksLikeIds(name, taker.values(name)));
  return unnamed ?? best;
}

function withSigns(best: string, named: readonly string[], taker: ColumnTaker): string {
  const signs = (name: string) =>
    taker.values(name).share((cell) => /[A-Z0-9][^A-Z0-9]+[A-Z0-9]/i.test(cell));
  const better = named.find(
    (name) =>
      name !== best && signs(name) > signs(best) && sameNumbers(taker.values(best), taker.values(name)),
  );
  return better ?? best;
}

/** 0 for a different value in each row, 1 for nearly so, 2 for one that repeats; 0 when nothing is known. */
function repeats(values: ColumnValues): number {
  if (values.filled.length < 20) return 0;
  const filled = values.filled.length / values.cells.length;
  return values.distinct * filled >= 0.995 ? 0 : values.distinct * filled >= 0.6 ? 1 : 2;
}

function looksLikeIds(name: string, values: ColumnValues): boolean {
  if (!/PARCEL|PRCL|APN|(?:^|[^A-Z])PIN|TAX ?_?(?:MAP|ID|KEY)/i.test(name) || otherNumbers.test(name))
    return false;
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
