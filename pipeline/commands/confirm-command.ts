import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {writeWhole} from "@open-cattle/safe-files";
import type {Command} from "commander";
import {UserError} from "../../lib/errors.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {conformEntry} from "../../lib/parcels/conform/entry-models.ts";
import {parcelSourcesDir, readParcelSource} from "../../lib/registry/parcel-sources.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import {stageEntry} from "../parcels/stage-entry.ts";
import {listRawFiles} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {chosenData, print} from "./command-line.ts";
import {printRows, registryJson} from "./propose-command.ts";

type ConfirmFlags = {yes?: boolean; raw?: string; out?: string};

const shownRows = 10;

/** Adds `sources confirm`, with which a person who has looked at the rows of a proposed map makes it the entry's own. */
export function confirmCommand(sources: Command): void {
  sources
    .command("confirm <id>")
    .description("show ten rows of an entry whose map was proposed, and with --yes confirm the map")
    .option("--yes", "the rows are right: take proposedMap out of the entry")
    .option("--raw <dir>", "folder of raw files (default: raw/ in the data folder)")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .action((id: string, flags: ConfirmFlags) => confirmMap(id, flags));
}

/** Throws a `UserError` for an entry that is not in the registry, is confirmed already, or has no raw file to look at. */
export async function confirmMap(id: string, flags: ConfirmFlags, dir = parcelSourcesDir): Promise<void> {
  const path = join(dir, `${id}.json`);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) throw new UserError(`${id}: no entry ${path}; "cattle sources ls" lists them.`);
  if (readParcelSource(path).proposedMap !== true)
    throw new UserError(`${id}: its map is confirmed already.`);
  await showRows(path, flags.raw ?? chosenData(flags.out).raw);
  if (flags.yes !== true) {
    writeNote("nothing was changed; the same command with --yes confirms the map\n");
    return;
  }
  const {proposedMap: _, ...confirmed} = JSON.parse(text) as Record<string, unknown>;
  await writeWhole(path, registryJson(confirmed), {replaces: true});
  writeNote(`${id}: confirmed; the next build gives its facts their whole confidence\n`);
}

async function showRows(path: string, rawDir: string): Promise<void> {
  const entry = readParcelSource(path);
  const files = (await listRawFiles(rawDir)).filter(
    ({kind, feedOrEntryId}) => kind === "parcels" && feedOrEntryId === entry.id,
  );
  await using temp = await temporaryFolder("cattle-confirm-");
  using db = await openDatabase({tempDirectory: temp.path});
  const asOf = new Date().toISOString().slice(0, 10);
  const {sources, reports} = await stageEntry(new ModelRun(db), {
    entry,
    files,
    asOf,
    tempDir: temp.path,
    firstNumber: 0,
  });
  if (sources.main.length === 0) {
    const why = reports.map(({reason}) => reason).join(" ");
    throw new UserError(
      `${entry.id}: no row to look at in ${join(rawDir, "parcels", entry.id)}. ${why}`.trimEnd(),
    );
  }
  await conformEntry(db, {entry, sources, asOf, into: "confirmed"});
  const rows = await db.rows(
    `SELECT * FROM confirmed WHERE _reject IS NULL ORDER BY _file, _row LIMIT ${shownRows}`,
  );
  if (rows.length === 0)
    throw new UserError(`${entry.id}: no row of its files is usable; correct the map first.`);
  print(`${entry.id}: ${rows.length} rows as its map reads them`);
  printRows(rows);
}
