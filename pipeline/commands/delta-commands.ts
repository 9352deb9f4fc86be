import {join} from "node:path";
import {isProvenDead, makeWhole, writeScratch} from "@open-cattle/safe-files";
import type {Command} from "commander";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {columnsOfRecord} from "../../lib/delta/found-parcel.ts";
import {Overlay, type PlacedRecord} from "../../lib/delta/overlay.ts";
import {isUserError, UsageError, UserError} from "../../lib/errors.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {lockBuild} from "../../lib/process/run-folder.ts";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {copySql, jsonRelation} from "../../lib/sql/sql-path.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {parquetTypes} from "../../schemas/vocabulary/described-file.ts";
import {repairSegments} from "../publish/segments.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {chosenData, print, printJson, textTable} from "./command-line.ts";

/** Export columns in addition to those of the parcel row. */
const placeColumns = [
  ["source_id", "VARCHAR"],
  ["vintage", "VARCHAR"],
  ["vintage_basis", "VARCHAR"],
  ["retrieved_at", "VARCHAR"],
  ["authority", "VARCHAR"],
  ["observed_at", "VARCHAR"],
  ["query", "VARCHAR"],
  ["segment", "VARCHAR"],
  ["seq", "INTEGER"],
] as const;

type Flags = {out?: string; json?: boolean};

const out = ["--out <dir>", "data folder, instead of CATTLE_DATA"] as const;

/** Adds `delta ls`, `cat`, `repair` and `export-parquet`, which show and repair the segments of found parcels. */
export function deltaCommands(cattle: Command): void {
  const delta = cattle.command("delta").description("inspect and repair what servers found on misses");
  delta
    .command("ls")
    .description("list the segments: records, size, whether ended, writer, damage")
    .option(...out)
    .option("--json", "as JSON")
    .action(list);
  delta
    .command("cat [segment]")
    .description("print the records, one JSON object per line; of one segment, or the newest of each parcel")
    .option(...out)
    .action(cat);
  delta
    .command("repair")
    .description(
      "end the segments of processes that are proven dead: cut off the incomplete last line, keep a copy in quarantine/",
    )
    .option(...out)
    .option("--json", "as JSON")
    .action(repair);
  delta
    .command("export-parquet <file>")
    .description(
      "write the newest record of each parcel as a Parquet file with the columns of parcels.parquet",
    )
    .option(...out)
    .action(async (file: string, flags: Flags) => {
      const rows = await exportDelta(chosenData(flags.out).delta, file);
      print(`${file}: ${rows} rows`);
    });
}

async function list(flags: Flags): Promise<void> {
  const reader = new DeltaReader(chosenData(flags.out).delta);
  await reader.poll(() => undefined);
  const segments = reader.segments().map(({file, state, sizeBytes}) => ({
    segment: file.name,
    retired: file.retired,
    records: state.records,
    bytes: sizeBytes,
    ended: state.ended,
    torn_bytes: sizeBytes - state.validBytes,
    bad_lines: state.badLines,
    writer: writerText(state.header?.writer, state.ended),
    base_build_id: state.header?.baseBuildId ?? null,
  }));
  if (flags.json) return printJson(segments);
  print(
    textTable(
      ["segment", "records", "bytes", "torn", "bad lines", "state", "writer"],
      segments.map((each) => [
        each.segment,
        each.records,
        each.bytes,
        each.torn_bytes,
        each.bad_lines,
        `${each.retired ? "retired" : "live"}${each.ended ? ", ended" : ""}`,
        each.writer,
      ]),
    ),
  );
}

function writerText(writer: Parameters<typeof isProvenDead>[0] | undefined, ended: boolean): string {
  if (writer === undefined) return "unknown";
  const place = `${writer.pid} on ${writer.host}`;
  return ended ? place : `${place}, ${isProvenDead(writer) ? "dead" : "may be alive"}`;
}

async function cat(segment: string | undefined, flags: Flags): Promise<void> {
  const reader = new DeltaReader(chosenData(flags.out).delta);
  const overlay = new Overlay();
  const show = ({record}: PlacedRecord) => print(JSON.stringify(record));
  await reader.poll((placed) => {
    if (segment === undefined) overlay.fold(placed);
    else if (placed.segment === segment) show(placed);
  });
  const known = segment === undefined || reader.segments().some(({file}) => file.name === segment);
  if (!known) throw new UsageError(`${segment}: no such segment. "cattle delta ls" lists them.`);
  for (const placed of overlay.sources()) show(placed);
  for (const placed of overlay.parcels()) show(placed);
}

async function repair(flags: Flags): Promise<void> {
  const data = chosenData(flags.out);
  await using _lock = await lockBuild(data);
  const done = await repairSegments(data.delta);
  if (flags.json) return printJson(Object.fromEntries(done));
  for (const [name, outcome] of done) {
    const cut = outcome.kind === "repaired" ? `, ${outcome.cutBytes} bytes cut` : "";
    print(`${name}: ${outcome.kind.replaceAll("_", " ")}${cut}`);
  }
}

/**
 * Writes the newest record of each parcel across all segments to a Parquet file, sorted by county and parcel, and returns the row count.
 * Throws a `UserError` if the file cannot be written.
 */
async function exportDelta(deltaFolder: string, file: string): Promise<number> {
  const overlay = new Overlay();
  await new DeltaReader(deltaFolder).poll((placed) => void overlay.fold(placed));
  const lines = [...overlay.parcels()].map((placed) => `${JSON.stringify(exportedRow(placed))}\n`);
  await using work = await temporaryFolder("cattle-delta-");
  using db = await openDatabase();
  const rows = join(work.path, "rows.ndjson");
  await writeScratch(rows, lines, {mode: 0o600});
  const columns = [
    ...conformedColumns.map(({name, kind}) => [name, parquetTypes[kind]] as const),
    ...placeColumns,
  ];
  const types = columns.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`);
  const sql = `SELECT * FROM ${jsonRelation(rows, "format = 'newline_delimited'", `columns = {${types.join(", ")}}`)}
    ORDER BY county_key, parcel_uid`;
  const copy = (beside: string) => db.run(copySql(sql, beside, "FORMAT parquet"));
  await makeWhole(file, copy, {replaces: true}).catch((error: Error) => {
    throw isUserError(error) ? error : new UserError(`${file}: cannot be written: ${error.message}`);
  });
  return lines.length;
}

function exportedRow({record, segment}: PlacedRecord<DeltaUpsert>): Record<string, unknown> {
  const {provenance, observedAt, seq, query} = record;
  return {
    ...columnsOfRecord(record),
    source_id: provenance.sourceId,
    vintage: provenance.vintage,
    vintage_basis: provenance.vintageBasis,
    retrieved_at: provenance.retrievedAt,
    authority: provenance.authority,
    observed_at: observedAt,
    query,
    segment,
    seq,
  };
}
