import {constants, copyFile, readFile, stat} from "node:fs/promises";
import {basename, join, resolve} from "node:path";
import type {Command} from "commander";
import {UsageError, UserError} from "../../lib/errors.ts";
import {loadParcelSources, parcelSourcesDir, readParcelSource} from "../../lib/registry/parcel-sources.ts";
import {loadMarketSources} from "../market/market-sources.ts";
import {print, printJson, textTable} from "./output.ts";
import {addDataFile, checkDataFile} from "./propose-command.ts";
import {type ProposeOptions, proposeOptions} from "./propose-options.ts";

/** Bytes that an entry may have at most. */
const largestEntry = 1 << 20;

/** Adds `sources ls`, `check` and `add`, which show the registry of sources and extend it. */
export function sourcesCommands(cattle: Command): void {
  const sources = cattle.command("sources").description("the registry of sources");
  sources
    .command("ls")
    .description("all registered sources")
    .option("--json", "as JSON")
    .action(({json = false}: {json?: boolean}) => listSources(json));
  proposeOptions(sources.command("check <file>"))
    .description("check an entry; or read a data file, propose its entry and show ten rows; changes nothing")
    .action(async (file: string, options: ProposeOptions) => {
      await requireFile(file);
      if (!(await isEntryFile(file))) {
        await checkDataFile(file, options);
        return;
      }
      const entry = readParcelSource(resolve(file));
      print(`${entry.id}: a sound entry (${entry.coverage.country} ${entry.coverage.state})`);
    });
  proposeOptions(sources.command("add <file>"))
    .description(
      "check an entry and copy it into the registry; or propose one for a data file, and write it with --write",
    )
    .option("--write", "write the entry that was proposed for a data file")
    .action(async (file: string, options: ProposeOptions & {write?: boolean}) => {
      await requireFile(file);
      await ((await isEntryFile(file)) ? addEntry(file) : addDataFile(file, options));
    });
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null)
    throw new UsageError(`${file}: no such file; expected an entry or a data file of a source.`);
}

/** Says whether a file is an entry: a JSON object with a coverage. All other files are data. */
async function isEntryFile(file: string): Promise<boolean> {
  if (!file.endsWith(".json")) return false;
  const {size} = await stat(file).catch(() => ({size: Number.POSITIVE_INFINITY}));
  if (size > largestEntry) return false;
  try {
    const json: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof json === "object" && json !== null && "coverage" in json;
  } catch {
    // The file is not one JSON value; the reader of its format reports the fault.
    return false;
  }
}

async function addEntry(file: string): Promise<void> {
  const entry = readParcelSource(resolve(file));
  const target = join(parcelSourcesDir, basename(file));
  await copyFile(resolve(file), target, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new UserError(`${target}: is there already.`);
    throw error;
  });
  print(`${entry.id}: added; its raw files go to parcels/${entry.id}/ of the raw folder`);
}

function listSources(json: boolean): void {
  const market = loadMarketSources();
  const parcels = loadParcelSources();
  if (json) {
    printJson({market, parcels});
    return;
  }
  const rows = [
    ...market.map(({id, type, name}) => [id, "market", type, name]),
    ...parcels.map(({id, coverage, authority, name}) => [
      id,
      `${coverage.country} ${coverage.state}`,
      authority,
      name,
    ]),
  ];
  print(textTable(["id", "for", "kind", "name"], rows));
}
