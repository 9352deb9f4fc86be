import type {CurveReason} from "../../schemas/market-curve.ts";
import type {SummaryMembers} from "../../schemas/market-summary.ts";
import {countWithNoun, countWords} from "../counts.ts";
import {headWords, moneyWords, priceWords} from "./cell-words.ts";
import {
  type CurveMinimums,
  type CurveWindow,
  likePenLb,
  nearLb,
  pensOfGrade,
  type SalePen,
  untestedOf,
} from "./curve-figure.ts";
import {type CurveGrade, curveGrades} from "./weight-curve.ts";

type Area = {
  readonly place: string;
  readonly pens: readonly SalePen[];
  readonly minimums: CurveMinimums;
  /** The windows that were tried; those of 14 and 21 days are told by default. */
  readonly windows?: readonly CurveWindow[] | undefined;
  readonly hasReports?: boolean | undefined;
  /** Those that the curve of the window holds. */
  readonly grades?: readonly CurveGrade[] | undefined;
  /** The pens within 150 lb, of all grades of the curve. */
  readonly near: readonly SalePen[];
};

/** The summary in words: its price with range, support and changes, or what is missing for one; and what the pens at the weight brought. */
export function summarySentence(members: SummaryMembers, area: Area): string {
  const figure = members.price_avg === null ? missingSentence(members, area) : priceSentence(members, area);
  return `${figure}${pensAtWeightWords(members)}`;
}

/** `Medium and Large 1 steers of 725 lb`. */
function cattleWords({muscle_grade, class: kind, weight_lb}: SummaryMembers): string {
  return `Medium and Large ${muscle_grade} ${kind} of ${weight_lb} lb`;
}

function priceSentence(members: SummaryMembers, {place, near}: Area): string {
  const {price_avg, price_low, price_high, fit} = members;
  const support = [
    `four pens in five within ${moneyWords(price_low!)} to ${moneyWords(price_high!)}`,
    `${pensByGradeWords(near, members)}, ${headWords(fit!.head_near, "per_cwt")} within ${nearLb} lb`,
    ...untestedWords(fit!.untested_near, fit!.pens_near),
    ...offsetWords(members),
  ].join("; ");
  return (
    `${cattleWords(members)} were worth about ${priceWords(price_avg!, "per_cwt")} ${place} by the prices ${salesWords(fit!.sales, members)}${levelWords(members)} ` +
    `(${support})${changeWords(members)}.`
  );
}

/** `12 pens` of the grade asked, else `9 pens of grade 1 and 3 of grade 1-2`, or `6 pens of grade 1-2`. */
function pensByGradeWords(pens: readonly SalePen[], {muscle_grade}: SummaryMembers): string {
  const counts = curveGrades.flatMap((grade) => {
    const count = pens.filter((pen) => pen.grade === grade).length;
    return count === 0 ? [] : [{grade, count}];
  });
  if (counts.every(({grade}) => grade === muscle_grade)) return countWithNoun(pens.length, "pen");
  return counts
    .map(
      ({grade, count}, at) =>
        `${at === 0 ? countWithNoun(count, "pen") : countWords(count)} of grade ${grade}`,
    )
    .join(" and ");
}

/** What the pens of the grade at the weight brought, as printed; empty without one. */
function pensAtWeightWords({pens_at_weight: at}: SummaryMembers): string {
  if (at == null) return "";
  const {pens, head_count, avg_weight_lb, price_low, price_high, price_avg} = at;
  const range =
    price_low === price_high ? "" : `, from ${moneyWords(price_low)} to ${moneyWords(price_high)}`;
  const [who, mean] = pens === 1 ? ["One pen", ""] : ["Pens", " on average"];
  const support = [pens === 1 ? "" : `${pens} pens`, headWords(head_count, "per_cwt")]
    .filter(Boolean)
    .join(", ");
  return ` ${who} within ${likePenLb} lb brought ${moneyWords(price_avg)}${mean}${range} (${support} of ${avg_weight_lb} lb).`;
}

/** Words for the pens of which the reporter says that there was no market test or nothing to compare with; none where all were tested. */
export function untestedWords(untested: number, pens: number): string[] {
  if (untested === 0) return [];
  const share = untested === pens ? "these pens" : `${untested} of these pens`;
  return [`reporter: no market test or comparison of ${share}`];
}

/** `at one sale on 2026-08-12`, `at 2 sales from 2026-08-12 to 2026-08-13`. */
export function salesWords(
  sales: number,
  {first_sale_date: first, last_sale_date: last}: Pick<SummaryMembers, "first_sale_date" | "last_sale_date">,
): string {
  const days = first === last ? `on ${last}` : `from ${first} to ${last}`;
  return `at ${sales === 1 ? "one sale" : countWithNoun(sales, "sale")} ${days}`;
}

