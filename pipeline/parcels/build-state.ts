import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {conformEntry} from "../../lib/parcels/conform/mapped-table.ts";
import {dedupe, dropMerged} from "../../lib/parcels/dedupe/dedupe.ts";
import {registeredSource, type SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import {type Database, openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import {dropRelation} from "../../lib/sql/relation-store.ts";
import {writeBlockSums} from "../../lib/storage/block-sums.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {StateMade} from "../../schemas/part-file.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {isUnread} from "../report/build-report.ts";
import {licenceLine} from "../tables/footer.ts";
import {refusal} from "./accept.ts";
import {mistakenUnits, withoutMistakenAreas} from "./area-units.ts";
import {refusedRows, withoutRefused} from "./file-bounds.ts";
import {
  makeBoundaries,
  writeBoundariesParquet,
  writeParcelsParquet,
  writeProvenanceParquet,
  writeRejectsParquet,
} from "./files/parquet-files.ts";
import {writeIndexes, writePoints, writeTables} from "./files/serving-files.ts";
import {stageFound} from "./found-rows.ts";
import {type BaseBuild, carryForward, type LostRows} from "./kept-rows.ts";
import {type MergedFacts, mergedFacts} from "./merged-facts.ts";
import {orderedParcels} from "./order.ts";
import {dropSharedOutlines, flagSharedOutlines, repairOutlines} from "./outlines/repair-outlines.ts";
import {makeProvenance} from "./provenance.ts";
import {makeRejects, refusedReports, reportsOf} from "./reports.ts";
import {dropStaged, type StagedEntry, stageEntry, withNewestInFile} from "./stage-entry.ts";
import {type AcceptedEntry, stateFacts} from "./state-facts.ts";

export type StateRequest<Entry = ParcelSource> = {
  readonly state: string;
  readonly country: "US" | "CA";
  /** Registry entries of the state; an entry without files adds no rows. */
  readonly entries: readonly Entry[];
  readonly files: readonly RawFile[];
  /** Parcels found on misses, which join those of the files, of the vintages that they state. */
  readonly found?: readonly DeltaUpsert[];
  /** The build before; rows of files that were left out stay as they are there. Null for the first build of a state. */
  readonly base?: BaseBuild | null;
  /** Folder laid out like a build (`lib/storage/build-layout.ts`); made if absent. */
  readonly outDir: string;
  /** `YYYY-MM-DD`: the day on which the rows are read, which is that of the newest file: dates after it cannot be true. */
  readonly asOf: string;
  /** `YYYY-MM-DD`: the day of the build, from which the ages of facts count; else `asOf`. */
  readonly agesFrom?: string;
  /** Digest over the inputs, for the footers of the files. */
  readonly inputsSha256?: string;
  /** True for generated input. */
  readonly sample?: boolean;
  /** Memory of DuckDB, as it writes sizes; that of a part alone when absent. */
  readonly memoryLimit?: string;
  /** Folder for files that are not kept; they are removed at the end. */
  readonly tempDir: string;
  /** Gates of the state that a person accepted (`--accept`). */
  readonly accepted?: readonly string[];
  /** Is called as each stage begins: `read`, `conform`, `dedupe`, `order`, `serving files`. */
  readonly onStage?: (stage: string) => void;
};

/** Limit of DuckDB with which the process stays below 4 GiB: the arrays that become files are outside of DuckDB. */
const usualMemory = "2500MB";

/**
 * Makes the files of one state (`docs/design/architecture.md` section 5) from the raw files of its entries, and gives its facts
 * and reports. The steps are read, conform, clean, dedupe, order and write; the same input gives the same bytes. A file or a
 * source that cannot be used is in the reports with the reason, and the rest is built; a state without any row has files without
 * rows. Throws for a broken entry or a full disk.
 */
export async function buildState(input: StateRequest): Promise<StateMade> {
  await mkdir(input.tempDir, {recursive: true});
  await using temp = await temporaryFolder(`parcels-${input.state}-`, input.tempDir);
  const tempDir = temp.path;
  await mkdir(input.outDir, {recursive: true});
  const {memoryLimit = usualMemory} = input;
  using db = await openDatabase({memoryLimit, tempDirectory: join(tempDir, "spill")});
  return await build(db, {...input, tempDir});
}

async function build(db: Database, input: StateRequest): Promise<StateMade> {
  const accepted: AcceptedEntry[] = [];
  const reports: FileReport[] = [];
  const lost: LostRows[] = [];
  let firstNumber = 0;
  for (const entry of [...input.entries].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const files = input.files.filter(({unit}) => unit === entry.id);
    const result = await takeEntry(db, input, {entry, files, firstNumber});
    firstNumber += files.length;
    reports.push(...result.reports);
    if (result.accepted !== null) accepted.push(result.accepted);
    if (result.lost !== null) lost.push(result.lost);
  }
  // Without any row of this build the whole state stays as it is, and the gates report it.
  const {base = null, state} = input;
  if (base !== null && accepted.length > 0)
    accepted.push(...(await carryForward(db, lost, {state, base, firstNumber})));
  accepted.push(...(await stageFound(db, input.found ?? [], {known: accepted, tempDir: input.tempDir})));
  input.onStage?.("dedupe");
  const outcomes = await dedupe(db, accepted, "merged");
  const outlines = await repairOutlines(db, "merged");
  const shared = await flagSharedOutlines(db, "merged");
  const known = accepted.flatMap(({entry, files}) =>
    files.map(({number, file}) => ({
      number,
      sourceId: entry.id,
      authority: entry.authority,
      retrievedAt: file.retrievedAt,
      assumed: file.retrievedAtFrom === "assumed",
      proposed: file.proposedMap ?? entry.proposedMap === true,
    })),
  );
  await makeProvenance(db, "merged", known);
  await makeRejects(db, accepted, "rejects");
  reports.push(...(await reportsOf(db, accepted, {outcomes, notes: [outlines, shared.notes]})));
  input.onStage?.("order");
  const merged = await mergedFacts(db, shared.view);
  const boundaries = await writeParquetFiles(db, {...input, used: accepted, view: shared.view}, merged);
  const facts = await stateFacts(db, {table: "parcels", merged}, accepted);
  input.onStage?.("serving files");
  await writeServingFiles(db, input, {merged, outlines: boundaries});
  return {files: reports.sort((a, b) => (a.path < b.path ? -1 : 1)), ...facts};
}

type Taken = {
  accepted: AcceptedEntry | null;
  reports: readonly FileReport[];
  /** Rows that did not come because files were left out; null where none was. */
  lost: LostRows | null;
};

async function takeEntry(
  db: Database,
  {asOf, tempDir, onStage, accepted = []}: StateRequest,
  {entry, files, firstNumber}: {entry: ParcelSource; files: readonly RawFile[]; firstNumber: number},
): Promise<Taken> {
  onStage?.("read");
  const staged = await stageEntry(db, {entry, files, asOf, tempDir, firstNumber});
  const table = `conformed_${firstNumber}`;
  if (staged.sources.main.length === 0) {
    const reason = `no main file of ${entry.id} could be read.`;
    return {
      accepted: null,
      reports: [...staged.reports, ...refusedReports(entry, staged.files, () => reason)],
      lost: wholeEntry(entry, staged),
    };
  }
  onStage?.("conform");
  const joined = await conformEntry(db, {entry, sources: staged.sources, asOf, into: table, folder: tempDir});
  await dropStaged(db, staged.sources);
  const paths = new Map(staged.files.map(({number, file}) => [number, file.path]));
  const refused = await refusedRows(db, {entry, table, paths, accepted});
  const bounded = await withoutRefused(db, table, refused);
  const mistaken = accepted.includes("area-unit")
    ? []
    : await mistakenUnits(db, {entry, table: bounded, paths});
  const measured = await withoutMistakenAreas(db, bounded, mistaken);
  const kept = await withNewestInFile(db, measured);
  // A file that was left out on purpose (notes of a harvest) has no rows; one that could not be read may have some.
  const complete =
    refused.length === 0 &&
    staged.files.every(({file}) => file.meta?.complete === true) &&
    !staged.reports.some(isUnread);
  const reason = await refusal(db, {entry, table: kept, complete});
  if (reason === null) {
    const taken = {entry, table: kept, complete, joined, files: staged.files, refused, mistaken};
    return {accepted: taken, reports: staged.reports, lost: await lostRows(db, taken, {entry, staged})};
  }
  for (const view of new Set([kept, measured, bounded]))
    if (view !== table) await db.run(`DROP VIEW ${sqlName(view)}`);
  await dropRelation(db, {name: table, folder: tempDir});
  const whole = new Map(refused.map((each) => [each.file, each.reason]));
  const reasonOf = (file: number) => whole.get(file) ?? reason;
  const reasons = refusedReports(entry, staged.files, reasonOf);
  return {accepted: null, reports: [...staged.reports, ...reasons], lost: wholeEntry(entry, staged)};
}

/** A source of which no row is in the build; null where it has no file that could have given one. */
function wholeEntry(entry: ParcelSource, {files, reports}: StagedEntry): LostRows | null {
  const paths = [...files.map(({file}) => file.path), ...unreadPaths(reports)].sort();
  return paths.length === 0 ? null : {entry, table: null, counties: null, paths};
}

function unreadPaths(reports: readonly FileReport[]): string[] {
  return reports.filter(isUnread).map(({path}) => path);
}

/** Gives the counties of the files, or parts of files, that were left out of an entry; null where none was. */
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

type StateWritten = Omit<StateRequest, "inputsSha256"> & {
  readonly used: readonly AcceptedEntry[];
  /** The relation of the merged parcels with all of their flags. */
  readonly view: string;
  readonly inputsSha256?: string | null;
};

/**
 * Writes the files for analysts from relation `view`, which is dropped with `merged`, and leaves tables `parcels` (in row order) and
 * `boundaries`; gives the number of outlines.
 */
async function writeParquetFiles(
  db: Database,
  {state, outDir, asOf, used, view, inputsSha256 = null, sample = false}: StateWritten,
  facts: MergedFacts,
): Promise<number> {
  const licence = licenceLine(used.map(({entry}) => entry));
  const tables = {outDir, state, stamp: {part: state, inputsSha256, asOf, sample, licence}};
  const query = orderedParcels({merged: view, state, facts});
  await writeParcelsParquet(db, {query, extent: facts.extent, into: "parcels"}, tables);
  await writeProvenanceParquet(db, tables);
  await writeRejectsParquet(db, tables);
  const outlines = await makeBoundaries(db, {table: "parcels", outlines: "outlines"});
  if (outlines > 0) await writeBoundariesParquet(db, tables);
  await db.run("DROP TABLE outlines");
  await dropSharedOutlines(db, "merged");
  await dropMerged(db, "merged");
  return outlines;
}

async function writeServingFiles(
  db: Database,
  {outDir: buildDir, state, asOf, agesFrom = asOf, entries}: StateRequest,
  {merged: {rows, points, constants}, outlines}: {merged: MergedFacts; outlines: number},
): Promise<void> {
  const table = "parcels";
  const outDir = join(buildDir, stateServing(state));
  await mkdir(outDir, {recursive: true});
  const beside = await db.beside();
  const texts = {outDir, asOf: agesFrom, sources: sourceRegistry(entries)};
  // The tables keep this thread busy, the indexes those of the database.
  const written = await Promise.allSettled([
    writeTables(db, {table, rows, constants, outlines}, texts),
    writeIndexes(beside, table, outDir).then(() => writePoints(beside, {table, outDir, points})),
  ]);
  beside.close();
  for (const part of written) if (part.status === "rejected") throw part.reason;
  await writeBlockSums(outDir);
}

/**
 * The entries of the state by id. Those of layers that are only asked on a miss come from the registry, also where the layer was pulled
 * whole: its proposed map says no more of a file's row than of an answer's.
 */
function sourceRegistry(entries: readonly ParcelSource[]): SourceRegistry {
  const own = new Map(entries.map((entry) => [entry.id, entry]));
  return (id) =>
    (own.get(id)?.proposedMap === true ? registeredSource(id) : undefined) ??
    own.get(id) ??
    registeredSource(id);
}
