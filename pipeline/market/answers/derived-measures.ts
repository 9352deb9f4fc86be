import {limitations} from "../../../lib/limitations.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {nearbyContract} from "../calendar/futures-contracts.ts";
import {fillTable} from "../files/record-table.ts";
import {salePricesSql, wideRows} from "./aggregates.ts";
import {latestMaxAgeDays} from "./bounds.ts";
import {basis, type DerivedRow, slide, valueOfGain, type WeightPrice} from "./measures.ts";
import {seasonalRows} from "./seasonal-index.ts";

/** A cell of one sale that is not thin. */
type Sale = Record<"venue_id" | "report_end_date" | "cell_id" | "class" | "weight_bin", string> &
  Record<"frame" | "muscle_grade" | "quality_grade" | "dressing", string | null> &
  Record<"price" | "avg_weight" | "head", number>;

/** Feeder cattle by weight bin: the cells between which weight has a price. */
const feederSales = `report_scope = 'venue' AND venue_id IS NOT NULL AND age <= ${latestMaxAgeDays}
  AND commodity = 'feeder_cattle' AND price_unit = 'per_cwt' AND weight_bin IS NOT NULL AND len(lot_descriptors) = 0`;

const feederCells = `SELECT * EXCLUDE (pooled_weight, thin) FROM (
    ${salePricesSql(["venue_id", "report_end_date", "class", "frame", "muscle_grade", "quality_grade", "dressing", "weight_bin"], feederSales)})
  WHERE NOT thin AND price IS NOT NULL AND avg_weight IS NOT NULL ORDER BY venue_id, report_end_date, cell_id`;

/**
 * Makes `derived_measures`, the measures of `docs/design/market.md` section 7 that need no cost input of a reader, for
 * analysts: each venue's sales of the last 60 days, plain lots, no thin cell, unrounded. The basis of the index-like cell is
 * a signal of its own. Without a licence no value of futures leaves: the row says so (L12).
 */
export async function makeDerivedMeasures(
  db: Database,
  {futuresLicensed, tempDir}: {futuresLicensed: boolean; tempDir: string},
): Promise<void> {
  const sales = await wideRows<Sale>(db, feederCells);
  const settlements = await readSettlements(db);
  const rows = [
    ...sales.map((sale) => spreadRow(sale, settlements, futuresLicensed)),
    ...heavierPairs(sales).flatMap(([light, heavy]) => weightRows(light, heavy)),
    ...(await seasonalRows(db)),
  ];
  await fillTable(db, "derived_measures", marketFiles.derived_measures.columns, rows, tempDir);
}

/** Settlements of feeder cattle by contract and day, the contract's own before a continuous series. */
async function readSettlements(db: Database): Promise<Map<string, number>> {
  const rows = await db.rows<{name: string; settlement: number}>(`
    SELECT contract_month || '|' || valid_from AS name, settlement::DOUBLE AS settlement FROM signal_futures
    WHERE product = 'feeder_cattle' AND settlement IS NOT NULL ORDER BY continuous DESC, key`);
  return new Map(rows.map(({name, settlement}) => [name, settlement]));
}

function spreadRow(sale: Sale, settlements: ReadonlyMap<string, number>, licensed: boolean): DerivedRow {
  const contract = nearbyContract("feeder_cattle", sale.report_end_date);
  const settlement = settlements.get(`${contract}|${sale.report_end_date}`) ?? null;
  const missing = licensed ? "no settlement of the contract on the sale date in this build" : limitations.L12;
  const known = licensed && settlement !== null;
  return {
    ...rowOf(sale),
    measure: "spread_to_feeder_futures",
    value: known ? basis(sale.price, settlement) : null,
    unit: "usd_per_cwt",
    contract_month: contract,
    reason: known ? null : missing,
  };
}

/** Cells of one sale that differ in nothing but the bin, the heavier one the next. */
function heavierPairs(sales: readonly Sale[]): [Sale, Sale][] {
  const book = new Map(sales.map((sale) => [pairName(sale, 0), sale]));
  return sales.flatMap((light) => {
    const heavy = book.get(pairName(light, 50));
    return heavy === undefined ? [] : [[light, heavy] as [Sale, Sale]];
  });
}

function pairName(sale: Sale, pounds: number): string {
  const bin = Number(sale.weight_bin.split("-")[0]) + pounds;
  const {venue_id, report_end_date, class: kind, frame, muscle_grade, quality_grade, dressing} = sale;
  return JSON.stringify([venue_id, report_end_date, kind, frame, muscle_grade, quality_grade, dressing, bin]);
}

function weightRows(light: Sale, heavy: Sale): DerivedRow[] {
  const [from, to] = [weightPrice(light), weightPrice(heavy)];
  if (to.weightLb <= from.weightLb) return [];
  const shared = {...rowOf(light), to_cell_id: heavy.cell_id, to_head_count: heavy.head};
  return [
    {...shared, measure: "value_of_gain", value: valueOfGain(from, to), unit: "usd_per_lb_gained"},
    {...shared, measure: "slide", value: slide(from, to), unit: "usd_per_cwt_per_cwt"},
  ];
}

function weightPrice(sale: Sale): WeightPrice {
  return {weightLb: sale.avg_weight, pricePerCwt: sale.price};
}

function rowOf(sale: Sale): Omit<DerivedRow, "measure" | "value" | "unit"> {
  return {
    venue_id: sale.venue_id,
    report_end_date: sale.report_end_date,
    cell_id: sale.cell_id,
    to_cell_id: null,
    month: null,
    head_count: sale.head,
    to_head_count: null,
    contract_month: null,
    reason: null,
  };
}
