import type {RowOutcomes} from "../../lib/parcels/dedupe/dedupe.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows, refusedFile} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {OutlineNotes} from "./outlines/outline-models.ts";
import type {StagedFile} from "./stage-entry.ts";
import type {AcceptedEntry} from "./state-facts.ts";

type Codes = Map<number, Record<string, number>>;

/** SELECT of the dropped rows with the reason, including `copied` ones; `source_row` counts from 1. */
export function rejectsSql(accepted: readonly AcceptedEntry[], copied: string): string {
  const own = accepted.map(({entry, table, files}) => {
    const paths = files.map(({number, file}) => `WHEN ${number} THEN ${sqlText(file.path)}`).join(" ");
    return `SELECT ${sqlText(entry.id)} AS source_id, CASE c._file ${paths} END AS source_path, c._row + 1 AS source_row, coalesce(_reject, 'duplicate_id') AS reason, county_key, parcel_id, situs_raw
       FROM ${sqlName(table)} c LEFT JOIN ${copied} d ON d._file = c._file AND d._row = c._row WHERE _reject IS NOT NULL OR d._file IS NOT NULL`;
  });
  const none = "source_id source_path source_row reason county_key parcel_id situs_raw"
    .split(" ")
    .map((name) => `NULL::${name === "source_row" ? "BIGINT" : "VARCHAR"} AS ${name}`);
  return [`SELECT ${none.join(", ")} WHERE false`, ...own].join(" UNION ALL ");
}

/** Returns the file reports of a refused entry, none of whose rows are used. */
export function refusedReports(
  entry: ParcelSource,
  files: readonly StagedFile[],
  reasonOf: (file: number) => string,
): FileReport[] {
  return files.map(({number, file, rows, malformed, account}) => {
    const report = fileWithoutRows(file.path, entry.id, "failed", reasonOf(number));
    return refusedFile(
      account === undefined ? report : {...report, account},
      rows + malformed,
      "source_refused",
    );
  });
}

/** Returns the reports of all files with rows; every row is accepted, rejected, or merged into another. */
export async function reportsOf(
  db: Database,
  accepted: readonly AcceptedEntry[],
  {outcomes, notes: outlineNotes}: {outcomes: readonly RowOutcomes[]; notes: readonly OutlineNotes[]},
): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  for (const {entry, table, files, joined, refused, scales = [], kept = []} of accepted) {
    const rejects = await countCodes(
      db,
      `SELECT _file AS file, _reject AS code FROM ${sqlName(table)} WHERE _reject IS NOT NULL`,
    );
    const notes = await countCodes(
      db,
      `SELECT _file AS file, unnest(flags) AS code FROM ${sqlName(table)} WHERE _reject IS NULL`,
    );
    const countiesOf = await countyKeys(db, table);
    for (const staged of files) {
      const outcome = outcomes.find(({file}) => file === staged.number);
      const join = joined.find(({file}) => file === staged.number);
      const rejected = summed(rejects.get(staged.number), join?.rejected, {
        malformed_row: staged.malformed,
        duplicate_id: outcome?.copies ?? 0,
      });
      const rowsIn = staged.rows + staged.malformed;
      const merged = (outcome?.merged ?? 0) + (join?.merged ?? 0);
      const own = refused.filter((each) => each.file === staged.number);
      const judgements = [...own, ...[...scales, ...kept].filter((each) => each.file === staged.number)];
      const reasons = [
        ...judgements.flatMap(({reason}) => reason ?? []),
        ...(staged.remarks ?? []),
        ...(entry.proposedMap === true && !isPulled(staged.file) ? [unconfirmed(entry.id)] : []),
      ];
      const isOut = own.some(({county}) => county === null);
      const counties = countiesOf.get(staged.number);
      const dropped = Object.values(rejected).reduce((sum, n) => sum + n, 0);
      reports.push({
        path: staged.file.path,
        unit: entry.id,
        status: isOut ? "failed" : staged.role === "main" ? "read" : "joined",
        reason: reasons.length === 0 ? null : reasons.join(" "),
        rowsIn,
        accepted: rowsIn - dropped - merged,
        rejected,
        merged,
        notes: summed(notes.get(staged.number), ...outlineNotes.map((each) => each.get(staged.number))),
        ...(counties === undefined ? {} : {counties}),
        ...(staged.account === undefined ? {} : {account: staged.account}),
      });
    }
  }
  return reports;
}

/** A pulled layer's map is proposed anew with each build, and has no entry that a person could confirm. */
function isPulled(file: AcceptedEntry["files"][number]["file"]): boolean {
  return "pull" in file && file.pull !== undefined;
}

function unconfirmed(id: string): string {
  return `the map of ${id} is a proposal that nobody has confirmed: cattle sources confirm ${id}.`;
}

/** Returns the counties of a table's accepted rows, by file number. */
async function countyKeys(db: Database, table: string): Promise<Map<number, string[]>> {
  const rows = await db.rows<{file: number; county: string}>(
    `SELECT DISTINCT _file AS file, county_key AS county FROM ${sqlName(table)} WHERE _reject IS NULL ORDER BY file, county`,
  );
  const files = Map.groupBy(rows, ({file}) => file);
  return new Map([...files].map(([file, own]) => [file, own.map(({county}) => county)]));
}

async function countCodes(db: Database, query: string): Promise<Codes> {
  const rows = await db.rows<{file: number; code: string; n: bigint}>(
    `SELECT file, code, count(*) AS n FROM (${query}) GROUP BY file, code ORDER BY file, code`,
  );
  const codes: Codes = new Map();
  for (const {file, code, n} of rows) codes.set(file, {...codes.get(file), [code]: Number(n)});
  return codes;
}

/** Adds up counts by code, sorted and without zeros. */
function summed(...counts: (Readonly<Record<string, number>> | undefined)[]): Record<string, number> {
  const all = new Map<string, number>();
  for (const [code, n] of counts.flatMap((each) => Object.entries(each ?? {})))
    all.set(code, (all.get(code) ?? 0) + n);
  return Object.fromEntries([...all].filter(([, n]) => n > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
