import {countWords} from "../../../lib/counts.ts";
import {addDays, weekdayOf} from "../../../lib/dates.ts";
import {type SampleRow, type SampleSale, sampleSale} from "./sale.ts";
import {type SampleBarn, sampleBarns} from "./sample-barns.ts";

/** An invented file of a feed: its name, its text, and its fetch date if it is not the as-of date. */
export type SampleFile = {readonly name: string; readonly text: string; readonly fetchedOn?: string};

const pageWidth = 128;
const linesPerPage = 58;

const printedWeeks = 3;
const serviceWeeks = 8;

/** Generates the sales of the barns with printed reports, each as the text of a report. */
export function printedReports(asOf: string): SampleFile[] {
  return barnsOf("ams-text").flatMap((barn) =>
    saleDates(barn, asOf, printedWeeks).map((date) => {
      const sale = (on: string) => sampleSale(barn.slug, on);
      const text = printedReport(barn, sale(date), sale(addDays(date, -7)), sale(addDays(date, -364)));
      const fetchedOn = date < asOf ? addDays(date, 1) : asOf;
      return {name: `ams_${barn.slug}_${date}.txt`, text, fetchedOn};
    }),
  );
}

/** Generates the other barns' sales as one answer of the market-news service. */
export function servedReports(asOf: string): SampleFile[] {
  const sales = barnsOf("mars").flatMap((barn) =>
    saleDates(barn, asOf, serviceWeeks).map((date) => ({barn, sale: sampleSale(barn.slug, date)})),
  );
  return [{name: "sample-detail.json", text: marsBody(sales)}];
}

function barnsOf(feed: SampleBarn["feed"]): SampleBarn[] {
  return sampleBarns.filter((barn) => barn.feed === feed);
}

/** Returns a barn's last sale days up to the as-of date, newest first. */
function saleDates({saleWeekday}: SampleBarn, asOf: string, weeks: number): string[] {
  const newest = addDays(asOf, -((weekdayOf(asOf) - saleWeekday + 7) % 7));
  return Array.from({length: weeks}, (_, i) => addDays(newest, -7 * i));
}

/** Formats sales as the detail section of the market-news service's JSON: an array with one envelope of rows. */
export function marsBody(sales: readonly {barn: SampleBarn; sale: SampleSale}[]): string {
  const results = sales.flatMap(({barn, sale}) => sale.rows.map((row) => result(barn, sale, row)));
  const stats = {returnedRows: results.length, userAllowedRows: 100_000, totalRows: results.length};
  return `${JSON.stringify([{stats, results}], null, 1)}\n`;
}

function result(barn: SampleBarn, sale: SampleSale, row: SampleRow): Record<string, string | number | null> {
  const date = slashDate(sale.date);
  const {frame, muscle, quality} = gradeParts(row);
  return {
    report_date: date,
    report_begin_date: date,
    report_end_date: date,
    published_date: `${date} 18:00:00`,
    office_name: "Generated sample",
    office_state: barn.state,
    market_type: "Auction Livestock",
    market_location_name: barn.name,
    market_location_city: barn.city,
    market_location_state: barn.state,
    slug_id: barn.slug,
    slug_name: `AMS_${barn.slug}`,
    report_title: `${barn.name} - ${barn.city}, ${barn.state}`,
    commodity: row.commodity,
    class: row.className,
    frame,
    muscle_grade: muscle,
    quality_grade_name: quality,
    lot_desc: "None",
    freight: "F.O.B.",
    price_unit: row.priceUnit,
    age: row.age ?? null,
    pregnancy_stage: row.stage ?? null,
    dressing: row.dressing ?? null,
    head_count: row.head,
    avg_weight_min: row.weightLow,
    avg_weight_max: row.weightHigh,
    avg_weight: row.avgWeight,
    avg_price_min: row.priceLow,
    avg_price_max: row.priceHigh,
    avg_price: row.avgPrice,
    weight_break_low: Math.floor(row.avgWeight / 50) * 50,
    weight_break_high: Math.floor(row.avgWeight / 50) * 50 + 50,
    receipts: sale.receipts[row.commodity],
    report_narrative: "Generated sample data: no real sale, venue or price.",
    final_ind: "Final",
  };
}

/** Splits a printed grade: `Medium and Large 1-2` into frame and muscle; `Boner 80-85%` is a quality grade. */
function gradeParts({commodity, grade}: SampleRow): {frame: string; muscle: string; quality: string | null} {
  if (commodity === "Slaughter Cattle") return {frame: "N/A", muscle: "N/A", quality: grade};
  const [, frame, muscle] = /^(.*) (\S+)$/.exec(grade)!;
  return {frame: frame!, muscle: muscle!, quality: null};
}

function slashDate(date: string): string {
  const [year, month, day] = date.split("-");
  return `${month}/${day}/${year}`;
}

/** Formats a sale as a printed auction report, in the layout that `pdftotext -layout` produces for real ones. */
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
  const first = ["", `Livestock Weighted Average Report for ${shortDate(sale.date)} - Final`, "", "AUCTION"];
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
  const share = (head: number, total: number) => `${countWords(head)}(${((100 * head) / total).toFixed(1)}%)`;
  return [
    `${" ".repeat(54)}${"This Week".padEnd(30)}${"Last Reported".padEnd(30)}Last Year`,
    `${" ".repeat(86)}${shortDate(before.date)}`,
    line("Total Receipts", totals.map(countWords)),
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

/** Formats a date as `8/2/2026`. */
function shortDate(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
}

/** Formats a date as `Wed Aug 12, 2026`. */
function longDate(date: string): string {
  const [weekday, day, month, year] = new Date(`${date}T12:00:00Z`).toUTCString().replace(",", "").split(" ");
  return `${weekday} ${month} ${Number(day)}, ${year}`;
}
