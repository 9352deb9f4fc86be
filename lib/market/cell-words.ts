import type {PriceValues} from "../../schemas/market-fields/price.ts";
import {countWithNoun} from "../counts.ts";

/** The fields of a cell that appear in its description. */
export type CellFacts = Pick<
  PriceValues,
  | "commodity"
  | "class"
  | "frame"
  | "muscle_grade"
  | "quality_grade"
  | "dressing"
  | "age_class"
  | "pregnancy_stage"
  | "offspring_weight"
  | "weight_bin"
  | "lot_descriptors"
> &
  Partial<Pick<PriceValues, "lot_description" | "delivery" | "freight">>;
type Unit = PriceValues["price_unit"];

const money = new Intl.NumberFormat("en-US", {minimumFractionDigits: 2, maximumFractionDigits: 2});

/** An amount of money as people write it: `2,328.67`. */
export function moneyWords(amount: number): string {
  return money.format(amount);
}

const unitWords = {per_cwt: "USD per cwt", per_head: "USD per head", per_pair: "USD per pair"} as const;

/** A price as claims print it: `261.61 USD per cwt`, `2,328.67 USD per head`. */
export function priceWords(price: number, unit: Unit): string {
  return `${moneyWords(price)} ${unitWords[unit]}`;
}

/** A number of animals as claims print it: `1,155 head`, `1 pair`. */
export function headWords(head: number, unit: Unit): string {
  return unit === "per_pair" ? countWithNoun(head, "pair") : countWithNoun(head, "head", "head");
}

/**
 * Describes a cell: `unweaned Medium and Large 1 feeder steers weighing 750-799 lb`. Lots without comment have no word: "plain" is one of
 * poor quality in the reports. A comment without a descriptor of ours is quoted: `feeder steers commented "Guernsey"`.
 */
export function cellWords(cell: CellFacts): string {
  const text = cell.lot_description?.replaceAll('"', "'") ?? null;
  const lot = cell.lot_descriptors
    .filter((name) => text === null || name !== "other")
    .map(spaced)
    .join(", ");
  const comment = text === null ? "" : ` commented "${text}"`;
  const grade = [titled(cell.frame), cell.muscle_grade, titled(cell.quality_grade)].filter(Boolean).join(" ");
  const age = cell.age_class === null ? "" : ` aged ${cell.age_class}`;
  const stage = cell.pregnancy_stage === null ? "" : `, stage ${cell.pregnancy_stage}`;
  const calf = cell.offspring_weight === null ? "" : ` with calves of ${cell.offspring_weight} lb`;
  const dressing = cell.dressing === null ? "" : `, ${spaced(cell.dressing)} dressing`;
  const weight = cell.weight_bin === null ? "" : ` weighing ${cell.weight_bin} lb`;
  const delivery = cell.delivery == null ? "" : `, delivery ${cell.delivery}`;
  const freight = cell.freight == null ? "" : `, ${cell.freight === "fob" ? "FOB" : spaced(cell.freight)}`;
  return `${[lot, grade, kindWords(cell)].filter(Boolean).join(" ")}${comment}${age}${stage}${calf}${dressing}${weight}${delivery}${freight}`;
}

/** Capitalises the first letter. */
export function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `2026-08-12`, or `2026-08-05 to 2026-08-12`. */
export function dateRange(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}

function kindWords({commodity, class: kind}: CellFacts): string {
  const words = kind.replace("cow_calf", "cow-calf").replaceAll("_", " ");
  if (commodity === "feeder_cattle") return `feeder ${words}`;
  if (commodity === "slaughter_cattle") return `slaughter ${words}`;
  if (commodity === "dairy_calves") return kind === "baby_calves" ? words : `feeder ${dairyCalfWords(kind)}`;
  if (commodity !== "replacement_cattle") return words;
  if (kind === "bulls") return `breeding ${words}`;
  return /^(dairy_)?(cows|heifers)$/.test(kind) ? `replacement ${words}` : words;
}

/** Calves of dairies by their sex, such as `dairy bull calves`, which reports print below `BULLS`. */
export function dairyCalfWords(kind: string): string {
  return `dairy ${kind.replace("dairy_", "").replace(/s$/, "")} calves`;
}

function spaced(value: string): string {
  return value.replaceAll("_", " ");
}

/** Capitalises words, as in `Medium and Large`; null stays null. */
export function titled(value: string | null): string | null {
  if (value === null) return null;
  return spaced(value)
    .split(" ")
    .map((word) => (word === "and" ? word : sentenceStart(word)))
    .join(" ");
}
