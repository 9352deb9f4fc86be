import {existsSync, readdirSync} from "node:fs";
import {dirname, join} from "node:path";
import {addDays} from "../../lib/dates.ts";
import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {MARKET, tablePath, type YearTable, yearPath} from "../../lib/storage/build-layout.ts";
import type {GateResult, ManifestFile, MarketPart} from "../../schemas/manifest.ts";
import {marketFiles} from "../../schemas/market-files.ts";
import type {MarketStageResult} from "../../schemas/part-file.ts";
import {signalFiles, signalKey} from "../../schemas/signal-files.ts";
import {holidayOn} from "../market/calendar/holidays.ts";
import {freshness} from "./freshness-gate.ts";
import {judge, judgeFaults, skipped} from "./gate.ts";
import {feedFigures, sourceRows} from "./source-rows-gate.ts";

/** The staged market, with the base build's part for comparison. */
type StagedMarket = {
  readonly dir: string;
  readonly asOf: string;
  readonly sample: boolean;
  readonly made: MarketStageResult;
  readonly files: readonly ManifestFile[];
  readonly sourceIds: readonly string[];
  readonly base: MarketPart | null;
  /** As-of date of the base build; null if there is none. */
  readonly baseAsOf: string | null;
  /** Folders below `raw/market` that have a reader. */
  readonly feeds: readonly string[];
  /** Raw files that the base build read and this one does not have. */
  readonly missingFiles: readonly string[];
  /** The day on which each raw file was fetched, of those that state it. */
  readonly fetchedOn?: ReadonlyMap<string, string>;
};

const priceRows = "price_rows";
const supersededRows = "price_rows_superseded";

/** Keys of the analysts' tables (`docs/design/market.md` section 15); tables missing in a build are skipped. */
const tableKeys: Readonly<Record<string, readonly string[]>> = {
  [priceRows]: ["issue_id", "row_ordinal"],
  sale_events: ["venue_id", "sale_date", "issue_id"],
  ...Object.fromEntries(Object.entries(marketFiles).map(([table, {key}]) => [table, key])),
  ...Object.fromEntries(Object.keys(signalFiles).map((table) => [`signals/${table}`, signalKey])),
};

const weeksCompared = 4;
const minMedianRows = 500;
const medianPrefix = "median_price:";

/** Median prices by class and state, in USD, and the rows of each feed, with which the next build compares its own. */
export async function marketFigures(db: Database, dir: string): Promise<Record<string, number>> {
  const rows = tableSql(dir, priceRows);
  if (rows === null) return {};
  // A row that another issue supersedes is not lost.
  const superseded = tableSql(dir, supersededRows);
  const ofFeeds = await feedFigures(db, superseded === null ? [rows] : [rows, superseded]);
  const medians = await db.rows<{key: string; median: number}>(`
    SELECT class || ':' || price_unit || ':' || coalesce(state, '-') AS key, quantile_cont(price_avg, 0.5)::DOUBLE AS median
    FROM ${rows} WHERE price_avg IS NOT NULL GROUP BY ALL HAVING count(*) >= 20 ORDER BY key`);
  return {
    ...ofFeeds,
    ...Object.fromEntries(medians.map(({key, median}) => [`${medianPrefix}${key}`, median])),
  };
}

/** Runs the market gates of `docs/design/reliability.md` section 2.3; comparisons are skipped without a base. */
export async function marketGates(
  db: Database,
  staged: StagedMarket,
  figures: Record<string, number>,
): Promise<GateResult[]> {
  return [
    await duplicateKeys(db, staged.dir),
    await aggregatesComplete(db, staged.dir),
    await pricesPositive(db, staged.dir),
    readBack(staged),
    sourcesRegistered(staged),
    sourceRows(staged, figures),
    priceDrift(staged.base, figures),
    ...(await recentRows(db, staged)),
    sourceAge(staged),
    await freshness(
      db,
      {priceRows: tableSql(staged.dir, priceRows), barns: tableSql(staged.dir, "barns")},
      {asOf: staged.asOf, fetchedOn: staged.fetchedOn ?? new Map()},
    ),
    ...issuesShrank(staged),
  ];
}

async function duplicateKeys(db: Database, dir: string): Promise<GateResult> {
  const repeatedKeys: string[] = [];
  let total = 0;
  for (const [table, keys] of Object.entries(tableKeys)) {
    const source = tableSql(dir, table);
    if (source === null) continue;
    const [row] = await db.rows<{n: number}>(
      `SELECT (count(*) - count(DISTINCT (${keys.join(", ")})))::INTEGER AS n FROM ${source}`,
    );
    if (row!.n > 0) {
      const twice = `QUALIFY count(*) OVER (PARTITION BY ${keys.join(", ")}) > 1`;
      repeatedKeys.push(`${table} ${row!.n} (${await placesOf(db, dir, {table, which: twice})})`);
    }
    total += row!.n;
  }
  return judgeFaults(MARKET, "duplicates", total, repeatedKeys.join(", "));
}

