import type {SignalReading, SignalValues} from "./reading.ts";

/** Keeps back what a source says of a day after the as-of date: rows that were published, or begin, later. */
export function afterAsOf<Reading extends SignalReading>(read: Reading, asOf: string): Reading {
  const late = read.rows.filter(({values}) => isLate(values, asOf));
  if (late.length === 0) return read;
  return {
    ...read,
    rows: read.rows.filter(({values}) => !isLate(values, asOf)),
    rejected: [
      ...read.rejected,
      ...late.map(({values}, index) => ({
        reason: "after_as_of",
        detail: `of ${values.source_date}, after the as-of date ${asOf}`,
        ordinal: index + 1,
        // Not the values: those of futures must not leave by way of the quarantine.
        raw: {signal: values.signal, key: values.key, valid_from: values.valid_from},
      })),
    ],
  };
}

function isLate({source_date: date}: SignalValues, asOf: string): boolean {
  return date !== null && date > asOf;
}
