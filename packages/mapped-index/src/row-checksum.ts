import {crc32} from "node:zlib";
import type {ArrowTable} from "./arrow-table.ts";
import {DamagedFileError} from "./block-guard.ts";

/** No text of a row exceeds the size limit of an answer; a longer one has damaged offsets. */
const maxBytes = 8 * 1024 * 1024;

/**
 * CRC-32 over the texts of a row, seeded with the row number and a second number, so that the texts of
 * another row do not match.
 */
export function rowChecksum(texts: readonly Uint8Array[], row: number, other = 0): number {
  let sum = (Math.imul(row, 0x9e3779b1) ^ other) >>> 0;
  for (const text of texts) if (text.byteLength > 0) sum = crc32(text, sum);
  return sum;
}

/**
 * Throws a `DamagedFileError` unless the texts of a row have this checksum (`docs/design/reliability.md`
 * section 4.3).
 */
export function checkRow(
  texts: readonly Uint8Array[],
  {path, row, other = 0, checksum}: {path: string; row: number; other?: number; checksum: number | null},
): void {
  const isTooLong = texts.some(({byteLength}) => byteLength > maxBytes);
  if (isTooLong || rowChecksum(texts, row, other) !== checksum)
    throw new DamagedFileError(path, `row ${row}`);
}

/**
 * Computes the checksums of all rows of a small table that was just compared with its manifest, and returns a
 * function that checks a row. The columns must be texts or lists.
 */
export function rowChecks(
  table: ArrowTable,
  columns: readonly string[],
  path: string,
): (row: number) => void {
  const texts = columns.map((name) => table.text(name));
  const textsOf = (row: number) => texts.map((column) => column.slice(row));
  const sums = new Uint32Array(table.rows);
  for (let row = 0; row < table.rows; row++) sums[row] = rowChecksum(textsOf(row), row);
  return (row) => checkRow(textsOf(row), {path, row, checksum: sums[row] ?? null});
}
