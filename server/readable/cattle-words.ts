import type {MarketRecord} from "./market-shape.ts";

/** Frames in the short forms of the trade. */
const frames: Readonly<Record<string, string>> = {
  small: "S",
  medium: "M",
  medium_and_large: "M&L",
  large: "L",
};

const units: Readonly<Record<string, string>> = {per_cwt: "/cwt", per_head: "/head", per_pair: "/pair"};

/** Gives the kind of cattle in words, such as `steers M&L 1` or `cows boner, average dressing`. */
export function cattleWords(record: MarketRecord): string {
  const {frame, muscle_grade, quality_grade, dressing, age_class, pregnancy_stage} = record;
  const graded = [frame == null ? null : (frames[frame] ?? frame), muscle_grade, quality_grade];
  const head = [record.class, ...graded].filter((word) => word != null && word !== "").map(plain);
  const rest = [
    dressing == null ? null : `${plain(dressing)} dressing`,
    age_class,
    pregnancy_stage,
    ...(record.lot_descriptors ?? []),
  ].filter((word) => word != null && word !== "");
  return [head.join(" "), ...rest.map(plain)].join(", ");
}

/** Gives a price with its unit, such as `372.25/cwt`, and nothing where there is none. */
export function priceWords(price: number | null | undefined, unit: string | null | undefined): string {
  if (price == null) return "";
  return `${price.toFixed(2)}${units[unit ?? ""] ?? ""}`;
}

/** Gives a change with its sign, and nothing where it is unknown. */
export function changeWords(change: number | null | undefined): string {
  if (change == null) return "";
  return change > 0 ? `+${change.toFixed(2)}` : change.toFixed(2);
}

function plain(word: string | null | undefined): string {
  return (word ?? "").replaceAll("_", " ");
}
