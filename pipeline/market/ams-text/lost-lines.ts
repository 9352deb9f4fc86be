import {printedBand} from "../normalise/price-bounds.ts";
import {commodityOf} from "../words/cattle-class.ts";
import {priceUnitOf} from "../words/price-unit.ts";
import type {TableHeading} from "./headings.ts";
import type {LineCells} from "./line-cells.ts";
import type {PrintedRow} from "./segment-rows.ts";
import {rangeOf} from "./tokens.ts";

/** Head that came to a sale, by class: most that the report's own supply shares allow. */
type StatedHead = ReadonlyMap<string, number>;

/** Ages in the order in which tables print them. */
const ages = ["<2", "2-4", "2-8", "5-8", ">5", ">8"];

/** Dressings from that which brings least; tables print them by the alphabet. */
const dressings = ["Very Low", "Low", "Average", "High", "Very High"];

/**
 * Marks, as `layout_uncertain`, the rows of tables that lost a line (`docs/design/market.md` section 2): from a row that breaks the
 * printed order of its table, that takes its class above the stated head, or that has a price which its class never brings, to the
 * next heading. There a heading, or the page that began the table, is missing.
 */
export function withLostLines(rows: readonly PrintedRow[], stated: StatedHead): PrintedRow[] {
  const heads = new Map<string, number>();
  const slipped = rows.some(({refused, blanksAbove}) => refused === null && blanksAbove === undefined);
  let above: PrintedRow[] = [];
  let doubt: string | null = null;
  const sale = [...stated.values()].reduce((sum, most) => sum + most, 0);
  return rows.map((row) => {
    const {heading, cells} = row;
    // Sheep, goats and hogs have orders of their own, and no row of theirs is priced.
    if (heading === null || commodityOf(heading.commodity) === null) return row;
    if (above[0]?.heading !== heading) [above, doubt] = [[], null];
    if (row.refused !== null) {
      above.push(row);
      return row;
    }
    const key = classKey(heading.commodity, heading.class);
    const own = rangeOf(cells.Head ?? "")[0] || 0;
    // More than the whole sale is a mistake of the row's own, and tells nothing of its table.
    const isSlip = sale > 0 && own > sale;
    const head = (heads.get(key) ?? 0) + (isSlip ? 0 : own);
    heads.set(key, head);
    doubt ??=
      brokenOrder(above, row, slipped) ??
      aboveStated(heading, head, stated.get(key)) ??
      outsideBand(row) ??
      dressedFeeder(row) ??
      openBred(row);
    above.push(row);
    const detail = isSlip ? `${own} head of a sale of at most ${Math.floor(sale)}` : doubt;
    return detail === null ? row : {...row, refused: {reason: "layout_uncertain", detail}};
  });
}

/** Name under which heads of a class are counted: a sentence and a heading write it otherwise. */
function classKey(commodity: string | null, name: string): string {
  return `${commodity} ${name}`.toLowerCase();
}

/**
 * Feeders go by the 50-lb bins of their weights; within a bin there is one row of each comment, in their own order. Each delivery comes
 * once and begins anew. Replacement cattle go by age and stage, slaughter cows and bulls by dressing.
 */
function brokenOrder(above: readonly PrintedRow[], row: PrintedRow, slipped: boolean): string | null {
  const {heading, cells, blanksAbove = 0} = row;
  const last = above.at(-1)?.cells;
  // Tables stand apart by blank lines. Where values slipped from their lines, single ones stand among rows, and any below column names.
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
        ({cells: other}) => binOf(other) === binOf(cells) && again([{cells: other}], cells, ["comment"]),
      );
    return second ? `a second row of the bin of ${cells["Avg Wt"]} lb stands under one heading` : null;
  }
  return commodity === "replacement_cattle" ? brokenAges(above, row) : brokenGrade(above, row);
}

/** The 50-lb bin of a weight; NaN, which breaks no order, where it cannot be read. */
function binOf(cells: LineCells): number {
  return Math.floor(rangeOf(cells["Avg Wt"] ?? "NaN")[0] / 50);
}

/** Ages rise, and stages within an age; a page begins with no row that its table has already. */
function brokenAges(above: readonly PrintedRow[], {cells, page}: PrintedRow): string | null {
  const last = above.at(-1)!;
  const [was, now] = [last.cells, cells].map(({Age: age}) => ages.indexOf(age ?? ""));
  const stages = [last.cells, cells].map(({Stage: stage}) => stage ?? "");
  const falls = now! < was! || (now === was && stages[1]! < stages[0]!);
  if (was! >= 0 && now! >= 0 && falls)
    return `${cells.Age} ${cells.Stage} stands below ${last.cells.Age} ${last.cells.Stage} without a heading`;
  return page !== last.page && again(above, cells, ["Age", "Stage", "comment"])
    ? `a second row of ${cells.Age} ${cells.Stage} begins a page without a heading`
    : null;
}

