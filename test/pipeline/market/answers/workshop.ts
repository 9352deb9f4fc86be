import {afterEach} from "vitest";
import {asOfDate} from "../../../../lib/models/build-facts.ts";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {sale_cells} from "../../../../pipeline/market/answers/aggregates.ts";
import {state_weeks} from "../../../../pipeline/market/answers/sold-issues.ts";
import {cell_keys, cells} from "../../../../pipeline/market/normalise/cell-rows.ts";
import {issue_versions, report_issues} from "../../../../pipeline/market/normalise/issue-versions.ts";
import {
  price_rows,
  price_rows_superseded,
  row_rejects,
} from "../../../../pipeline/market/normalise/market-rows.ts";
import {measured_rows} from "../../../../pipeline/market/normalise/measured-rows.ts";
import {mistaken_rows} from "../../../../pipeline/market/normalise/mistaken-rows.ts";
import {reissued_issues} from "../../../../pipeline/market/normalise/reissued-issues.ts";
import {
  replaced_events,
  sale_events,
  summary_events,
  venues_seen,
} from "../../../../pipeline/market/normalise/sale-events.ts";
import {known_words} from "../../../../pipeline/market/normalise/word-map.ts";
import {signalReadings} from "../../../../pipeline/market/signals/signal-tables.ts";
import {raw_files} from "../../../../pipeline/market/staging/staged-models.ts";
import {workingType} from "../../../../schemas/vocabulary/described-file.ts";
import {priceRowColumns, priceValueColumns} from "../../../../schemas/vocabulary/price-row.ts";
import {rowsSql} from "../../../lib/models/given.ts";

export const asOf = "2026-11-21";

/** Fields of a price row that a test sets; the rest make a plain lot of Medium and Large 1 feeder steers. */
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
  calf?: string;
  descriptors?: string[];
  description?: string;
  unit?: string;
  head?: number | null;
  weight?: number | null;
  bin?: number | null;
  price: number | null;
  /** Lowest and highest price if they differ from the price. */
  range?: readonly [number | null, number | null];
  source?: string;
  delivery?: string;
  freight?: string;
  region?: string;
};

/** Tables of events, which a test fills if it needs them. */
const eventModels = [report_issues, sale_events, summary_events, replaced_events, venues_seen, row_rejects];

const open: Database[] = [];

afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

/** A database with the normalised tables and the given price rows, each with its own words; closed after the test. */
export async function marketOf(rows: readonly RowSaid[]): Promise<Database> {
  const db = await openDatabase();
  open.push(db);
  const run = new ModelRun(db);
  runs.set(db, run);
  for (const model of [...eventModels, mistaken_rows, reissued_issues, raw_files])
    await run.giveSql(model, rowsSql(model));
  const ddl = priceRowColumns.map((column) => `${column.name} ${workingType(column)}`).join(", ");
  await db.run(`CREATE TABLE said (words_no INTEGER, ${ddl})`);
  const ordinals = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const values = columnValues(row, ordinals);
    const literals = priceRowColumns.map(({name, type}) => literal(values[name], type));
    await db.run(`INSERT INTO said VALUES (${index + 1}, ${literals.join(", ")})`);
  }
  const numbers = priceValueColumns.filter(({type}) => !type.startsWith("VARCHAR")).map(({name}) => name);
  const words = priceValueColumns.filter(({type}) => type.startsWith("VARCHAR")).map(({name}) => name);
  const ofRow = ["row_ordinal", "sale_date", ...priceValueColumns.map(({name}) => name)];
  await db.run(
    "CREATE TABLE numbered AS SELECT *, dense_rank() OVER (ORDER BY issue_id)::INTEGER AS issue_no FROM said",
  );
  await run.giveSql(
    measured_rows,
    `SELECT words_no::BIGINT AS row_no, 1 AS file_no, issue_no, words_no, row_ordinal, ${numbers.join(", ")},
      NULL::VARCHAR AS reject_reason, NULL::VARCHAR AS reject_detail FROM numbered`,
  );
  await run.giveSql(known_words, `SELECT words_no, ${words.join(", ")} FROM numbered`);
  await run.giveSql(
    issue_versions,
    `SELECT issue_no AS merged_into, true AS current, NULL::VARCHAR AS venue_name, count(*) AS rows_accepted,
      ANY_VALUE(COLUMNS(* EXCLUDE (words_no, ${ofRow.join(", ")}))) FROM numbered GROUP BY issue_no`,
  );
  await run.make(cells, cell_keys, price_rows, price_rows_superseded);
  return db;
}

const runs = new WeakMap<Database, ModelRun>();
const dated = new WeakSet<Database>();

/** The run of models on a database that has the normalised tables; its date is that of the first call. */
export function runOf(db: Database, date = asOf): ModelRun {
  const run = runs.get(db)!;
  if (!dated.has(db)) run.give(asOfDate, date).give(signalReadings, []);
  dated.add(db);
  return run;
}

/** The same with `cell_rows` made, and the sums of them. */
export async function cellsOf(rows: readonly RowSaid[], date = asOf): Promise<Database> {
  const db = await marketOf(rows);
  await runOf(db, date).make(sale_cells, state_weeks);
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
    offspring_weight: row.calf ?? null,
    lot_descriptors: row.descriptors ?? [],
    lot_description: row.description ?? null,
    price_unit: row.unit ?? "per_cwt",
    weight_basis: "actual",
    delivery: row.delivery ?? null,
    freight: row.freight ?? null,
    region: row.region ?? null,
    weight_bin_low_lb:
      row.bin === undefined ? (weight === null ? null : Math.floor(weight / 50) * 50) : row.bin,
    weight_spans_bins: false,
    avg_weight_lb: weight,
    price_avg: row.price,
    price_min: row.range === undefined ? row.price : row.range[0],
    price_max: row.range === undefined ? row.price : row.range[1],
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
