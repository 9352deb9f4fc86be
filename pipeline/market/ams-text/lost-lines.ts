import {printedBand} from "../normalise/price-bounds.ts";
import {commodityOf} from "../words/cattle-class.ts";
import {priceUnitOf} from "../words/price-unit.ts";
import type {TableHeading} from "./headings.ts";
import type {LineCells} from "./line-cells.ts";
import type {PrintedRow} from "./segment-rows.ts";
import {rangeOf} from "./tokens.ts";

/** Head that came to a sale, by class: most that the report's own supply shares allow. */
export type StatedHead = ReadonlyMap<string, number>;

/**
 * Marks, as `layout_uncertain`, the rows of tables that lost a line (`docs/design/market.md` section 2): from a row that breaks the
 * printed order of its table, that takes its class above the stated head, or that has a price which its class never brings, to the
 * next heading. There a heading, or the page that began the table, is missing.
 */
export function withLostLines(rows: readonly PrintedRow[], stated: StatedHead): PrintedRow[] {
  const heads = new Map<string, number>();
  let above: PrintedRow[] = [];
  let doubt: string | null = null;
  return rows.map((row) => {
    if (row.heading === null || row.refused !== null) return row;
    const {heading, cells} = row;
    if (above[0]?.heading !== heading) [above, doubt] = [[], null];
    const key = classKey(heading.commodity, heading.class);
    const head = (heads.get(key) ?? 0) + (rangeOf(cells.Head ?? "")[0] || 0);
    heads.set(key, head);
    doubt ??= brokenOrder(above, row) ?? aboveStated(heading, head, stated.get(key)) ?? outsideBand(row);
    above.push(row);
    return doubt === null ? row : {...row, refused: {reason: "layout_uncertain", detail: doubt}};
  });
}

/** Name under which heads of a class are counted: a sentence and a heading write it otherwise. */
function classKey(commodity: string | null, name: string): string {
  return `${commodity} ${name}`.toLowerCase();
}

/**
 * Feeders go by the 50-lb bins of their weights; within a bin comments stand in their own order, and each delivery begins anew. Under one
 * heading slaughter cows and bulls have one row of each dressing and comment: a second one is of another grade.
 */
function brokenOrder(above: readonly PrintedRow[], {heading, cells}: PrintedRow): string | null {
  const last = above.at(-1)?.cells;
  if (last === undefined || last.Delivery !== cells.Delivery) return null;
  const commodity = commodityOf(heading!.commodity);
  if (commodity === "feeder_cattle" || commodity === "dairy_calves") {
    const [was, now] = [last, cells].map((found) => Math.floor(rangeOf(found["Avg Wt"] ?? "")[0] / 50));
    return now! < was!
      ? `weights fall from ${last["Avg Wt"]} to ${cells["Avg Wt"]} lb without a heading`
      : null;
  }
  const again = above.some(
    (row) =>
      row.cells.Dressing === cells.Dressing &&
      row.cells.comment === cells.comment &&
      !alike(row.cells, cells),
  );
  return commodity === "slaughter_cattle" &&
    cells.Dressing !== undefined &&
    /\b(cows|bulls)$/i.test(heading!.class) &&
    again
    ? `a second row of dressing ${cells.Dressing} stands under one heading`
    : null;
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
  const price = rangeOf(cells["Avg Price"] ?? "")[0];
  return band !== undefined && (price < band.min || price > band.max)
    ? `${price} ${heading!.priceUnit} is no price of ${heading!.class}, expected ${band.min} to ${band.max}`
    : null;
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
