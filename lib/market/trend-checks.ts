import type {Contradiction} from "../../schemas/market-evidence.ts";
import type {Trend} from "../../schemas/vocabulary/reporter.ts";
import {contradiction} from "./contradictions.ts";

/** A cell of cattle with the change of its price against the week before, USD per cwt. */
export type ChangedCell = {
  readonly commodity: string;
  readonly class: string;
  readonly quality_grade: string | null;
  /** Such as `750-799`; null for cells without weights. */
  readonly weight_bin: string | null;
  readonly price: number;
  readonly change: number;
};

/** Least change in USD per cwt, and as a share of the price, that can contradict a direction. */
const least = {change: 3, share: 0.01};
/** The heaviest cattle, in pounds: the upper end of a range that states none. */
const heaviest = 3000;
/** USD per cwt by which a change may lie outside of the stated range. */
const outside = 10;

/**
 * The narrowest statement of a reporter on the cattle of a cell that compares with the week or the sale before; undefined if none is of
 * exactly these: calves without weights are of an unknown part of the cells.
 */
export function trendOf(trend: readonly Trend[], cell: ChangedCell): Trend | undefined {
  const [low, high] = (cell.weight_bin ?? "-").split("-").map((lb) => (lb === "" ? null : Number(lb)));
  const isBounded = ({weight_low_lb: from, weight_high_lb: to}: Trend) => from !== null || to !== null;
  const holds = (entry: Trend) => {
    const {weight_low_lb: from, weight_high_lb: to, kind, grade} = entry;
    if (entry.class !== cell.class || (entry.commodity !== null && entry.commodity !== cell.commodity))
      return false;
    if (grade !== null && grade !== cell.quality_grade) return false;
    if (!isBounded(entry)) return kind === null;
    if (kind !== null && kind !== "calves" && kind !== "yearlings") return false;
    return low != null && high != null && (from === null || low >= from) && (to === null || high <= to);
  };
  const said = trend.filter(
    (entry) =>
      ["higher", "lower", "steady", "mixed"].includes(entry.direction) &&
      (entry.compared_with === "last_week" || entry.compared_with === "last_sale") &&
      (entry.unit === "per_cwt" || (entry.low === null && entry.high === null)) &&
      holds(entry),
  );
  const width = ({weight_low_lb: from, weight_high_lb: to}: Trend) => (to ?? heaviest) - (from ?? 0);
  // Of two alike the later: an exception stands behind its rule.
  const [narrowest] = said
    .filter(isBounded)
    .reverse()
    .sort((a, b) => width(a) - width(b));
  return narrowest ?? said.find(({grade}) => grade !== null) ?? said[0];
}

/**
 * The contradiction between the change of a cell and what the reporter says of its cattle: another sign with more than 3 USD per cwt
 * and 1 %, or more than 10 USD outside of the stated range; else an empty list, and null if the reporter says nothing of them.
 */
export function trendVsChange(
  trend: readonly Trend[],
  cell: ChangedCell,
  {source, ref}: {readonly source: string; readonly ref: string},
): Contradiction[] | null {
  const entry = trendOf(trend, cell);
  if (entry === undefined) return null;
  const {change} = cell;
  const [from, to] = rangeOf(entry);
  const isOpposed =
    (entry.direction === "higher" && change < 0) || (entry.direction === "lower" && change > 0);
  const isLarge = Math.abs(change) > least.change && Math.abs(change) > least.share * cell.price;
  const beyond = change < from ? from - change : Math.max(0, change - to);
  if (!(isOpposed && isLarge) && beyond <= outside) return [];
  const nearest = change < from ? from : change > to ? to : change;
  return [
    contradiction(
      {
        kind: "trend_vs_change",
        field: "change_week",
        resolution: "change published; the claim ends with the reporter's direction",
      },
      {source: "derived-aggregates", ref: "change_week", value: change},
      {source, ref, value: nearest},
      {tolerance: isOpposed ? least.change : outside},
    ),
  ];
}

/** The range of a statement as a signed change. */
function rangeOf({direction, low, high}: Trend): [number, number] {
  if (direction === "higher") return [low ?? 0, high ?? Number.POSITIVE_INFINITY];
  if (direction === "lower") return [high === null ? Number.NEGATIVE_INFINITY : -high, -(low ?? 0)];
  return direction === "mixed" ? [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY] : [0, 0];
}

/** The reporter's direction as the end of a claim. */
export function trendSentence({text}: Trend): string {
  return ` The reporter says: "${text}"`;
}
