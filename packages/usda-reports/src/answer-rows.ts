import {matchColumns, namesPriceRows} from "./column-aliases.ts";
import {isObject} from "./published-values.ts";

/** Where the rows of a large answer lie: an array of flat objects that all have the same members. */
export type AnswerRows = {
  readonly members: readonly string[];
  /** Row count that the answer states, returned or in all, whichever is more; 0 if it states none. */
  readonly stated: number;
  /** First and last byte of the array; null if it is the whole file. */
  readonly span: {readonly start: number; readonly end: number} | null;
};

/**
 * Finds the array of rows in `{…, "results": […]}` or `[{…, "results": […]}]`, or takes a bare array of rows, from the first and the
 * last part of a file of `size` bytes, without parsing the whole answer. Null if these show anything else (sections, header rows, other
 * members, no cattle prices); such a body is for `readJsonReport`. Rows in the middle are assumed to have the members of those at the
 * ends.
 */
export function rowsOfAnswer(head: string, tail: string, size: number): AnswerRows | null {
  const before = /^\uFEFF?\s*\[?\s*\{[^[]*?"results"\s*:\s*(?=\[)/.exec(head)?.[0];
  const after = (before === undefined ? /\](\s*)$/ : /\](\s*\}\s*(?:\]\s*)?)$/).exec(tail)?.[1];
  if (after === undefined) return null;
  const members = membersOfAll([
    ...(recordsIn(head.slice(before?.length ?? 0).replace(/^\uFEFF?\s*\[/, ""), "head") ?? [null]),
    ...(recordsIn(tail.slice(0, tail.length - after.length - 1), "tail") ?? [null]),
  ]);
  if (members === null || !matchColumns(members).has("slug") || !namesPriceRows([members])) return null;
  if (before === undefined) return {members, stated: 0, span: null};
  const span = {start: Buffer.byteLength(before), end: size - Buffer.byteLength(after) - 1};
  const counts = before.matchAll(/"(?:returnedRows|totalRows):?"\s*:\s*(\d+)/g);
  return {members, stated: Math.max(0, ...[...counts].map(([, count]) => Number(count))), span};
}

/** The complete objects in a piece of an array, without a truncated row; null if the piece cannot be parsed. */
function recordsIn(piece: string, end: "head" | "tail"): unknown[] | null {
  const text =
    end === "head" ? piece.slice(0, piece.lastIndexOf("},") + 1) : piece.slice(piece.indexOf("},") + 2);
  try {
    return JSON.parse(`[${text}]`) as unknown[];
  } catch {
    // Not an error yet: the whole body is parsed next, which reports its faults.
    return null;
  }
}

/** The members that all records share, in order; null if one is not a flat object or has other members. */
function membersOfAll(records: readonly unknown[]): string[] | null {
  const [first] = records;
  if (!isObject(first)) return null;
  const members = Object.keys(first);
  const same = (record: unknown) =>
    isObject(record) &&
    Object.values(record).every((value) => typeof value !== "object" || value === null) &&
    Object.keys(record).join("\n") === members.join("\n");
  return records.every(same) ? members : null;
}
