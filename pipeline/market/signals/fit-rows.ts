import {calendarDay} from "../../../lib/dates.ts";
import {instantType} from "../../../schemas/described-file.ts";
import {signalFiles} from "../../../schemas/signal-files.ts";
import type {SignalReading, SignalRow} from "./reading.ts";

/** True for a value that a column of a type takes; a type without a rule takes everything. */
const takes: Readonly<Record<string, (value: unknown) => boolean>> = {
  DATE: (value) => isDay(value) && String(value).length === 10,
  [instantType]: (value) =>
    isDay(value) && /T\d\d:\d\d:\d\dZ$/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
  VARCHAR: (value) => typeof value === "string",
  DOUBLE: Number.isFinite,
  INTEGER: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  BIGINT: Number.isSafeInteger,
  "DECIMAL(10,4)": (value) => typeof value === "number" && Math.abs(value) < 1e6,
  "DECIMAL(6,3)": (value) => typeof value === "number" && Math.abs(value) < 1e3,
  "VARCHAR[]": (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
  BOOLEAN: (value) => typeof value === "boolean",
};

/**
 * The reading without the rows that its tables cannot take: those with a value that is none of its column (`unfit_value`), for one of
 * which the database would refuse the whole table, and those that were published, or begin, after the as-of date (`after_as_of`).
 */
export function withFitRows<Reading extends SignalReading>(read: Reading, asOf: string): Reading {
  const fit = without(read, "unfit_value", unfitColumn);
  return without(fit, "after_as_of", ({values: {source_date: date}}) =>
    date != null && date > asOf ? `of ${date}, after the as-of date ${asOf}` : null,
  );
}

function without<Reading extends SignalReading>(
  read: Reading,
  reason: string,
  faultOf: (row: SignalRow) => string | null,
): Reading {
  const faults = new Map(
    read.rows.map((row) => [row, faultOf(row)] as const).filter(([, detail]) => detail !== null),
  );
  if (faults.size === 0) return read;
  const rejected = [...faults].map(([{values}, detail], index) => ({
    reason,
    detail: detail!,
    ordinal: index + 1,
    // Not the values: those of futures must not leave by way of the quarantine.
    raw: {signal: values.signal, key: values.key, valid_from: values.valid_from},
  }));
  return {
    ...read,
    rows: read.rows.filter((row) => !faults.has(row)),
    rejected: [...read.rejected, ...rejected],
  };
}

function unfitColumn({table, values}: SignalRow): string | null {
  const column = signalFiles[table].columns.find(({name, type}) => {
    const value = values[name];
    return value == null ? name === "valid_from" : takes[type] !== undefined && !takes[type](value);
  });
  return column === undefined ? null : `${column.name}: a value came that is no ${column.type}`;
}

function isDay(value: unknown): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(typeof value === "string" ? value : "");
  return parts !== null && calendarDay(parts[1]!, parts[2]!, parts[3]!) !== null;
}
