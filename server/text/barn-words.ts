import {countWords} from "../../lib/counts.ts";
import {joined} from "./description.ts";
import {isGuessedDay} from "./market-columns.ts";
import type {MarketRecord} from "./market-record.ts";

/** The next sale of the one barn in the answer, or the earliest among the barns on the page. */
export function saleWords({
  records,
  page,
}: {
  readonly records: readonly MarketRecord[];
  readonly page: {readonly total: number};
}): string[] {
  // A calendar alone says little of a barn whose sales nobody reports.
  const reported = records.filter(
    ({next_sale_date: day, last_reported_sale_date: last}) => day != null && last != null,
  );
  const candidates = reported.length > 0 ? reported : records;
  const days = candidates.flatMap(({next_sale_date}) => next_sale_date ?? []).sort();
  const first = candidates.find(({next_sale_date}) => next_sale_date === days[0]) ?? records[0];
  if (first === undefined) return [];
  const {venue_name, city, state, next_sale_date: day, last_reported_sale_date: last} = first;
  const barn = joined([venue_name, city, state]);
  const basis =
    first.schedule?.verified_by === "reported_sales" ? "as its reported sales suggest" : "not confirmed";
  const guess = isGuessedDay(first) ? `expected, ${basis}, on ` : "";
  const sale = day == null ? "no coming sale day is known" : `next sale ${guess}${dayWords(day)}`;
  const before = last == null ? "" : `; its last reported sale was on ${last}`;
  if (page.total === 1) return [`${barn}: ${sale}${before}${unheldWords(first)}.`, ...ruleWords(first)];
  if (day == null) return [`${page.total} barns; no coming sale day is known of those shown.`];
  const isFirstOfAll = records.every(({next_sale_date}) => (next_sale_date ?? day) >= day);
  const shown = isFirstOfAll ? "shown" : "shown whose sales are reported";
  return [
    `${page.total} barns; of those ${shown} ${barn} ${guess === "" ? "sells" : "is expected to sell"} first, on ${dayWords(day)}.`,
  ];
}

/** The days after a barn's last reported sale on which none was held. */
function unheldWords({schedule, last_reported_sale_date: last}: MarketRecord): string {
  const days = (schedule?.exceptions ?? []).filter(
    ({kind, date}) => kind === "no_sale" && date > (last ?? ""),
  );
  return days.length === 0 ? "" : `; no sale on ${days.map(({date}) => date).join(" and ")}`;
}

/** The next sale of each of several sale days, with its usual head and cattle. */
function ruleWords({schedule}: MarketRecord): string[] {
  const rules = schedule?.rules.filter(({next_sale_date}) => next_sale_date !== null) ?? [];
  if (rules.length < 2) return [];
  const sales = rules.map(({next_sale_date, usual_head, classes}) => {
    const head = usual_head == null ? "" : ` about ${countWords(usual_head)} head`;
    return `${dayWords(next_sale_date!)}${head}${classes.length === 0 ? "" : ` (${joined(classes).replaceAll("_", " ")})`}`;
  });
  return [`Sale days: ${sales.join("; ")}.`];
}

/** A date with its weekday, such as `Thursday 2026-11-26`. */
function dayWords(date: string): string {
  return `${new Date(date).toLocaleDateString("en-US", {weekday: "long", timeZone: "UTC"})} ${date}`;
}
