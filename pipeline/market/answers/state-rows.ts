import type {Database} from "../../../lib/sql/duckdb.ts";
import {type Aggregate, aggregate, aggregateWindows} from "./aggregates.ts";
import {widenedWindowDays, windowDays} from "./bounds.ts";

type OfficialRow = Aggregate & {state: string; report_slug: string; report_begin_date: string};

/** A cell of an official summary, with our own roll-up over the summary's period for checking. */
export type SummaryRow = {
  official: OfficialRow;
  rollup: Aggregate | null;
  receipts: number | null;
  receipts_prior: number | null;
  receipts_year_ago: number | null;
};

/** A cell rolled up from venues, over 14 or 28 days. */
export type StateRow = {row: Aggregate & {state: string}; widened: boolean; days: number};

/**
 * The source of each (state, cell), by state and cell: the cells of the official summary where the state has one of the last 14
 * days, else the venues. A cell that the summary does not name was not reported, and no roll-up takes its place.
 */
export async function readStateRows(db: Database): Promise<(SummaryRow | StateRow)[]> {
  const latest = await readLatestSummaries(db);
  const summaries = await readSummaries(db, latest);
  const rolled = (await readRollups(db)).filter(({row}) => !latest.has(row.state));
  return [...summaries, ...rolled].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

type SummaryIssue = {state: string; report_slug: string; report_end_date: string};

/** The latest summary of each state, of several with one end date the first by report code, by state. */
async function readLatestSummaries(db: Database): Promise<Map<string, SummaryIssue>> {
  const rows = await db.rows<SummaryIssue>(`
    SELECT DISTINCT ON (state) state, report_slug, report_end_date::VARCHAR AS report_end_date FROM current_issues
    WHERE report_scope = 'state_summary' AND state IS NOT NULL AND age <= ${windowDays}
    ORDER BY state, current_issues.report_end_date DESC, report_slug`);
  return new Map(rows.map((row) => [row.state, row]));
}

function placeOf(row: SummaryRow | StateRow): string {
  const {state, cell_id} = "official" in row ? row.official : row.row;
  return `${state}|${cell_id}`;
}

async function readRollups(db: Database): Promise<StateRow[]> {
  const where = "report_scope = 'venue' AND report_program = 'voluntary' AND state IS NOT NULL";
  return (await aggregateWindows(db, ["state"], where)).map(({row, widened}) => ({
    row,
    widened,
    days: widened ? widenedWindowDays : windowDays,
  }));
}

/** The cells of the latest summaries. An older summary never fills in a cell that the latest one does not name. */
async function readSummaries(
  db: Database,
  latestByState: ReadonlyMap<string, SummaryIssue>,
): Promise<SummaryRow[]> {
  const keys = ["state", "report_slug", "report_begin_date", "report_end_date"] as const;
  const where = `report_scope = 'state_summary' AND state IS NOT NULL AND age <= ${windowDays}`;
  const latest: OfficialRow[] = (await aggregate(db, keys, where)).filter((row) => {
    const {report_slug: slug, report_end_date: end} = latestByState.get(row.state)!;
    return row.report_slug === slug && row.report_end_date === end;
  });
  const rollups = await readChecks(db, latest);
  const events = await readEvents(db);
  return latest.map((official) => ({
    official,
    rollup:
      rollups.get(
        checkKey(official.state, official.report_begin_date, official.last_date, official.cell_id),
      ) ?? null,
    receipts: null,
    receipts_prior: null,
    receipts_year_ago: null,
    ...events.get(official.issue_ids[0] ?? ""),
  }));
}

/** Our roll-ups over the periods of the summaries, for checking only. */
async function readChecks(db: Database, summaries: readonly OfficialRow[]): Promise<Map<string, Aggregate>> {
  const periods = [
    ...new Set(summaries.map((row) => `${row.state}|${row.report_begin_date}|${row.last_date}`)),
  ];
  if (periods.length === 0) return new Map();
  await db.run(
    "CREATE OR REPLACE TEMP TABLE summary_periods (state VARCHAR, week_begin DATE, week_end DATE)",
  );
  for (const period of periods.sort()) {
    const [state, begin, end] = period.split("|") as [string, string, string];
    await db.run("INSERT INTO summary_periods VALUES ($state, $begin::DATE, $end::DATE)", {
      state,
      begin,
      end,
    });
  }
  const issues = `(SELECT i.*, week_begin, week_end FROM current_issues AS i JOIN summary_periods AS p
    ON i.state = p.state AND i.report_end_date BETWEEN week_begin AND week_end)`;
  const venues = "report_scope = 'venue' AND report_program = 'voluntary'";
  const rows = await aggregate(db, ["state", "week_begin", "week_end"], venues, {issues});
  return new Map(rows.map((row) => [checkKey(row.state, row.week_begin, row.week_end, row.cell_id), row]));
}

function checkKey(...parts: string[]): string {
  return parts.join("|");
}

type ReportedReceipts = Pick<SummaryRow, "receipts" | "receipts_prior" | "receipts_year_ago">;

async function readEvents(db: Database): Promise<Map<string, ReportedReceipts>> {
  const rows = await db.rows<ReportedReceipts & {issue_id: string}>(
    "SELECT issue_id, receipts, receipts_prior, receipts_year_ago FROM summary_events ORDER BY issue_id",
  );
  return new Map(rows.map(({issue_id, ...receipts}) => [issue_id, receipts]));
}
