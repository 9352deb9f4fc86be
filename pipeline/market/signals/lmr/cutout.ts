import {type Json, numberOf, slug} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {type RowOutcome, readRows, type SignalReading} from "../reading.ts";

/** True for an export of the boxed-beef cutout: a report date and columns of grade and carcass weight (`Choice 600-900`). */
export function isCutout(names: readonly string[]): boolean {
  return names.some((name) => /^report.?date$/i.test(name)) && names.some(isGrade);
}

function isGrade(name: string): boolean {
  return /^(choice|select|prime|branded|ungraded)\b.*\d{3}\s*-\s*\d{3}/i.test(name);
}

/** Reads the cutout export: a row for each day, values in dollars per cwt of carcass. */
export function readCutout(rows: readonly Json[]): SignalReading {
  return readRows(rows, cutoutRow);
}

function cutoutRow(row: Json): RowOutcome {
  const dateName = Object.keys(row).find((name) => /^report.?date$/i.test(name))!;
  const date = dateFrom(row[dateName]);
  if (date === null)
    return {reject: "bad_date", detail: `${dateName} ${String(row[dateName])}, a date was expected`};
  const values = Object.entries(row).flatMap(([name, raw]) => {
    const value = isGrade(name) ? numberOf(raw) : null;
    return value === null ? [] : [[`${slug(name).replaceAll("-", "_")}_usd_per_cwt_carcass`, value] as const];
  });
  if (values.length === 0) return {reject: "no_value", detail: "no cutout value on the day"};
  return {
    accept: {
      table: "mandatory_reports",
      values: {
        signal: "boxed_beef",
        key: "lm-xb403/cutout-export",
        valid_from: date,
        area_type: "nation",
        area: "US",
        source_date: date,
        report_title: "National Daily Boxed Beef Cutout (export)",
        section: "Current Cutout Values",
        labels: "{}",
        measures: JSON.stringify(Object.fromEntries(values)),
      },
    },
  };
}
