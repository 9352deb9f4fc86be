import {z} from "zod";
import {dairyCalfWords, moneyWords} from "../../lib/market/cell-words.ts";
import {Barn, CountyPrice, DealerStats, LatestPrice, StatePrice} from "../../schemas/market-answer.ts";
import {joined} from "./description.ts";

/** A record of any market endpoint; only the members of its own endpoint are present. */
export const MarketRecord = z
  .object({
    ...CountyPrice.shape,
    ...StatePrice.shape,
    ...Barn.shape,
    ...DealerStats.shape,
    // Last, because only here may the place be null.
    ...LatestPrice.shape,
  })
  .partial();
export type MarketRecord = z.infer<typeof MarketRecord>;

/** The trade's abbreviations of frames. */
const frames: Record<string, string> = {small: "S", medium: "M", medium_and_large: "M&L", large: "L"};

const units = {per_cwt: "/cwt", per_head: "/head", per_pair: "/pair"} as const;

/** What bulls are sold for: the same class stands for calves to feed, for slaughter, and for breeding. */
const bullUses: Record<string, string> = {
  feeder_cattle: "feeder",
  slaughter_cattle: "slaughter",
  replacement_cattle: "breeding",
};

/** Describes the cattle, such as `steers M&L 1`, `slaughter bulls 1-2` or `cows boner, average dressing`. */
export function cattleWords(record: MarketRecord): string {
  const {frame, dressing, offspring_weight: calf, delivery, lot_description: text} = record;
  const use = record.class === "bulls" ? bullUses[record.commodity ?? ""] : undefined;
  const isCalf = record.commodity === "dairy_calves" && record.class !== "baby_calves";
  const name = isCalf ? dairyCalfWords(record.class ?? "") : record.class;
  const kind = [use, name, frames[frame ?? ""] ?? frame, record.muscle_grade, record.quality_grade];
  return joined([
    joined(kind, " "),
    dressing && `${dressing} dressing`,
    record.age_class,
    record.pregnancy_stage,
    calf && `calves ${calf} lb`,
    record.lot_descriptors?.map((name) => (name === "other" && text ? `"${text}"` : name)),
    delivery && `${delivery} delivery`,
    record.freight,
  ]).replaceAll("_", " ");
}

/** Formats a price with its unit, such as `372.25/cwt` or `2,250.00/head`; an empty text without a price. */
export function priceWords(price: number | null | undefined, unit: MarketRecord["price_unit"]): string {
  return price == null ? "" : `${moneyWords(price)}${unit === undefined ? "" : units[unit]}`;
}

/** Formats a change with its sign; empty if unknown. */
export function changeWords(change: number | null | undefined): string {
  if (change == null) return "";
  return `${change > 0 ? "+" : ""}${moneyWords(change)}`;
}
