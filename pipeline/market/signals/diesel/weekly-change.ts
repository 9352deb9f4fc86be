import {addDays} from "../../../../lib/dates.ts";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import type {GatheredRow} from "../gather.ts";

/** Adds each price's change in a week; null without the week before. A Tuesday after a holiday counts as its Monday. */
export function withWeeklyChange(rows: readonly GatheredRow[]): GatheredRow[] {
  const prices = new Map(
    rows.map((row) => [`${row.key} ${row.valid_from}`, row["price_usd_per_gal"] as number]),
  );
  return rows.map((row) => {
    const before = [-7, -6, -8]
      .map((days) => prices.get(`${row.key} ${addDays(row.valid_from, days)}`))
      .find((price) => price !== undefined);
    const price = row["price_usd_per_gal"] as number;
    return {...row, change_week_usd_per_gal: before === undefined ? null : roundHalfAway(price - before, 3)};
  });
}
