import printed from "../data/printed-bands.json" with {type: "json"};
import {commodityOf} from "./cattle-class.ts";
import type {TableHeading} from "./headings.ts";
import type {LineCells} from "./line-cells.ts";
import {priceUnitOf} from "./price-unit.ts";
import type {PrintedRow} from "./segment-rows.ts";
import {rangeOf} from "./tokens.ts";

/** Receipts by class: the maximum that the report's supply shares allow. */
type StatedHead = ReadonlyMap<string, number>;

/** Ages in the order in which tables print them. */
const ages = ["<2", "2-4", "2-8", "5-8", ">5", ">8"];

/** Dressings in ascending order of price; tables print them alphabetically. */
const dressings = ["Very Low", "Low", "Average", "High", "Very High"];

/**
 * Rejects, as `layout_uncertain`, rows of tables that lost a line (`docs/design/market.md` section 2): from a row that breaks
 * the printed order of its table, takes its class above the stated head, or has a price that its class never brings, to the
 * next heading. Above such a row a heading, or the page that began the table, is missing.
 */
export function rejectAfterLostLines(rows: readonly PrintedRow[], stated: StatedHead): PrintedRow[] {
  const heads = new Map<string, number>();
  const slipped = rows.some(({rejection, blanksAbove}) => rejection === null && blanksAbove === undefined);
  let above: PrintedRow[] = [];
  let doubt: string | null = null;
  const sale = [...stated.values()].reduce((sum, most) => sum + most, 0);
  return rows.map((row) => {
    const {heading, cells} = row;
    // Sheep, goats and hogs are ordered otherwise, and their rows are never priced.
    if (heading === null || commodityOf(heading.commodity) === null) return row;
    if (above[0]?.heading !== heading) [above, doubt] = [[], null];
    if (row.rejection !== null) {
      above.push(row);
      return row;
    }
    const key = classKey(heading.commodity, heading.class);
    const printedHead = rangeOf(cells.Head ?? "")[0] || 0;
    // More head than the whole sale is a fault of this row alone and says nothing of its table.
    const isSlip = sale > 0 && printedHead > sale;
    // A line printed twice is one row.
    const isTwice = above.some(({cells: other}) => isSameRow(other, cells));
    const head = (heads.get(key) ?? 0) + (isSlip || isTwice ? 0 : printedHead);
    heads.set(key, head);
    doubt ??=
      brokenOrder(above, row, slipped) ??
      aboveStated(heading, head, stated.get(key)) ??
      outsideBand(row) ??
      dressedFeeder(row) ??
      openBred(row);
    above.push(row);
    const detail = isSlip ? `${printedHead} head of a sale of at most ${Math.floor(sale)}` : doubt;
    return detail === null ? row : {...row, rejection: {reason: "layout_uncertain", detail}};
  });
}

/** Key of a class: sentences and headings differ in case. */
function classKey(commodity: string | null, name: string): string {
  return `${commodity} ${name}`.toLowerCase();
}

/**
 * The expected order. Feeders are sorted by 50-lb bin, with one row per comment in a bin; each delivery comes once and starts
 * again. Replacement cattle are sorted by age and stage, slaughter cows and bulls by dressing.
 */
