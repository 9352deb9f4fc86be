import {appendFileSync} from "node:fs";

/** True in the long runs (`make crash`), false in the short ones of every push. */
export const long = process.env["CRASH"] === "1";

/** File that collects the rows of several runs; without it they are printed. */
const tableFile = process.env["CRASH_TABLE"];

/** A size of a run: the long or the short one; `CRASH_<ID>` overrides it. */
export function sizeOf(id: string, sizes: {push: number; long: number}): number {
  const given = process.env[`CRASH_${id}`];
  return given === undefined ? (long ? sizes.long : sizes.push) : Number(given);
}

/** Records a finished run as a line of the table that `make crash` prints. */
export function note(id: string, what: string, found: string, seed?: number): void {
  if (long || tableFile !== undefined)
    addRow(id, what, `${found}${seed === undefined ? "" : `  SEED=${seed}`}`);
}

/** Adds a row to the table, or prints it without a table file. */
export function addRow(id: string, what: string, found: string): void {
  const line = `${id.padEnd(4)} ${what.padEnd(52)} ${found}\n`;
  if (tableFile === undefined) process.stdout.write(line);
  else appendFileSync(tableFile, line);
}