/**
 * Under one heading slaughter cows and bulls have one row of each dressing and comment, by the alphabet, and a higher dressing brings
 * more: another row is of another grade. Cattle of one grade bring like prices, fed ones most of all.
 */
function brokenGrade(above: readonly PrintedRow[], {heading, cells}: PrintedRow): string | null {
  const fed = !/\b(cows|bulls)$/i.test(heading!.class);
  const price = priceOf(cells);
  const first = above.map((row) => priceOf(row.cells)).find((each) => each > 0) ?? price;
  const least = fed ? 0.7 : 0.6;
  if (price / first < least || first / price < least) return `${price} stands below ${first} of one grade`;
  const dressing = cells.Dressing;
  if (fed || dressing === undefined) return null;
  if (again(above, cells, ["Dressing", "comment"]))
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
      Math.abs(price / priceOf(other) - 1) > pricesAlike,
  );
  return dearer === undefined
    ? null
    : `${price} of dressing ${dressing} stands below ${priceOf(dearer.cells)} of ${dearer.cells.Dressing} under one heading`;
}

/** Share by which a lower dressing may bring more: in 2 of 1,127 pairs of one barn's 290 sales it was more than this. */
const pricesAlike = 0.03;

/** True where a row above, which is not the same row printed twice, has the same values in those columns. */
function again(
  above: readonly Pick<PrintedRow, "cells">[],
  cells: LineCells,
  columns: readonly (keyof LineCells)[],
): boolean {
  return above.some(
    ({cells: other}) => columns.every((name) => other[name] === cells[name]) && !alike(other, cells),
  );
}

/** NaN, which breaks no rule, where a row has no price that can be read. */
function priceOf(cells: LineCells): number {
  return rangeOf(cells["Avg Price"] ?? "NaN")[0];
}

/** True for a row that is printed twice: that is no row of another table. */
function alike(a: LineCells, b: LineCells): boolean {
  return Object.keys({...a, ...b}).every((name) => a[name as keyof LineCells] === b[name as keyof LineCells]);
}

function aboveStated({class: name}: TableHeading, head: number, most: number | undefined): string | null {
  return most !== undefined && head > most
    ? `${head} head of ${name}, where the report states at most ${Math.floor(most)}`
    : null;
}

function outsideBand({heading, cells}: PrintedRow): string | null {
  const unit = priceUnitOf(heading!.priceUnit);
  const band = unit === null ? undefined : printedBand(unit, commodityOf(heading!.commodity));
  const price = priceOf(cells);
  return band !== undefined && (price < band.min || price > band.max)
    ? `${price} ${heading!.priceUnit} is no price of ${heading!.class}, expected ${band.min} to ${band.max}`
    : null;
}

/** Slaughter cattle alone are judged by their dressing. */
function dressedFeeder({heading, cells}: PrintedRow): string | null {
  const commodity = commodityOf(heading!.commodity);
  return commodity !== null && commodity !== "slaughter_cattle" && cells.Dressing !== undefined
    ? `a dressing stands under ${heading!.commodity}`
    : null;
}

/** A bred cow is not open: such a row is one of a pair or of a stock cow. */
function openBred({heading, cells}: PrintedRow): string | null {
  return /^bred /i.test(heading!.class) && cells.Stage === "O" ? `${heading!.class} of stage O` : null;
}

const commodityShare = /\d+(?:\.\d+)?% ([A-Z][A-Za-z ]*(?:Cattle|Calves)) \(([^)]*)\)/g;

/**
 * The head of each class of a report that says "Supply included: 66% Feeder Cattle (62% Steers, 36% Heifers)", by the receipts of its
 * commodity; a share is taken as half a percent more than it is printed, and receipts as 2 % more. Empty without that sentence.
 */
export function statedHead(text: string, receipts: Readonly<Record<string, number | null>>): StatedHead {
  const sentence = /Supply included:(.*?)\. /s.exec(`${text.replaceAll(/\s+/g, " ")} `)?.[1] ?? "";
  const classes = [...sentence.matchAll(commodityShare)].flatMap(([, commodity, shares]) => {
    const came = receipts[commodity!];
    return came == null
      ? []
      : [...shares!.matchAll(/(\d+(?:\.\d+)?)% ([A-Za-z/-]+(?: [A-Za-z/-]+)*)/g)].map(
          ([, share, name]) =>
            [classKey(commodity!, name!), ((Number(share) + 0.5) / 100) * came * 1.02] as const,
        );
  });
  return new Map(classes);
}
