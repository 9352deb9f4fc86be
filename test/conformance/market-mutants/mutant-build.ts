import {mkdirSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {buildMarket} from "../../../pipeline/market/build-market.ts";
import {marketGates} from "../../../pipeline/parts/market-gates.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import {cellWords} from "../../pipeline/market/recomputed/published.ts";
import type {Specimen} from "./specimens.ts";

/** A file of a build: a specimen, changed or not, in its own folder. */
export type Planted = {
  readonly specimen: Specimen;
  readonly folder: string;
  readonly code: string | null;
  readonly content: Buffer;
};

/** What a price row says about the cattle, by which it is recognised in the undamaged file. */
export const saidNames = [
  "week",
  "price_unit",
  "head_count",
  "price_avg",
  "avg_weight_lb",
  ...cellWords,
] as const;
export type Said = (typeof saidNames)[number];
export type Told = Readonly<Record<Said, string | null>>;

/** The results of a build with a planted file: its report, the values of its priced rows, and its rejected rows. */
export type Outcome = {
  readonly report: FileReport;
  readonly priced: string[];
  /** What each of those rows says. */
  readonly told: Told[];
  readonly superseded: number;
  readonly quarantined: number;
};

/** A specimen with its own report number, so that no two files report the same sale. */
export function planted(specimen: Specimen, folder: string, code: string): Planted {
  if (specimen.code === null) return {specimen, folder, code: null, content: specimen.content};
  const content =
    specimen.shape === "parquet"
      ? specimen.content
      : Buffer.from(
          specimen.content
            .toString("utf8")
            // 2026 may be a year: in a date a digit and a slash precede it.
            .replaceAll(new RegExp(`(?<!\\d|\\d/)${specimen.code}(?!\\d)`, "g"), code),
        );
  return {specimen, folder, code, content};
}

export function pathOf({specimen, folder, code}: Planted): string {
  const name = code === null ? specimen.name : specimen.name.replace(specimen.code!, code);
  return `market/${specimen.feed}/${folder}/${name}`;
}

/** Builds the market from the files; returns each outcome by path. Throws if the market cannot be built. */
export async function outcomes(
  db: Database,
  files: readonly Planted[],
  {dir, asOf}: {dir: string; asOf: string},
): Promise<Map<string, Outcome>> {
  return (await builtOf(db, files, {dir, asOf})).outcomes;
}

/** The same with the market gates that the build would fail, in words; read-back needs a manifest. */
export async function builtOf(
  db: Database,
  files: readonly Planted[],
  {dir, asOf}: {dir: string; asOf: string},
): Promise<{outcomes: Map<string, Outcome>; heldBack: string[]}> {
  const raw = join(dir, "raw");
  const outDir = join(dir, "market");
  for (const file of files) {
    const target = join(raw, pathOf(file));
    mkdirSync(dirname(target), {recursive: true});
    writeFileSync(target, file.content);
  }
  try {
    const made = await buildMarket({
      files: await listRawFiles(raw),
      outDir,
      asOf,
      previousDir: null,
      sample: false,
      tempDir: join(dir, "temp"),
    });
    const priceRows = `read_parquet(${sqlText(join(outDir, "tables/price_rows/*/rows.parquet"))})`;
    const priced = await countedBy<{path: string; rows: string[]}>(
      db,
      `SELECT source_path AS path, list(concat_ws('|', commodity, class, frame, muscle_grade, quality_grade,
      dressing, age_class, pregnancy_stage, lot_description, price_unit, weight_bin_low_lb, avg_weight_lb, price_avg, price_min, price_max, head_count)) AS rows
      FROM ${priceRows} GROUP BY 1`,
    );
    const told = Map.groupBy(
      await db.rows<Told & {path: string}>(
        `SELECT source_path AS path, ${saidNames.map((name) => `${saidSql[name] ?? name}::VARCHAR AS ${name}`).join(", ")} FROM ${priceRows}`,
      ),
      ({path}) => path,
    );
    const other = (table: string) =>
      countedBy<{path: string; n: number}>(
        db,
        `SELECT source_path AS path, count(*)::INTEGER AS n FROM read_parquet(${sqlText(join(outDir, "tables", table))}) GROUP BY 1`,
      );
    const superseded = await other("price_rows_superseded/*/rows.parquet");
    const quarantined = await other("quarantine.parquet");
    const sourceIds = made.sources.map(({id}) => id);
    const gates = await marketGates(
      db,
      {
        ...{dir: outDir, asOf, sample: false, made, files: [], sourceIds},
        ...{base: null, baseAsOf: null, feeds: [], missingFiles: []},
      },
      {},
    );
    const heldBack = gates
      .filter(({gate, status}) => status === "fail" && gate !== "read-back")
      .map(({gate, detail}) => `${gate}: ${detail}`);
    const outcomes = new Map(
      made.files.map((report) => [
        report.path,
        {
          report,
          priced: priced.get(report.path)?.rows ?? [],
          told: told.get(report.path) ?? [],
          superseded: superseded.get(report.path)?.n ?? 0,
          quarantined: quarantined.get(report.path)?.n ?? 0,
        },
      ]),
    );
    return {outcomes, heldBack};
  } finally {
    rmSync(dir, {recursive: true, force: true});
  }
}

const saidSql: Partial<Record<Said, string>> = {
  week: "(report_end_date + (6 - dayofweek(report_end_date))::INTEGER)",
};

async function countedBy<Row extends {path: string}>(db: Database, sql: string): Promise<Map<string, Row>> {
  return new Map((await db.rows<Row>(sql)).map((row) => [row.path, row]));
}

/** Members of a list missing in another, as often as they are missing. */
export function missingIn(from: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const text of other) left.set(text, (left.get(text) ?? 0) + 1);
  return from.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