async function aggregatesComplete(db: Database, dir: string): Promise<GateResult> {
  const which =
    "WHERE price_avg IS NOT NULL AND (coalesce(head_count, contributing_head) IS NULL OR last_sale_date IS NULL)";
  let bare = 0;
  const places: string[] = [];
  for (const table of ["county_prices", "state_prices"]) {
    const source = tableSql(dir, table);
    if (source === null) continue;
    const [row] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM ${source} ${which}`);
    if (row!.n > 0) places.push(`${table} ${row!.n} (${await placesOf(db, dir, {table, which})})`);
    bare += row!.n;
  }
  return judgeFaults(
    MARKET,
    "aggregates-complete",
    bare,
    `prices without head or date: ${places.join(", ")}`,
  );
}

async function pricesPositive(db: Database, dir: string): Promise<GateResult> {
  const source = tableSql(dir, priceRows);
  if (source === null) return skipped(MARKET, "prices-positive", "no price rows");
  const which = "WHERE price_avg <= 0";
  const [row] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM ${source} ${which}`);
  const places = row!.n > 0 ? await placesOf(db, dir, {table: priceRows, which}) : "";
  return judgeFaults(MARKET, "prices-positive", row!.n, places);
}

/** Locates the first two offending rows: their key, and the raw file of the row or of its evidence. */
async function placesOf(
  db: Database,
  dir: string,
  {table, which}: {table: string; which: string},
): Promise<string> {
  const keys = tableKeys[table]!;
  const rows = await db.rows<{row: string}>(
    `SELECT to_json(t)::VARCHAR AS row FROM (SELECT * FROM ${tableSql(dir, table)} ${which} ORDER BY ${keys.join(", ")} LIMIT 2) AS t`,
  );
  const places: string[] = [];
  for (const {row} of rows) {
    const members = JSON.parse(row) as Record<string, string | undefined>;
    const file = members["source_path"] ?? (await filesOfEvidence(db, dir, members["evidence_id"]));
    const at = keys.map((key) => `${key} ${members[key]}`).join(", ");
    places.push(file === null ? at : `${at} of ${file}`);
  }
  return places.join(" and ");
}

async function filesOfEvidence(db: Database, dir: string, id: string | undefined): Promise<string | null> {
  const [evidence, issues] = [tableSql(dir, "evidence"), tableSql(dir, "report_issues")];
  if (id === undefined || evidence === null || issues === null) return null;
  const [row] = await db.rows<{files: string | null}>(
    `SELECT string_agg(DISTINCT source_path, ', ' ORDER BY source_path) AS files
     FROM ${issues} SEMI JOIN (SELECT unnest(entity_ids) AS entity FROM ${evidence} WHERE evidence_id = $id) ON entity = 'report:' || issue_id`,
    {id},
  );
  return row!.files;
}

function readBack({files, made}: StagedMarket): GateResult {
  const faults = Object.entries(made.rows).flatMap(([table, rows]) => {
    const found = files
      .filter(({path}) => path === tablePath(table) || path.startsWith(`tables/${table}/`))
      .reduce((sum, file) => sum + (file.rows ?? 0), 0);
    return found === rows ? [] : [`${table}: ${found} rows, expected ${rows}`];
  });
  return judgeFaults(MARKET, "read-back", faults.length, faults.join("; "));
}

function sourcesRegistered({made, sourceIds}: StagedMarket): GateResult {
  const foreign = made.sources.map(({id}) => id).filter((id) => !sourceIds.includes(id));
  return judgeFaults(MARKET, "sources-registered", foreign.length, foreign.join(", "));
}

function priceDrift(base: MarketPart | null, figures: Record<string, number>): GateResult {
  if (base === null) return skipped(MARKET, "price-drift", "first build of the market");
  const drifts = Object.entries(figures).flatMap(([key, now]) => {
    const before = base.figures[key];
    return key.startsWith(medianPrefix) && before !== undefined
      ? [{key, drift: Math.abs(now - before) / before}]
      : [];
  });
  const worst = drifts.reduce((a, b) => (b.drift > a.drift ? b : a), {key: "", drift: 0});
  return judge(MARKET, "price-drift", worst.drift, {warnAt: 0.15, failAt: 0.6, detail: worst.key});
}

/**
 * Compares each source's rows of the last 7 days with the median of the previous 4 weeks. It only warns in a week with a holiday, or when a
 * single report accounts for the missing rows, so that one damaged file does not hold back the market.
 */
