import type {SampleBarn} from "./barns.ts";
import type {SampleRow, SampleSale} from "./sale.ts";

const pageWidth = 128;
const linesPerPage = 58;

/** Gives a sale as the text of a printed auction report, in the layout that `pdftotext -layout` gives for published ones. */
export function printedReport(
  barn: SampleBarn,
  sale: SampleSale,
  before: SampleSale,
  yearAgo: SampleSale,
): string {
  const body = [...receiptsBlock(sale, before, yearAgo), "", ...comment(), "", "", ...tables(sale)];
  const pages: string[][] = [];
  for (let at = 0; at < body.length; at += linesPerPage) pages.push(body.slice(at, at + linesPerPage));
  return pages.map((lines, i) => page(barn, sale, lines, {number: i + 1, of: pages.length})).join("\n\f");
}

function page(
  barn: SampleBarn,
  sale: SampleSale,
  lines: string[],
  {number, of}: {number: number; of: number},
): string {
  const indent = " ".repeat(24);
  const office = `${indent}Generated sample, Mrkt News layout`;
  const first = ["", `Livestock Weighted Average Report for ${slashDate(sale.date)} - Final`, "", "AUCTION"];
  return [
    `${indent}${barn.name} - ${barn.city}, ${barn.state}`,
    `${indent}GENERATED SAMPLE DATA: no real sale, venue or price`,
    `${office}${longDate(sale.date).padStart(pageWidth - office.length)}`,
    "Email us with accessibility issues with this report.",
    ...(number === 1 ? first : []),
    ...lines,
    "",
    `Source: generated sample data${`Page ${number} of ${of}`.padStart(pageWidth - 29)}`,
    "        Not a report of any agency",
    `        https://mymarketnews.ams.usda.gov/viewReport/${barn.slug}`,
  ].join("\n");
}

function receiptsBlock(sale: SampleSale, before: SampleSale, yearAgo: SampleSale): string[] {
  const columns = [sale, before, yearAgo];
  const totals = columns.map(({receipts}) => Object.values(receipts).reduce((sum, head) => sum + head, 0));
  const line = (label: string, cells: string[]) =>
    `${`${label}:`.padEnd(50)}${cells.map((cell) => cell.padStart(14).padEnd(30)).join("")}`.trimEnd();
  const share = (head: number, total: number) =>
    `${head.toLocaleString("en-US")}(${((100 * head) / total).toFixed(1)}%)`;
  return [
    `${" ".repeat(54)}${"This Week".padEnd(30)}${"Last Reported".padEnd(30)}Last Year`,
    `${" ".repeat(86)}${slashDate(before.date)}`,
    line(
      "Total Receipts",
      totals.map((total) => total.toLocaleString("en-US")),
    ),
    ...(["Feeder Cattle", "Slaughter Cattle", "Replacement Cattle"] as const).map((commodity) =>
      line(
        commodity,
        columns.map(({receipts}, i) => share(receipts[commodity], totals[i]!)),
      ),
    ),
  ];
}

function comment(): string[] {
  return [
    "Generated sample. Compared to last week, feeder steers and heifers sold steady. Slaughter cows sold steady. Good demand",
    "for moderate supply.",
  ];
}

function tables({rows}: SampleSale): string[] {
  return [...Map.groupBy(rows, ({commodity}) => commodity)].flatMap(([commodity, found]) => [
    commodity.toUpperCase(),
    "",
    ...[
      ...Map.groupBy(
        found,
        ({className, grade, priceUnit}) => `${className.toUpperCase()} - ${grade} (${priceUnit} / Actual Wt)`,
      ),
    ].flatMap(([heading, lots]) => [heading, header(lots[0]!), ...lots.map(lot), "", ""]),
  ]);
}

function header({age, dressing}: SampleRow): string {
  const lead = age === undefined ? "  Head" : "    Age        Stage      Head";
  return `${lead}            Wt Range          Avg Wt              Price Range     Avg Price${dressing === undefined ? "" : "   Dressing"}`;
}

function lot(row: SampleRow): string {
  const lead = row.age === undefined ? "" : `    ${row.age.padEnd(12)}${(row.stage ?? "").padEnd(7)}`;
  const cells = [
    String(row.head).padStart(5),
    range(row.weightLow, row.weightHigh, 0).padStart(21),
    String(row.avgWeight).padStart(14),
    range(row.priceLow, row.priceHigh, 2).padStart(27),
    row.avgPrice.toFixed(2).padStart(14),
    row.dressing === undefined ? "" : row.dressing.padStart(13),
  ];
  return `${lead}${cells.join("")}`.trimEnd();
}

function range(low: number, high: number, digits: number): string {
  return low === high ? low.toFixed(digits) : `${low.toFixed(digits)}-${high.toFixed(digits)}`;
}

function slashDate(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
}

/** Gives a date such as `Wed Aug 12, 2026`. */
function longDate(date: string): string {
  const [weekday, day, month, year] = new Date(`${date}T12:00:00Z`).toUTCString().replace(",", "").split(" ");
  return `${weekday} ${month} ${Number(day)}, ${year}`;
}