function brokenOrder(above: readonly PrintedRow[], row: PrintedRow, slipped: boolean): string | null {
  const {heading, cells, blanksAbove = 0} = row;
  const last = above.at(-1)?.cells;
  // Blank lines separate tables. If values slipped to other lines, single blank lines may separate rows, and any number may
  // follow the header.
  const blanksWithin = !slipped ? 0 : last === undefined ? Number.POSITIVE_INFINITY : 1;
  if (blanksAbove > blanksWithin) return "blank lines stand above the row without a heading";
  if (last === undefined) return null;
  if (last.Delivery !== cells.Delivery)
    return above.some(({cells: {Delivery}}) => Delivery === cells.Delivery)
      ? `the delivery ${cells.Delivery} comes a second time without a heading`
      : null;
  const commodity = commodityOf(heading!.commodity);
  if (commodity === "feeder_cattle" || commodity === "dairy_calves") {
    if (binOf(cells) < binOf(last))
      return `weights fall from ${last["Avg Wt"]} to ${cells["Avg Wt"]} lb without a heading`;
    const isOne = commodity === "feeder_cattle" && cells.Delivery === undefined && !slipped;
    const second =
      isOne &&
      above.some(
        ({cells: other}) =>
          binOf(other) === binOf(cells) && repeatsAbove([{cells: other}], cells, ["comment"]),
      );
    return second ? `a second row of the bin of ${cells["Avg Wt"]} lb stands under one heading` : null;
  }
  return commodity === "replacement_cattle" ? brokenAges(above, row) : brokenGrade(above, row);
}

/** The 50-lb bin of a weight; NaN, which never breaks the order, if unreadable. */
function binOf(cells: LineCells): number {
  return Math.floor(rangeOf(cells["Avg Wt"] ?? "NaN")[0] / 50);
}

/** Ages must rise, and stages within an age; no page may begin with a row that its table already has. */
function brokenAges(above: readonly PrintedRow[], {cells, page}: PrintedRow): string | null {
  const last = above.at(-1)!;
  const [was, now] = [last.cells, cells].map(({Age: age}) => ages.indexOf(age ?? ""));
  const stages = [last.cells, cells].map(({Stage: stage}) => stage ?? "");
  const falls = now! < was! || (now === was && stages[1]! < stages[0]!);
  if (was! >= 0 && now! >= 0 && falls)
    return `${cells.Age} ${cells.Stage} stands below ${last.cells.Age} ${last.cells.Stage} without a heading`;
  return page !== last.page && repeatsAbove(above, cells, ["Age", "Stage", "comment"])
    ? `a second row of ${cells.Age} ${cells.Stage} begins a page without a heading`
    : null;
}

/**
 * Under one heading, slaughter cows and bulls have one row per dressing and comment, alphabetically, and a higher dressing
 * brings a higher price; a row that breaks this is of another grade. Cattle of one grade bring similar prices, fed cattle
 * especially; a lot with a comment (light, to be fed on) only like those with the same.
 */
function brokenGrade(above: readonly PrintedRow[], {heading, cells}: PrintedRow): string | null {
  const fed = !/\b(cows|bulls)$/i.test(heading!.class);
  const price = priceOf(cells);
  const first =
    above.find((row) => priceOf(row.cells) > 0 && row.cells.comment === cells.comment)?.cells ?? cells;
  const least = fed ? 0.7 : 0.6;
  const dressing = cells.Dressing;
  // Cows of a poor dressing bring as little as they may below those of a better one; the order of dressings is looked at below.
  const isPoor = !fed && isBelow(dressing, first.Dressing);
  const ratio = price / priceOf(first);
  if (!isPoor && (ratio < least || 1 / ratio < least))
    return `${price} stands below ${priceOf(first)} of one grade`;
  if (fed || dressing === undefined) return null;
  if (repeatsAbove(above, cells, ["Dressing", "comment"]))
    return `a second row of dressing ${dressing} stands under one heading`;
  const last = above.at(-1)!.cells.Dressing;
  if (last !== undefined && dressing < last)
    return `dressing ${dressing} stands below ${last} without a heading`;
  const dearer = above.find(
    ({cells: other}) =>
      cells.comment === undefined &&
      other.comment === undefined &&
      (dressings.indexOf(dressing) - dressings.indexOf(other.Dressing ?? "")) * (price - priceOf(other)) <
        0 &&
      Math.abs(price / priceOf(other) - 1) > priceTolerance,
  );
  return dearer === undefined
    ? null
    : `${price} of dressing ${dressing} stands below ${priceOf(dearer.cells)} of ${dearer.cells.Dressing} under one heading`;
}

