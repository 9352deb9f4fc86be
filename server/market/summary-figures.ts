import {minimumForChange} from "../../lib/market/price-confidence.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {CountyPrice, PriceSummary} from "../../schemas/market-records.ts";
import type {SummarySums} from "../tables/record-tables.ts";
import type {Evidence} from "../tables/side-tables.ts";

/** A plain observation that is not thin, with its contribution to the summary. */
export type Pen = {
  readonly record: CountyPrice;
  readonly sums: SummarySums;
  readonly miles: number | null;
  readonly evidence: Evidence;
};

/** Medium and Large 1 and 1-2: buyers price these two grades as one. */
function isReferenceGrade({frame, muscle_grade}: CountyPrice): boolean {
  return frame === "medium_and_large" && (muscle_grade === "1" || muscle_grade === "1-2");
}

/** What all pens of one price share, besides the grade. */
function kindOf({
  commodity,
  price_unit,
  quality_grade,
  dressing,
  age_class,
  pregnancy_stage,
}: CountyPrice): string {
  return JSON.stringify([commodity, price_unit, quality_grade, dressing, age_class, pregnancy_stage]);
}

function gradeOf({frame, muscle_grade}: CountyPrice): string {
  return JSON.stringify([frame, muscle_grade]);
}

/** Total head. */
export const headOf = (pens: readonly Pen[]) => pens.reduce((sum, {record}) => sum + record.head_count!, 0);

/** Pens of one kind and grade, where the two reference grades count as one: the reference grades if present, otherwise the most head. */
export function chosenPens(pens: readonly Pen[]): readonly Pen[] {
  const grade = (record: CountyPrice) => (isReferenceGrade(record) ? "reference" : gradeOf(record));
  const groups = Map.groupBy(pens, ({record}) => `${kindOf(record)} ${grade(record)}`);
  const best = [...groups.values()].toSorted(
    (a, b) =>
      Number(isReferenceGrade(b[0]!.record)) - Number(isReferenceGrade(a[0]!.record)) ||
      headOf(b) - headOf(a),
  );
  return best[0] ?? [];
}

/** A summary without its sentence. */
export type Figures = Pick<
  PriceSummary,
  Exclude<keyof typeof PriceSummary.shape, "sentence" | "evidence_id">
>;

/** Figures of the chosen pens, sold at so many venues, plus each grade among all pens of their kind. */
export function figuresOf(pens: readonly Pen[], all: readonly Pen[], venues: number): Figures {
  const [first] = pens.map(({record}) => record);
  const miles = pens.flatMap((pen) => pen.miles ?? []).sort((a, b) => a - b);
  const dates = pens.flatMap(({record}) => [record.first_sale_date!, record.last_sale_date!]).sort();
  const [week, year] = [changeOf(pens, "week"), changeOf(pens, "year")];
  return {
    price_avg: meanOf(pens),
    price_low: Math.min(...pens.map(({record}) => record.price_low!)),
    price_high: Math.max(...pens.map(({record}) => record.price_high!)),
    price_unit: first!.price_unit,
    weight_bin: first!.weight_bin,
    head_count: headOf(pens),
    venues,
    counties: new Set(pens.map(({record}) => record.county_fips)).size,
    nearest_mi: miles[0] ?? null,
    farthest_mi: miles.at(-1) ?? null,
    first_sale_date: dates[0]!,
    last_sale_date: dates.at(-1)!,
    change_week: week.change,
    change_year: year.change,
    matched_cells: week.cells > 0 ? week.cells : year.cells,
    by_grade: gradesOf(all, pens),
  };
}

/** A single division of integers, rounded once. */
function meanOf(pens: readonly Pen[]): number {
  const cents = pens.reduce((sum, {sums}) => sum + sums.cents, 0);
  const weight = pens.reduce((sum, {sums}) => sum + sums.weight, 0);
  return roundHalfAway(cents / (weight * 100), 2);
}

/** sum(L * (now - then)) / sum(L) over the matched cells of all pens; null if there are too few to say anything about the market. */
function changeOf(pens: readonly Pen[], back: "week" | "year"): {change: number | null; cells: number} {
  const matched = pens.filter(({sums}) => (sums[back].weight ?? 0) > 0);
  const total = (of: (pen: Pen) => number | null) => matched.reduce((sum, pen) => sum + (of(pen) ?? 0), 0);
  const isSure =
    headOf(matched) >= minimumForChange.head &&
    total(({sums}) => sums[back].pens ?? sums[back].cells) >= minimumForChange.pens;
  if (!isSure) return {change: null, cells: 0};
  const change = total(({sums}) => sums[back].terms) / total(({sums}) => sums[back].weight);
  return {change: roundHalfAway(change, 2), cells: total(({sums}) => sums[back].cells)};
}

/** The grades of the chosen kind: pooled ones first, then by head. */
function gradesOf(pens: readonly Pen[], pooled: readonly Pen[]): Figures["by_grade"] {
  const kind = kindOf(pooled[0]!.record);
  const like = pens.filter(({record}) => kindOf(record) === kind);
  const grades = [...Map.groupBy(like, ({record}) => gradeOf(record))].sort(([a], [b]) => (a < b ? -1 : 1));
  return grades
    .map(([, same]) => ({
      frame: same[0]!.record.frame,
      muscle_grade: same[0]!.record.muscle_grade,
      price_avg: meanOf(same),
      head_count: headOf(same),
      pooled: pooled.includes(same[0]!),
    }))
    .sort((a, b) => Number(b.pooled) - Number(a.pooled) || b.head_count - a.head_count);
}