/** `, moved 4.8 % down to join the figure of fewer days at 725 lb`; empty for a figure that was not moved. */
function levelWords({level_shift_pct: shift, level_weights_lb: weights = []}: SummaryMembers): string {
  if (shift === undefined || Math.abs(shift) < 0.05) return "";
  const figures = weights.length === 1 ? "figure" : "figures";
  return `, moved ${Math.abs(shift).toFixed(1)} % ${shift < 0 ? "down" : "up"} to join the ${figures} of fewer days at ${weights.join(" and ")} lb`;
}

function offsetWords({grade_offset_pct: offset}: SummaryMembers): string[] {
  if (offset === null) return [];
  return [`grade 1-2: ${Math.abs(offset).toFixed(1)} % ${offset < 0 ? "less" : "more"}`];
}

/** Beyond this share of the figure the venues that sold in both windows are of another level, and are told apart. */
const otherLevel = 0.01;

function changeWords(members: SummaryMembers): string {
  const {price_avg, change_to: to, change_from: from, change_venues: venues, change_14_days} = members;
  const before = change_14_days === null ? "week" : "two weeks";
  const change = members.change_week ?? change_14_days;
  const isOther = to !== null && Math.abs(to - price_avg!) > otherLevel * price_avg!;
  const moved = [
    change === null || isOther ? "" : movedWords(change, `the ${before} before`),
    members.change_year === null ? "" : movedWords(members.change_year, "a year earlier"),
  ].filter(Boolean);
  const same = moved.length === 0 ? "" : `, ${moved.join(" and ")}`;
  if (!isOther) return same;
  const both = before === "week" ? "both weeks" : "both fortnights";
  return `${same}; at the ${countWithNoun(venues!, "venue")} that sold in ${both}: from ${moneyWords(from!)} to ${moneyWords(to)}`;
}

function movedWords(change: number, back: string): string {
  if (change === 0) return `unchanged from ${back}`;
  return `${moneyWords(Math.abs(change))} ${change > 0 ? "higher" : "lower"} than ${back}`;
}

/** Says that no sale at all, or a sale of other cattle, was reported in the area; empty where that is not known. */
export function reportedWords(hasReports: boolean | undefined): string {
  if (hasReports === undefined) return "";
  return hasReports ? "; other cattle were reported there" : "; no report of a sale there is held";
}

function missingSentence(
  members: SummaryMembers,
  {place, pens, minimums, windows = [14, 21], hasReports, grades = [members.muscle_grade]}: Area,
): string {
  const {last_sale: last, weight_lb, fit, reasons} = members;
  const lastSaleWords = last === null ? "" : `; last sold at ${last.place} on ${last.date}`;
  const like = pens.filter(
    ({grade, weightLb}) => grades.includes(grade) && Math.abs(weightLb - weight_lb) <= nearLb,
  );
  const within = (days: number) => like.filter(({ageDays}) => ageDays <= days);
  const longest = windows.at(-1)!;
  if (within(longest).length === 0)
    return `No sale of such cattle in the window: ${cattleWords(members)} ${place}, last ${longest} days${reportedWords(hasReports)}${lastSaleWords}.`;
  const counts = (days: number) =>
    `${pensByGradeWords(within(days), members)}, ${headWords(
      within(days).reduce((sum, {head}) => sum + head, 0),
      "per_cwt",
    )} in ${days} days`;
  const words: Partial<Record<CurveReason, string>> = {
    too_few_of_the_grade: `${pensOfGrade} pens of grade ${members.muscle_grade} within ${nearLb} lb are needed`,
    too_few_states: `${minimums.states} states are needed`,
    one_small_sale: "one sale alone needs 5 pens and 100 head",
    no_weight_support: `a pen within 50 lb of ${weight_lb} lb and pens on both sides within 100 lb are needed`,
    one_pen_dominates: "one pen outweighs the others",
    prices_too_scattered: `the prices scatter too widely (spread ${fit?.residual_spread})`,
  };
  const isShort = reasons.includes("too_few_pens") || reasons.includes("too_few_head");
  const needs = isShort
    ? `${minimums.pens} pens and ${countWords(minimums.head)} head are needed`
    : (reasons.map((reason) => words[reason]).find(Boolean) ?? "");
  const inWindow = within(longest);
  const said = [
    windows.map(counts).join(", "),
    needs,
    ...untestedWords(untestedOf(inWindow), inWindow.length),
  ].join("; ");
  return `No figure for ${cattleWords(members)} ${place}: ${said}${lastSaleWords}.`;
}
