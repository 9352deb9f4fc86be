import {folded, type Json, numberOf} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {isCounty} from "../areas.ts";
import {type RejectedRow, reading, type SignalReading, type SignalRow} from "../reading.ts";
import {droughtRow} from "./drought-row.ts";
import {droughtClasses, fromExclusive} from "./shares.ts";

/** True for a row of a long table, with folded names: one class of one county. */
export function isLong(record: Json): boolean {
  return "usdmclass" in record && "usdmpercent" in record && "usdmdate" in record;
}

type Entry = {ordinal: number; record: Json; share: number | null; name: string};

/**
 * A long table of categorical shares: county, date, class, share (0 to 1, or percent), classes without a share left out.
 * The classes of a county become one row: the first counts as accepted, the others as merged into it. A county whose
 * shares do not make up the whole is rejected with all its rows.
 */
export function readLong(records: readonly Json[]): SignalReading {
  const entries = records.map((record, index) => entryOf(folded(record), index + 1));
  // One wrong share must not change the scale of all others; in percent far more than a tenth are above 1.
  const inPercent = entries.filter(({share}) => (share ?? 0) > 1.01).length > entries.length / 10;
  const groups = Map.groupBy(entries, ({record}) => areaAndDate(record));
  const rows: SignalRow[] = [];
  const rejected: RejectedRow[] = [];
  let merged = 0;
  for (const group of groups.values()) {
    const row = rowOf(group, inPercent ? 1 : 100);
    if ("reason" in row) {
      rejected.push(...group.map(({ordinal, record}) => ({...row, ordinal, raw: record})));
      continue;
    }
    rows.push(row);
    merged += group.length - 1;
  }
  return reading({rows, rejected, merged});
}

function entryOf(record: Json, ordinal: number): Entry {
  const name = String(record["usdmclass"] ?? "").toLowerCase();
  return {ordinal, record, share: numberOf(record["usdmpercent"]), name};
}

function areaAndDate(record: Json): string {
  return `${fipsOf(record) ?? "?"} ${dateFrom(record["usdmdate"]) ?? String(record["usdmdate"])}`;
}

function fipsOf(record: Json): string | null {
  const whole = String(record["fips"] ?? record["geoid"] ?? "");
  if (/^\d{5}$/.test(whole)) return whole;
  const [state, county] = [String(record["statefp"] ?? ""), String(record["countyfp"] ?? "")];
  return /^\d{1,2}$/.test(state) && /^\d{1,3}$/.test(county)
    ? `${state.padStart(2, "0")}${county.padStart(3, "0")}`
    : null;
}

function rowOf(group: readonly Entry[], scale: number): SignalRow | {reason: string; detail: string} {
  const {record} = group[0]!;
  const [fips, date] = [fipsOf(record), dateFrom(record["usdmdate"])];
  if (fips === null) return {reason: "unknown_area", detail: "STATEFP and COUNTYFP digits were expected"};
  if (!isCounty(fips)) return {reason: "unknown_area", detail: `no county has the code ${fips}`};
  if (date === null)
    return {reason: "bad_date", detail: `usdm_date ${String(record["usdmdate"])}, a date was expected`};
  const shares = new Map(group.map(({name, share}) => [name, share]));
  const strange = group.find(
    ({name, share}) => share === null || (name !== "none" && !droughtClasses.includes(name as "d0")),
  );
  if (strange !== undefined || shares.size < group.length)
    return {reason: "bad_class", detail: "classes None, D0 to D4 were expected, each once, with a share"};
  const percent = (name: string) => (shares.get(name) ?? 0) * scale;
  const read = fromExclusive({none: percent("none"), classes: droughtClasses.map(percent)});
  if (read === null)
    return {reason: "shares_do_not_add", detail: "the classes of the county do not make up its area"};
  return droughtRow({type: "county", key: fips}, {date, end: null}, read);
}