async function recentRows(db: Database, {dir, asOf}: StagedMarket): Promise<GateResult[]> {
  const source = tableSql(dir, priceRows);
  if (source === null) return [skipped(MARKET, "recent-rows", "no price rows")];
  const weeks = await db.rows<ReportWeek>(`
    SELECT source_id, report_slug, (DATE ${sqlText(asOf)} - report_end_date) // 7 AS week, count(*)::INTEGER AS n
    FROM ${source} WHERE DATE ${sqlText(asOf)} - report_end_date BETWEEN 0 AND ${weeksCompared * 7 + 6}
    GROUP BY ALL ORDER BY source_id, report_slug, week`);
  return [...Map.groupBy(weeks, ({source_id}) => source_id)].map(([id, counts]) => {
    const [now, median] = weekOf(counts);
    if (median < minMedianRows)
      return skipped(MARKET, "recent-rows", `${id}: a median of ${median} rows a week`);
    const result = judge(MARKET, "recent-rows", Math.max(0, (median - now) / median), {
      warnAt: 0.25,
      failAt: maxLacking,
      detail: `${id}: ${now} rows in the last 7 days, ${median} before`,
    });
    const reason = holidayOfWeek(asOf) ?? oneReportLacking(counts);
    return result.status === "fail" && reason !== null
      ? {...result, status: "warn" as const, detail: `${result.detail}; ${reason}`}
      : result;
  });
}

type ReportWeek = {source_id: string; report_slug: string; week: number; n: number};
const maxLacking = 0.5;

/** Rows of the last 7 days, and the median of the previous 4 weeks. */
function weekOf(counts: readonly ReportWeek[]): [number, number] {
  const rowsOf = (week: number) =>
    counts.reduce((sum, count) => sum + (Number(count.week) === week ? count.n : 0), 0);
  const before = Array.from({length: weeksCompared}, (_, at) => rowsOf(at + 1)).sort((a, b) => a - b);
  return [rowsOf(0), (before[1]! + before[2]!) / 2];
}

/**
 * Names the report that lacks the most rows if the others together lack less than half of theirs, or there are no others; otherwise null.
 */
function oneReportLacking(counts: readonly ReportWeek[]): string | null {
  const lacks = [...Map.groupBy(counts, ({report_slug}) => report_slug)].map(([slug, ofReport]) => {
    const [now, median] = weekOf(ofReport);
    return {slug, rows: median - now};
  });
  const {slug, rows} = lacks.reduce((a, b) => (b.rows > a.rows ? b : a));
  const [now, median] = weekOf(counts.filter(({report_slug}) => report_slug !== slug));
  return median === 0 || median - now < maxLacking * median ? `report ${slug} alone lacks ${rows}` : null;
}

function holidayOfWeek(asOf: string): string | null {
  for (let day = 0; day < 7; day++) {
    const holiday = holidayOn(addDays(asOf, -day));
    if (holiday !== null) return holiday;
  }
  return null;
}

/** Warns of old sources. Age alone never fails the build, because the answers show it. Few invented barns have days without a sale. */
function sourceAge({made, asOf, sample}: StagedMarket): GateResult {
  if (sample) return skipped(MARKET, "source-age", "generated sample data");
  const ages = made.sources
    .filter(({id}) => id === "mars" || id === "ams-lmr-datamart")
    .flatMap(({id, sourceDate}) =>
      sourceDate === null ? [] : [{id, days: (Date.parse(asOf) - Date.parse(sourceDate)) / 86_400_000}],
    );
  const oldest = ages.reduce((a, b) => (b.days > a.days ? b : a), {id: "", days: 0});
  const detail = oldest.id === "" ? "" : `${oldest.id} is ${oldest.days} days old`;
  return judge(MARKET, "source-age", oldest.days, {warnAt: 2, failAt: null, detail});
}

/**
 * Warns of each issue that lost a fifth of its rows or head. One that lost half did not replace the longer version, so nothing is held
 * back; a person can let it through with `--accept MARKET:issue-shrank`.
 */
function issuesShrank({made}: StagedMarket): GateResult[] {
  return (made.shrunk ?? []).map(({issue, path, loss, replaced}) => {
    const what = replaced ? "replaced a longer version" : "did not replace the longer version";
    const nextSteps = replaced ? "" : "; --accept MARKET:issue-shrank lets it through";
    return judge(MARKET, "issue-shrank", loss, {
      warnAt: 0.2,
      failAt: null,
      detail: `${issue} of ${path} ${what}${nextSteps}`,
    });
  });
}

/** A table's relation in SQL, or null if the build has no such file. */
function tableSql(dir: string, table: string): string | null {
  const files =
    table === priceRows || table === supersededRows ? yearFiles(dir, table) : [join(dir, tablePath(table))];
  return files.length > 0 && files.every(existsSync) ? parquetRelation(files) : null;
}

function yearFiles(dir: string, table: YearTable): string[] {
  const folder = dirname(dirname(join(dir, yearPath(table, 0))));
  if (!existsSync(folder)) return [];
  const years = readdirSync(folder).map((name) => Number(name.replace("year=", "")));
  return years.sort((a, b) => a - b).map((year) => join(dir, yearPath(table, year)));
}
