import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {type CompiledSystem, loadLandUseMap, normaliseCode} from "../parcels/land-use/land-use-map.ts";
import type {ColumnClaims, SourceColumn} from "./column-claims.ts";
import type {ColumnValues} from "./column-values.ts";

type Use = NonNullable<ParcelSource["use"]>;

let systems: readonly CompiledSystem[] | undefined;

/** The columns with parcel numbers; `account` is the tax roll's account number. */
export type IdColumns = {raw: string; alt: string[]; parent: string | null; account: string | null};

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
  if (raw === null) return null;
  claims.claim(raw);
  if (raw === account) return {raw, alt: [], parent, account: null};
  const alt: string[] = [];
  for (const name of [
    ...claims.unclaimed("alt_id"),
    ...claims.unclaimed("parcel_id").filter((each) => isUnique(each, claims)),
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

/** True for a column that is known to have a distinct value in each row. */
function isUnique(name: string, claims: ColumnClaims): boolean {
  const values = claims.values(name);
  return values.filled.length >= 20 && repeats(values) === 0;
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
      repeats(claims.values(a)) - repeats(claims.values(b)),
  );
  if (best !== null && repeats(claims.values(best)) < 2) return withSigns(best, named, claims);
  const unnamed = claims.names.find(
    (name) => !claims.isTaken(name) && looksLikeIds(name, claims.values(name)),
  );
  return unnamed ?? best;
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

/** 0 when values are unique or too few are known, 1 when nearly unique, 2 when they repeat. */
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

/**
 * Proposes the land-use columns and the state's code systems that the codes fit. A column that fits a system
 * is preferred, and a property type is used only when there is nothing better. Without cells no system is
 * proposed.
 */
export function proposedUse(claims: ColumnClaims): Use | undefined {
  const described =
    claims.unclaimed("use_description").find((name) => !isCodeList(claims.values(name))) ?? null;
  if (described !== null) claims.claim(described);
  const named = [...claims.unclaimed("use_code"), ...claims.unclaimed("use_any")];
  const candidates = [...new Set([...named, ...claims.unclaimed("use_type")])].filter((name) =>
    isClosedList(claims.values(name)),
  );
  // Ambiguous names: they count as land use only if their codes do.
  const doubtful = claims.unclaimed("use_if_known");
  const fits = [...candidates, ...doubtful].flatMap((name) => {
    const fitting = fittingSystems(claims.values(name), claims.state);
    return fitting.length === 0 ? [] : [{name, fitting}];
  });
  const [best] = fits;
  const code = best?.name ?? candidates[0] ?? described;
  if (code === null) return undefined;
  claims.claim(code);
  const words = described ?? (wordsShare(claims.values(code)) >= 0.5 ? code : null);
  const second = fits.find(
    ({name, fitting}) => name !== code && fitting.some(({system}) => isNamed(system.fields, name)),
  );
  const ids = [...(best?.fitting ?? []), ...(second?.fitting ?? [])].map(({id}) => id);
  return {
    systems: [...new Set(ids)],
    codeFrom: second === undefined ? code : [code, second.name],
    ...(words === null ? {} : {descriptionFrom: words}),
  };
}

function isNamed(fields: readonly string[] | undefined, name: string): boolean {
  return fields?.some((field) => field.toLowerCase() === name.toLowerCase()) ?? false;
}

/** The state's code system that knows at least 90 % of the codes, if any. */
function fittingSystems(values: ColumnValues, state: string | undefined): CompiledSystem[] {
  if (state === undefined || values.filled.length < 5) return [];
  systems ??= [...loadLandUseMap().systems.values()];
  const shares = systems
    .filter(({system}) => system.region === state)
    .map((system) => ({system, share: values.share((cell) => isKnown(cell, system))}))
    .filter(({share}) => share >= 0.9)
    .sort((a, b) => b.share - a.share);
  return shares.slice(0, 1).map(({system}) => system);
}

function isKnown(cell: string, {system, rules}: CompiledSystem): boolean {
  const codes = normaliseCode(cell, system.normalise);
  return codes.length > 0 && codes.every((code) => rules.some((rule) => rule.fits(code)));
}

/** True for a column with few distinct values, as land-use codes have; also true when few cells are known. */
function isClosedList(values: ColumnValues): boolean {
  if (values.filled.length < 50) return true;
  return new Set(values.filled).size <= 250 && values.distinct <= 0.5;
}

function isCodeList(values: ColumnValues): boolean {
  return values.filled.length >= 5 && wordsShare(values) < 0.2;
}

function wordsShare(values: ColumnValues): number {
  return values.share((cell) => /[a-z]{3}/i.test(cell));
}
