import {addDays} from "../../../lib/dates.ts";
import type {BarnSchedule} from "../../../schemas/market-fields/venue-fields.ts";
import type {Venue, VenueSchedule} from "../../../schemas/vocabulary/venue.ts";
import type {KnownSale} from "./known-sales.ts";
import {type NextSale, nextSale} from "./next-sale.ts";

/**
 * Adds the days on which reports say that no sale was or will be held, unless a sale of that day is reported; a day that already has an
 * exception keeps it. A venue may have such days and no rule.
 */
export function withNoSales(schedule: Venue["schedule"], known: readonly KnownSale[]): Venue["schedule"] {
  const settled = new Set([
    ...(schedule?.exceptions ?? []).map(({date}) => date),
    ...known.filter(({basis}) => basis === "reported").map(({day}) => day),
  ]);
  const unheld = known.filter(({basis, day}) => basis.endsWith("no_sale") && !settled.has(day));
  if (unheld.length === 0) return schedule;
  const byDay = [...Map.groupBy(unheld, ({day}) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
  const exceptions = byDay.map(([date, of]) => ({
    ...{date, kind: "no_sale" as const, source: of[0]!.source_id},
    note: of.some(({basis}) => basis === "no_sale") ? "reported as no sale" : "announced as no sale",
  }));
  const rules = schedule ?? {rules: [], exceptions: [], text: null, verifiedAt: null, verifiedBy: null};
  return {...rules, exceptions: [...rules.exceptions, ...exceptions]};
}

/** The schedule of a venue with the next date of each rule and of all. A sale of this day that its number reported is over. */
export function scheduleOf(
  {schedule}: Venue,
  known: readonly KnownSale[],
  {asOf, timezone}: {asOf: string; timezone: string | null},
): {next: NextSale; schedule: BarnSchedule | null} {
  if (schedule === null) return {next: nextSale(null, asOf), schedule: null};
  const over = known.filter(({basis, day}) => basis === "reported" && day === asOf);
  const nextOf = (slug: string | null, rules: VenueSchedule["rules"]) => {
    const isOver = over.some(({report_slug}) => slug === null || slug === report_slug);
    return nextSale({...schedule, rules}, isOver ? addDays(asOf, 1) : asOf);
  };
  const nexts = schedule.rules.map((rule) => nextOf(rule.report_slug ?? null, [rule]));
  const dated = [...nexts, nextOf(null, [])].filter(({date}) => date !== null);
  const next = dated.toSorted((a, b) => (a.date! < b.date! ? -1 : 1))[0] ?? nextSale(null, asOf);
  return {
    next,
    schedule: {
      timezone,
      rules: schedule.rules.map(({usual_head = null, report_slug = null, ...rule}, index) => ({
        ...rule,
        ...{usual_head, report_slug, next_sale_date: nexts[index]!.date},
      })),
      exceptions: schedule.exceptions,
      next_sale_date: next.date,
      next_sale_basis: next.basis,
      holiday_conflict: next.holiday,
      verified_at: schedule.verifiedAt,
      verified_by: schedule.verifiedBy,
    },
  };
}
