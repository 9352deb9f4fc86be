import {plainText, snakeCase, vocabulary} from "./plain-text.ts";
import type {Commodity, PriceUnit} from "./report-words.ts";

const units = vocabulary<PriceUnit>({
  per_cwt: "per_cwt",
  cwt: "per_cwt",
  per_head: "per_head",
  head: "per_head",
  per_unit: "per_head",
  per_family: "per_pair",
  per_pair: "per_pair",
});

/** The price basis of a report's unit (`docs/design/market.md` section 2); null for other words, whose rows are rejected. */
export function priceUnitOf(published: string | null): PriceUnit | null {
  const text = plainText(published);
  return text === null ? null : (units.get(snakeCase(text)) ?? null);
}

/** USD above which a price without a unit may be per head, so no unit is assumed. */
export const maxAssumedPrice = 1000;

/** Staged as unit if the source has no unit column. */
export const noUnitColumn = "(no unit column)";

/**
 * The unit of a row from an export without a unit column: feeder and slaughter auction tables are per cwt unless their heading
 * says otherwise. Null for replacement cattle, which are sold by weight and by head. The file's report counts each use
 * (`price_unit_assumed`).
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

/** `fob` or `delivered`; other words (`Picked up`, `FOB & DEL`) stay the report's own, so that their prices are pooled with neither; null if not stated. */
export function freightOf(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  const name = snakeCase(text);
  if (/^f_?o_?b$/.test(name)) return "fob";
  return /^(del|delivered|dlvd)$/.test(name) ? "delivered" : name;
}