/** True for a dressing of `Low` or `Very Low` that is lower than another. */
function isBelow(dressing: string | undefined, other: string | undefined): boolean {
  const rank = dressings.indexOf(dressing ?? "");
  return (dressing === "Low" || dressing === "Very Low") && rank < dressings.indexOf(other ?? "");
}

/** Share by which a lower dressing may bring more; exceeded in 2 of 1,127 pairs in 290 sales of one barn. */
const priceTolerance = 0.03;

/** True if a row above has the same values in these columns without being the same row printed twice. */
function repeatsAbove(
  above: readonly Pick<PrintedRow, "cells">[],
  cells: LineCells,
  columns: readonly (keyof LineCells)[],
): boolean {
  return above.some(
    ({cells: other}) => columns.every((name) => other[name] === cells[name]) && !isSameRow(other, cells),
  );
}

/** The average price; NaN, which breaks no rule, if unreadable. */
function priceOf(cells: LineCells): number {
  return rangeOf(cells["Avg Price"] ?? "NaN")[0];
}

/** True for a row printed twice: that is no sign of another table. */
function isSameRow(a: LineCells, b: LineCells): boolean {
  return Object.keys({...a, ...b}).every((name) => a[name as keyof LineCells] === b[name as keyof LineCells]);
}

function aboveStated({class: name}: TableHeading, head: number, most: number | undefined): string | null {
  return most !== undefined && head > most
    ? `${head} head of ${name}, where the report states at most ${Math.floor(most)}`
    : null;
}

function outsideBand({heading, cells}: PrintedRow): string | null {
  const unit = priceUnitOf(heading!.priceUnit);
  const commodity = commodityOf(heading!.commodity);
  const band = printed.bands.find((each) => each.price_unit === unit && each.commodity === commodity);
  const price = priceOf(cells);
  return band !== undefined && (price < band.min || price > band.max)
    ? `${price} ${heading!.priceUnit} is not a price of ${heading!.class}, expected ${band.min} to ${band.max}`
    : null;
}

/** Only slaughter cattle have a dressing. */
function dressedFeeder({heading, cells}: PrintedRow): string | null {
  const commodity = commodityOf(heading!.commodity);
  return commodity !== null && commodity !== "slaughter_cattle" && cells.Dressing !== undefined
    ? `a dressing stands under ${heading!.commodity}`
    : null;
}

/** A bred cow is never open; such a row belongs to pairs or stock cows. */
function openBred({heading, cells}: PrintedRow): string | null {
  return /^bred /i.test(heading!.class) && cells.Stage === "O" ? `${heading!.class} of stage O` : null;
}

const commodityShare = /\d+(?:\.\d+)?% ([A-Z][A-Za-z ]*(?:Cattle|Calves)) \(([^)]*)\)/g;

/**
 * The maximum head of each class in a report that says "Supply included: 66% Feeder Cattle (62% Steers, 36% Heifers)", from the
 * receipts of its commodity; shares are raised by half a percentage point for rounding and receipts by 2 %. Empty without that
 * sentence.
 */
export function statedHead(text: string, receipts: Readonly<Record<string, number | null>>): StatedHead {
  const sentence = /Supply included:(.*?)\. /s.exec(`${text.replaceAll(/\s+/g, " ")} `)?.[1] ?? "";
  const classes = [...sentence.matchAll(commodityShare)].flatMap(([, commodity, shares]) => {
    const receiptsOfClass = receipts[commodity!];
    return receiptsOfClass == null
      ? []
      : [...shares!.matchAll(/(\d+(?:\.\d+)?)% ([A-Za-z/-]+(?: [A-Za-z/-]+)*)/g)].map(
          ([, share, name]) =>
            [classKey(commodity!, name!), ((Number(share) + 0.5) / 100) * receiptsOfClass * 1.02] as const,
        );
  });
  return new Map(classes);
}
