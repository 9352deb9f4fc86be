import type {Commodity, PriceUnit} from "../../../schemas/price-row.ts";
import {plainText, snakeCase, vocabulary} from "./plain-text.ts";

const units = vocabulary<PriceUnit>({
  per_cwt: "per_cwt",
  cwt: "per_cwt",
  per_head: "per_head",
  head: "per_head",
  per_unit: "per_head",
  per_family: "per_pair",
  per_pair: "per_pair",
});

/** The price basis of a report's unit (`docs/design/market.md` section 2); null for other words, which are not priced. */
export function priceUnitOf(published: string | null): PriceUnit | null {
  const text = plainText(published);
  return text === null ? null : (units.get(snakeCase(text)) ?? null);
}

/** USD above which a price without a unit may as well be that of a head: its unit is not assumed. */
export const maxAssumedPrice = 1000;

/** Stands in the staging tables for the unit of a source that has no unit column. */
export const noUnitColumn = "(no unit column)";

/**
 * The unit of a row from an export that dropped the unit column: feeder and slaughter auction tables are per cwt unless
 * their heading says otherwise. Replacement cattle are sold both by weight and by head: null. A use of this is a note
 * (`price_unit_assumed`) in the file's report.
 */
export function assumedPriceUnit(commodity: Commodity | null): PriceUnit | null {
  return commodity === "feeder_cattle" || commodity === "slaughter_cattle" ? "per_cwt" : null;
}

/** `actual`, `estimated` or `unknown`, from `Actual Wt`, `Estimate Wt` or nothing. */
export function weightBasisOf(published: string | null): "actual" | "estimated" | "unknown" {
  const text = plainText(published)?.toLowerCase() ?? "";
  if (text.startsWith("act")) return "actual";
  return text.startsWith("est") ? "estimated" : "unknown";
}

/** `fob` or `delivered`; null where nothing is said. */
export function freightOf(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  const name = snakeCase(text);
  if (/^f_?o_?b/.test(name)) return "fob";
  return /^(del|delivered|dlvd)$/.test(name) ? "delivered" : name;
}
