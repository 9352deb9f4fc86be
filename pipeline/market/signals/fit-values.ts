import {calendarDay} from "../../../lib/dates.ts";
import {instantType} from "../../../schemas/described-file.ts";
import type {MarketColumn} from "../../../schemas/market-column.ts";
import {signalFiles} from "../../../schemas/signal-files.ts";
import type {SignalReading, SignalRow} from "./reading.ts";

/** Largest whole number of a column; a larger one is a mistake in any signal. */
const largest = 2_147_483_647;

/** True for a value that a column of a type takes; a type without a rule takes everything. */
const takes: Readonly<Record<string, (value: unknown) => boolean>> = {
  DATE: (value) => typeof value === "string" && isDay(value) && value.length === 10,
  [instantType]: (value) => typeof value === "string" && isDay(value) && !Number.isNaN(Date.parse(value)),
  DOUBLE: (value) => typeof value === "number" && Number.isFinite(value),
  INTEGER: (value) => Number.isInteger(value) && Math.abs(value as number) <= largest,
  BIGINT: (value) => Number.isSafeInteger(value),
  "DECIMAL(10,4)": (value) => typeof value === "number" && Math.abs(value) < 1e6,
  "DECIMAL(6,3)": (value) => typeof value === "number" && Math.abs(value) < 1e3,
  "VARCHAR[]": (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
  BOOLEAN: (value) => typeof value === "boolean",
};

/**
 * The reading with the rows whose values their table cannot take moved to the rejected ones (`unfit_value`, with the column):
 * the database would refuse the whole table for one of them.
 */
export function withFitValues<Reading extends SignalReading>(read: Reading): Reading {
  const faults = new Map(
    read.rows.flatMap((row) => {
      const column = unfitColumn(row);
      return column === undefined ? [] : [[row, column] as const];
    }),
  );
  if (faults.size === 0) return read;
  return {
    ...read,
    rows: read.rows.filter((row) => !faults.has(row)),
    rejected: [
      ...read.rejected,
      ...[...faults].map(([{values}, {name, type}], index) => ({
        reason: "unfit_value",
        detail: `${name}: a value came that is no ${type}`,
        ordinal: index + 1,
        // Not the values: those of futures must not leave by way of the quarantine.
        raw: {signal: values.signal, key: values.key},
      })),
    ],
  };
}

function unfitColumn({table, values}: SignalRow): MarketColumn | undefined {
  return signalFiles[table].columns.find(({name, type}) => {
    const value = values[name];
    if (value === null || value === undefined) return name === "valid_from";
    return takes[type] !== undefined && !takes[type](value);
  });
}

function isDay(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  return parts !== null && calendarDay(parts[1]!, parts[2]!, parts[3]!) !== null;
}
