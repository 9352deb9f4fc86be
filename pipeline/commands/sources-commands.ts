import {mkdir, readFile, stat} from "node:fs/promises";
import {basename, join, resolve} from "node:path";
import {copyWhole} from "@open-cattle/safe-files";
import type {Command} from "commander";
import {countWithNoun} from "../../lib/counts.ts";
import {UsageError, UserError} from "../../lib/errors.ts";
import {readLayerHealth} from "../../lib/registry/layer-health-files.ts";
import {
  loadParcelSources,
  parcelSourcesDir,
  readParcelSource,
  registeredCadastreSource,
} from "../../lib/registry/parcel-sources.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {LayerHealth} from "../../schemas/layer-health.ts";
import type {ListSource} from "../../schemas/list-source.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {loadMarketSources} from "../market/reference/market-sources.ts";
import {readCheckedList} from "../market/signals/lists/check-list.ts";
import {listSourcesDir, loadListSources} from "../market/signals/lists/list-sources.ts";
import {checkListFile, namedList} from "./check-list-command.ts";
import {chosenData, print, printJson, runClock, textTable} from "./command-line.ts";
import {confirmCommand} from "./confirm-command.ts";
import {probeLayersCommand} from "./probe-layers-command.ts";
import {addDataFile, checkDataFile, isAddress} from "./propose-command.ts";
import {type ProposeOptions, proposeOptions} from "./propose-options.ts";
import {termsCommands} from "./terms-commands.ts";

/** Maximum bytes of an entry. */
const largestEntry = 1 << 20;

/** Adds `sources ls`, `check` and `add`, which show and extend the registry, and the commands for terms. */
export function sourcesCommands(cattle: Command): void {
  const sources = cattle.command("sources").description("the registry of sources");
  sources
    .command("ls")
    .description("all registered sources")
    .option(
      "--out <dir>",
      "data folder, instead of CATTLE_DATA: what servers remember of the layers is there",
    )
    .option("--json", "as JSON")
    .action(({json = false, out}: {json?: boolean; out?: string}) => listSources(json, chosenData(out)));
  proposeOptions(sources.command("check <file>"))
    .description(
      "check an entry or a map of a list; or read a data file, or rows of the ArcGIS layer at an address, propose its entry and show ten rows; changes nothing",
    )
    .option(
      "--list <map>",
      "read a licence list or a roster with this map (its id, or its file), and show ten rows",
    )
    .action(async (file: string, options: ProposeOptions & {list?: string}) => {
      await requireFile(file);
      await checkFile(file, options);
    });
  proposeOptions(sources.command("add <file>"))
    .description(
      "check an entry and copy it into the registry; or propose one for a data file or the address of a layer, and write it with --write",
    )
    .option("--write", "write the entry that was proposed for a data file")
    .action(async (file: string, options: ProposeOptions & {write?: boolean}) => {
      await requireFile(file);
      const kind = await registryKind(file);
      await (kind === null ? addDataFile(file, options) : addToRegistry(file, kind));
    });
  confirmCommand(sources);
  probeLayersCommand(sources);
  termsCommands(sources);
}

async function checkFile(file: string, options: ProposeOptions & {list?: string}): Promise<void> {
  if (options.list !== undefined) {
    await checkListFile(file, namedList(options.list), options.json === true);
    return;
  }
  const kind = await registryKind(file);
  if (kind === null) await checkDataFile(file, options);
  else if (kind === "list") {
    const {id, feed, accept} = readCheckedList(resolve(file));
    print(
      `${id}: a sound map for the feed ${feed}; ${countWithNoun(accept.rows.length, "example")} read as expected`,
    );
  } else {
    const {id, coverage} = readParcelSource(resolve(file));
    print(`${id}: a sound entry (${coverage.country} ${coverage.state})`);
  }
}

async function requireFile(file: string): Promise<void> {
  if (isAddress(file)) return;
  const found = await stat(file).catch(() => null);
  if (found === null)
    throw new UsageError(`${file}: no such file; expected an entry or a data file of a source.`);
}

/** Kinds of registry files: an entry of a parcel source, or the map of a list. */
type RegistryKind = "parcels" | "list";

/** Classifies a file: a JSON object with a coverage is an entry, one with a feed a map; null for data files. */
async function registryKind(file: string): Promise<RegistryKind | null> {
  if (isAddress(file) || !file.endsWith(".json")) return null;
  const {size} = await stat(file).catch(() => ({size: Number.POSITIVE_INFINITY}));
  if (size > largestEntry) return null;
  try {
    const json: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof json !== "object" || json === null) return null;
    if ("coverage" in json) return "parcels";
    return "feed" in json && "accept" in json ? "list" : null;
  } catch {
    // Not a single JSON value; the reader of its format reports the fault.
    return null;
  }
}

async function addToRegistry(file: string, kind: RegistryKind): Promise<void> {
  const [dir, id, folder] =
    kind === "parcels"
      ? parcelPlace(readParcelSource(resolve(file)))
      : listPlace(readCheckedList(resolve(file)));
  const target = join(dir, basename(file));
  await mkdir(dir, {recursive: true});
  await copyWhole(resolve(file), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new UserError(`${target}: already exists.`);
    throw error;
  });
  print(`${id}: added; its raw files go to ${folder}/ of the raw folder`);
}

type RegistryPlace = [dir: string, id: string, folder: string];

function parcelPlace({id}: ParcelSource): RegistryPlace {
  return [parcelSourcesDir, id, `parcels/${id}`];
}

function listPlace({id, feed}: ListSource): RegistryPlace {
  return [listSourcesDir, id, `market/${feed}/${id}`];
}

async function listSources(json: boolean, data: DataFolder): Promise<void> {
  const market = loadMarketSources();
  const parcels = loadParcelSources();
  const lists = loadListSources();
  const now = runClock()();
  const layers = await readLayerHealth(data, now);
  if (json) {
    printJson({market, parcels, lists, layers: Object.fromEntries(layers)});
    return;
  }
  const bulk = new Set(parcels.map(({id}) => id));
  const asked = [...layers.keys()].flatMap((id) =>
    bulk.has(id) ? [] : (registeredCadastreSource(id) ?? []),
  );
  const rows = [
    ...market.map(({id, type, name}) => [id, "market", type, name, ""]),
    ...lists.map(({id, feed, name}) => [id, feed, "list", name, ""]),
    ...[...parcels, ...asked].map(({id, coverage, authority, name}) => [
      id,
      `${coverage.country} ${coverage.state}`,
      authority,
      name,
      healthText(layers.get(id), now),
    ]),
  ];
  print(textTable(["id", "for", "kind", "name", "on a miss"], rows));
}

/** How a layer answered when a server or a probe asked it last, with the days since then. */
function healthText(health: LayerHealth | undefined, now: Date): string {
  if (health === undefined) return "";
  const days = Math.floor((now.getTime() - Date.parse(health.at)) / 86_400_000);
  const age = days < 1 ? "today" : `${countWithNoun(days, "day")} ago`;
  const running = health.failures > 1 ? `, ${health.failures} failures running` : "";
  return `${health.mark}, ${age}${running}`;
}
