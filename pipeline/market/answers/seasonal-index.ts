import type {Database} from "../../../lib/sql/duckdb.ts";
import type {DerivedRow} from "./measures.ts";

type Month = {venue_id: string; cell_id: string; month: string; price: number; last_sale: string};

const padded = (bin: string) => `lpad((${bin})::VARCHAR, 4, '0')`;

/** Pounds-weighted price of each month of the headline feeder cells of each venue, over all of history. */
const monthlyPrices = `
  SELECT venue_id, 'feeder-' || class || '-ml1-' || ${padded("weight_bin_low_lb")} || '-' || ${padded("weight_bin_low_lb + 49")}
      || '-cwt' AS cell_id, strftime(report_end_date, '%Y-%m') AS month,
    sum(head_count::HUGEINT * avg_weight_lb * (price_avg * 100)::BIGINT)::DOUBLE
      / (sum(head_count::HUGEINT * avg_weight_lb) * 100)::DOUBLE AS price,
    max(report_end_date)::VARCHAR AS last_sale
  FROM price_rows
  WHERE report_scope = 'venue' AND venue_id IS NOT NULL AND commodity = 'feeder_cattle' AND class IN ('steers', 'heifers')
    AND frame = 'medium_and_large' AND muscle_grade = '1' AND weight_bin_low_lb IN (500, 750) AND len(lot_descriptors) = 0
    AND price_unit = 'per_cwt' AND head_count > 0 AND avg_weight_lb > 0
  GROUP BY ALL ORDER BY venue_id, cell_id, month`;

/**
 * The seasonal index of each venue and headline feeder cell: twelve rows, or one with the `reason` that years are missing.
 */
export async function seasonalRows(db: Database): Promise<DerivedRow[]> {
  const months = await db.rows<Month>(monthlyPrices);
  return [...Map.groupBy(months, ({venue_id, cell_id}) => `${venue_id}|${cell_id}`).values()].flatMap(
    indexRows,
  );
}

function indexRows(months: readonly Month[]): DerivedRow[] {
  const {venue_id, cell_id, last_sale} = months.at(-1)!;
  const index = seasonalIndex(new Map(months.map(({month, price}) => [month, price])));
  const row = (month: number | null, value: number | null): DerivedRow => ({
    measure: "seasonal_index",
    venue_id,
    report_end_date: last_sale,
    cell_id,
    to_cell_id: null,
    month,
    value,
    unit: "ratio_to_12_month_centred_mean",
    head_count: null,
    to_head_count: null,
    contract_month: null,
    reason: value === null ? "fewer than 5 complete years of monthly prices" : null,
  });
  return index === null ? [row(null, null)] : index.map((value, month) => row(month + 1, value));
}

/**
 * Seasonal index by month (1 to 12): mean over the years of price over its 12-month centred mean, of one cell's monthly
 * prices by `YYYY-MM`. Null with fewer than 5 complete years of index values.
 */
export function seasonalIndex(monthly: ReadonlyMap<string, number>): number[] | null {
  const ratios = new Map<string, number>();
  for (const [month, price] of monthly) {
    const mean = centredMean(monthly, month);
    if (mean !== null) ratios.set(month, price / mean);
  }
  const years = [...new Set([...ratios.keys()].map((month) => month.slice(0, 4)))].sort();
  const months = Array.from({length: 12}, (_, i) => String(i + 1).padStart(2, "0"));
  const complete = years.filter((year) => months.every((month) => ratios.has(`${year}-${month}`)));
  if (complete.length < 5) return null;
  return months.map(
    (month) => complete.reduce((sum, year) => sum + ratios.get(`${year}-${month}`)!, 0) / complete.length,
  );
}

/** Mean of the 12 months around one, with the two outer ones counted half; null where one is missing. */
function centredMean(monthly: ReadonlyMap<string, number>, month: string): number | null {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  let sum = 0;
  for (let offset = -6; offset <= 6; offset++) {
    const price = monthly.get(monthName(at + offset));
    if (price === undefined) return null;
    sum += Math.abs(offset) === 6 ? price / 2 : price;
  }
  return sum / 12;
}

function monthName(index: number): string {
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}
