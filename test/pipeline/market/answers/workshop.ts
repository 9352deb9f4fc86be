import {afterEach} from "vitest";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {makeCellRows} from "../../../../pipeline/market/answers/cells.ts";
import {createMarketTables} from "../../../../pipeline/market/tables.ts";
import {namesOf} from "../../../../schemas/market-column.ts";
import {priceRowColumns} from "../../../../schemas/price-row.ts";

export const asOf = "2026-11-21";

/** Members of a price row that a test chooses; the others make a plain lot of Medium and Large 1 feeder steers. */
export type RowSaid = {
  venue?: string | null;
  state?: string | null;
  end?: string;
  begin?: string;
  scope?: string;
  slug?: string;
  commodity?: string;
  class?: string;
  frame?: string | null;
  grade?: string | null;
  quality?: string | null;
  dressing?: string | null;
  age?: string | null;
  stage?: string | null;
  descriptors?: string[];
  unit?: string;
  head?: number | null;
  weight?: number | null;
  bin?: number | null;
  price: number | null;
  source?: string;
};

const open: Database[] = [];

afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

/** A database with the normalised tables and the given price rows; closed after the test. */
export async function marketOf(rows: readonly RowSaid[]): Promise<Database> {
  const db = await openDatabase();
  open.push(db);
  await createMarketTables(db);
  const ordinals = new Map<string, number>();
  for (const row of rows) {
    const values = columnValues(row, ordinals);
    const literals = priceRowColumns.map(({name, type}) => literal(values[name], type));
    await db.run(`INSERT INTO price_rows (${namesOf(priceRowColumns)}) VALUES (${literals.join(", ")})`);
  }
  return db;
}

/** The same with `cell_rows` made. */
export async function cellsOf(rows: readonly RowSaid[], date = asOf): Promise<Database> {
  const db = await marketOf(rows);
  await makeCellRows(db, date);
  return db;
}

function columnValues(row: RowSaid, ordinals: Map<string, number>): Record<string, unknown> {
  const end = row.end ?? "2026-11-16";
  const slug = row.slug ?? (row.scope === "state_summary" ? "ams-900" : `ams-${row.venue ?? "ok-alpha"}`);
  const issue = `${slug}@${end}`;
  const ordinal = (ordinals.get(issue) ?? 0) + 1;
  ordinals.set(issue, ordinal);
  const scope = row.scope ?? "venue";
  const weight = row.weight === undefined ? 775 : row.weight;
  return {
    issue_id: issue,
    issue_version: 1,
    row_ordinal: ordinal,
    report_program: "voluntary",
    source_id: row.source ?? "mars",
    system: "mymarketnews",
    report_slug: slug,
    report_scope: scope,
    issue_status: "final",
    report_begin_date: row.begin ?? end,
    report_end_date: end,
    sale_date: row.begin === undefined ? end : null,
    venue_id: scope === "venue" ? (row.venue ?? "ok-alpha") : null,
    state: row.state === undefined ? "OK" : row.state,
    commodity: row.commodity ?? "feeder_cattle",
    class: row.class ?? "steers",
    frame: row.frame === undefined ? "medium_and_large" : row.frame,
    muscle_grade: row.grade === undefined ? "1" : row.grade,
    quality_grade: row.quality ?? null,
    dressing: row.dressing ?? null,
    age_class: row.age ?? null,
    pregnancy_stage: row.stage ?? null,
    lot_descriptors: row.descriptors ?? [],
    price_unit: row.unit ?? "per_cwt",
    weight_basis: "actual",
    weight_bin_low_lb:
      row.bin === undefined ? (weight === null ? null : Math.floor(weight / 50) * 50) : row.bin,
    weight_spans_bins: false,
    avg_weight_lb: weight,
    price_avg: row.price,
    price_min: row.price,
    price_max: row.price,
    head_count: row.head === undefined ? 10 : row.head,
    ingested_at: "2026-11-17 06:00:00",
    last_verified_at: "2026-11-20 06:00:00",
  };
}

function literal(value: unknown, type: string): string {
  if (value === null || value === undefined) return `NULL::${type}`;
  if (Array.isArray(value)) return `[${value.map((item) => `'${item}'`).join(", ")}]::${type}`;
  return `'${String(value)}'::${type}`;
}
