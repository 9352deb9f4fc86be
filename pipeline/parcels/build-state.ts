import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {asOfDate} from "../../lib/models/build-facts.ts";
import {inOrder} from "../../lib/models/model-graph.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {conform, entryModels} from "../../lib/parcels/conform/entry-models.ts";
import {dedupe} from "../../lib/parcels/dedupe/dedupe.ts";
import {type Database, openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {StateStageResult} from "../../schemas/part-file.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {isUnread} from "../results/report-counts.ts";
import {licenceLine} from "../tables/footer.ts";
import {refusal} from "./accept.ts";
import {oddScales, withJudgedAreas} from "./area-units.ts";
import {judgedByOthers} from "./areas-by-others.ts";
import {refusedRows, withoutRefused} from "./file-bounds.ts";
import {type BaseBuild, carryForward, type LostRows, servedParcels} from "./kept-rows.ts";
import {withMeetings} from "./number-meetings.ts";
import {outlineNotes} from "./outlines/outline-models.ts";
import {refusedReports, reportsOf} from "./parcel-reports.ts";
import {withoutReplaced} from "./replaced-rows.ts";
import {entryTable, type StagedEntry, type StagedFile, stageEntry, withStatedAges} from "./stage-entry.ts";
import {type AcceptedEntry, foundEntries, stateFacts} from "./state-facts.ts";
import {stateModels} from "./state-models.ts";
import {twoEditions} from "./two-editions.ts";

export type StateRequest<Entry = ParcelSource> = {
  readonly state: string;
  readonly country: "US" | "CA";
  /** Registry entries of the state; an entry without files contributes no rows. */
  readonly entries: readonly Entry[];
  readonly files: readonly RawFile[];
  /** Parcels found on misses, merged with the rows of files according to their vintages. */
  readonly found?: readonly DeltaUpsert[];
  /** The previous build, from which rows of files that were left out are kept. Null for a state's first build. */
  readonly base?: BaseBuild | null;
  /** Folder laid out like a build (`lib/storage/build-layout.ts`); created if absent. */
  readonly outDir: string;
  /** `YYYY-MM-DD`: the day the rows are read as of, which is that of the newest file; later dates cannot be true. */
  readonly asOf: string;
  /** `YYYY-MM-DD`: the day of the build, from which ages are counted; defaults to `asOf`. */
  readonly agesFrom?: string;
  /** Digest of the inputs, for the files' footers. */
  readonly inputsSha256?: string;
  /** True for generated input. */
  readonly sample?: boolean;
  /** DuckDB memory limit in DuckDB's notation; defaults to that of a part built alone. */
  readonly memoryLimit?: string;
  /** Folder for temporary files, which are removed at the end. */
  readonly tempDir: string;
  /** Gates of the state that a person has accepted (`--accept`). */
  readonly accepted?: readonly string[];
  /** Called at the start of each stage: `read`, `conform`, `dedupe`, `order`, `serving files`. */
  readonly onStage?: (stage: string) => void;
};

/** Keeps the process below 4 GiB: the arrays that become files are outside DuckDB's limit. */
const defaultMemory = "2500MB";

/**
 * Builds the files of one state (`docs/design/architecture.md` section 5) from the raw files of its entries and returns its facts and
 * reports. The steps are read, conform, clean, dedupe, order and write; the same input gives the same bytes. An unusable file or source is
 * reported with the reason and the rest is built; a state without any row gets empty files. Throws for a broken entry or a full disk.
 */
export async function buildState(input: StateRequest): Promise<StateStageResult> {
  await mkdir(input.tempDir, {recursive: true});
  await using temp = await temporaryFolder(`parcels-${input.state}-`, input.tempDir);
  const tempDir = temp.path;
  await mkdir(input.outDir, {recursive: true});
  const {memoryLimit = defaultMemory} = input;
  using db = await openDatabase({memoryLimit, tempDirectory: join(tempDir, "spill")});
  return await build(db, {...input, tempDir});
}

async function build(db: Database, input: StateRequest): Promise<StateStageResult> {
  let accepted: AcceptedEntry[] = [];
  const reports: FileReport[] = [];
  const lostRows: LostRows[] = [];
  const run = new ModelRun(db, {folder: input.tempDir}).give(asOfDate, input.asOf);
  let firstNumber = 0;
  for (const entry of [...input.entries].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const files = input.files.filter(({feedOrEntryId}) => feedOrEntryId === entry.id);
    const result = await takeEntry(run, input, {entry, files, firstNumber});
    firstNumber += files.length;
    reports.push(...result.reports);
    if (result.accepted !== null) accepted.push(result.accepted);
    if (result.lost !== null) lostRows.push(result.lost);
  }
  // If this build has no row at all, the state keeps its previous part; the gates report it.
  const {base = null, state} = input;
  if (base !== null && accepted.length > 0)
    accepted.push(...(await carryForward(run, lostRows, {state, base, firstNumber})));
  if (input.accepted?.includes("area-unit") !== true) accepted = await judgedByOthers(run, accepted, state);
  accepted.push(...(await foundEntries(db, input.found ?? [])));
  input.onStage?.("dedupe");
  const served = base === null ? null : parquetRelation(servedParcels(base, state));
  const deduped = await dedupe(run, accepted, {into: "merged", served});
  const models = stateModels(accepted, deduped.models, {
    tables: {
      outDir: input.outDir,
      state,
      stamp: {
        part: state,
        inputsSha256: input.inputsSha256 ?? null,
        asOf: input.asOf,
        sample: input.sample ?? false,
        licence: licenceLine(accepted.map(({entry}) => entry)),
      },
    },
    asOf: input.agesFrom ?? input.asOf,
    entries: input.entries,
  });
  const {outlines, parcels, boundaryRows, boundaries, provenance, serving} = models;
  run.plan([...deduped.models.inputs, parcels, provenance, ...models.listed, boundaries, serving]);
  await run.make(outlines.repairs, outlines.shared);
  const notes = [deduped.notes, await outlineNotes(run, outlines)];
  const {outcomes, meetings} = deduped;
  const rowReports = await reportsOf(db, accepted, {outcomes, notes});
  reports.push(...withMeetings(rowReports, {accepted, meetings}));
  input.onStage?.("order");
  await run.make(parcels, ...models.listed, boundaryRows);
  if ((await run.count(boundaryRows)) > 0) await run.make(boundaries);
  const facts = await stateFacts(db, {table: parcels.name, merged: await run.value(models.facts)}, accepted);
  input.onStage?.("serving files");
  await run.make(serving);
  return {
    files: reports.sort((a, b) => (a.path < b.path ? -1 : 1)),
    ...facts,
    models: run.made,
  };
}

type Taken = {
  accepted: AcceptedEntry | null;
  reports: readonly FileReport[];
  /** Rows that are missing because files were left out; null if none was. */
  lost: LostRows | null;
};

async function takeEntry(
  run: ModelRun,
  {asOf, tempDir, onStage, accepted = []}: StateRequest,
  {entry, files, firstNumber}: {entry: ParcelSource; files: readonly RawFile[]; firstNumber: number},
): Promise<Taken> {
  const {db} = run;
  onStage?.("read");
  const staged = await stageEntry(run, {entry, files, asOf, tempDir, firstNumber});
  const table = entryTable(entry);
  if (staged.sources.main.length === 0) {
    const reason = `no main file of ${entry.id} could be read.`;
    return {
      accepted: null,
      reports: [...staged.reports, ...refusedReports(entry, staged.files, () => reason)],
      lost: wholeEntry(entry, staged),
    };
  }
  onStage?.("conform");
  const models = entryModels(entry, {into: table, sources: staged.sources, isBuild: true});
  run.plan([models.conformed, ...models.joinCounts]);
  const joined = await conform(run, entry, models);
  const paths = new Map(staged.files.map(({number, file}) => [number, file.path]));
  const outside = await refusedRows(db, {entry, table, paths, accepted});
  const bounded = withoutRefused(models.conformed, outside);
  await run.make(bounded);
  const replaced = await withoutReplaced(run, {entry, table: bounded, files: staged.files, accepted});
  const refused = [...outside, ...replaced.shrunk];
  const editions = await twoEditions(db, {id: entry.id, table: replaced.table.name, files: staged.files});
  const readFiles = staged.files.map((each) =>
    [replaced.remarks, editions].reduce((file, remarks) => withRemark(file, remarks.get(each.number)), each),
  );
  const scales = accepted.includes("area-unit")
    ? []
    : await oddScales(db, {entry, table: replaced.table.name, paths});
  const measured = withJudgedAreas(replaced.table, scales);
  await run.make(measured);
  const judged = await withStatedAges(db, measured, staged.files);
  await run.make(judged);
  // A file left out on purpose (notes of a harvest) has no rows; one that could not be read may have some.
  const complete =
    refused.length === 0 &&
    readFiles.every(({number, file}) => replaced.gone.has(number) || file.meta?.complete === true) &&
    !staged.reports.some(isUnread);
  const whole = complete && hasAllFiles(files);
  const reason = await refusal(db, {entry, table: judged.name, complete: whole});
  if (reason === null) {
    const taken = {entry, table: judged.name, complete, whole, joined, files: readFiles, refused, scales};
    return {accepted: taken, reports: staged.reports, lost: await lostRows(db, taken, {entry, staged})};
  }
  await run.release(...inOrder([judged]));
  const reasonByFile = new Map(refused.map((each) => [each.file, each.reason]));
  const reasonOf = (file: number) => reasonByFile.get(file) ?? reason;
  const reasons = refusedReports(entry, staged.files, reasonOf);
  return {accepted: null, reports: [...staged.reports, ...reasons], lost: wholeEntry(entry, staged)};
}

/** False if the publisher has more files of the source, one per county, than are here: these counties are whole, the source is not. */
function hasAllFiles(files: readonly RawFile[]): boolean {
  const ofSeveral = files.filter(({meta}) => meta?.source_files !== undefined);
  const newest = ofSeveral.toSorted((a, b) => (a.retrievedAt < b.retrievedAt ? 1 : -1))[0];
  const names = new Set(ofSeveral.map(({meta}) => meta?.url?.split("/").at(-1)));
  return newest === undefined || names.size >= newest.meta!.source_files!;
}

function withRemark(file: StagedFile, remark: string | undefined): StagedFile {
  return remark === undefined ? file : {...file, remarks: [...(file.remarks ?? []), remark]};
}

/** A source without any row in the build; null if it has no file that could have contributed. */
function wholeEntry(entry: ParcelSource, {files, reports}: StagedEntry): LostRows | null {
  const paths = [...files.map(({file}) => file.path), ...unreadPaths(reports)].sort();
  return paths.length === 0 ? null : {entry, table: null, counties: null, paths};
}

function unreadPaths(reports: readonly FileReport[]): string[] {
  return reports.filter(isUnread).map(({path}) => path);
}

/** Returns the counties of the files, or parts of files, that were left out of an entry; null if none was. */
async function lostRows(
  db: Database,
  {table, refused}: AcceptedEntry,
  {entry, staged}: {entry: ParcelSource; staged: StagedEntry},
): Promise<LostRows | null> {
  const unread = unreadPaths(staged.reports);
  const out = staged.files.filter(({number}) => refused.some(({file}) => file === number));
  const paths = [...unread, ...out.map(({file}) => file.path)].sort();
  if (paths.length === 0) return null;
  const whole = refused.flatMap(({file, county}) => (county === null ? [file] : []));
  const ofFiles = await db.rows<{county: string}>(
    `SELECT DISTINCT county_key AS county FROM ${sqlName(table)}
     WHERE county_key IS NOT NULL AND _file IN (${["NULL", ...whole].join(", ")})`,
  );
  const counties = [...ofFiles.map(({county}) => county), ...refused.flatMap(({county}) => county ?? [])];
  return {entry, table, counties: unread.length > 0 ? null : counties, paths};
}
