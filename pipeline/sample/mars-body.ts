import type {SampleBarn} from "./barns.ts";
import type {SampleRow, SampleSale} from "./sale.ts";

/** Gives sales as the detail section of the market-news service's JSON: an array with one envelope of rows. */
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

/** Splits a printed grade: `Medium and Large 1-2` is frame and muscle; `Boner 80-85%` is a quality grade. */
function gradeParts({commodity, grade}: SampleRow): {frame: string; muscle: string; quality: string | null} {
  if (commodity === "Slaughter Cattle") return {frame: "N/A", muscle: "N/A", quality: grade};
  const [, frame, muscle] = /^(.*) (\S+)$/.exec(grade)!;
  return {frame: frame!, muscle: muscle!, quality: null};
}

function slashDate(date: string): string {
  const [year, month, day] = date.split("-");
  return `${month}/${day}/${year}`;
}
