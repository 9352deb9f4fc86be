import {addDays, saturdayOf} from "../../lib/dates.ts";
import type {ArrowTable} from "../../lib/storage/arrow-table/open.ts";
import {findSorted, required} from "./columns.ts";

/** Gives the weeks of a key's history as JSON texts, oldest first: so many weeks up to the week of the last sale. */
export type HistoryReader = (key: string, weeks: number, lastSaleDate: string | null) => string[];

/** The start of the text of every week, before its date. */
const beforeDate = '{"week_end_date":"';

/** Reads histories from the file in which each key has its weeks, one a line; without the file nothing has a history. */
export function historyReader(table: ArrowTable | null): HistoryReader {
  if (table === null) return () => [];
  const [key, weeksOf] = [required(table, "key"), required(table, "weeks")];
  return (wanted, weeks, lastSaleDate) => {
    const row = lastSaleDate === null ? -1 : findSorted(table.rows, key, wanted);
    if (row < 0 || lastSaleDate === null) return [];
    const before = addDays(saturdayOf(lastSaleDate), -7 * weeks);
    return weeksOf(row)
      .split("\n")
      .filter((week) => week.slice(beforeDate.length, beforeDate.length + before.length) > before);
  };
}

/** Puts the weeks into a record text as its last member. */
export function withHistory(record: string, weeks: readonly string[]): string {
  return `${record.slice(0, -1)},"history":[${weeks.join(",")}]}`;
}
