import {stat} from "node:fs/promises";
import {basename, resolve} from "node:path";
import type {Command} from "commander";
import {isUserError, messageOf, UserError} from "../../lib/errors.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import type {ListSource} from "../../schemas/list-source.ts";
import {type FeedName, feedNames} from "../../schemas/market-feed.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {RawMeta} from "../../schemas/raw-meta.ts";
import {type Placed, placeFile} from "../add/place-file.ts";
import {feedLines, type RawFolder, recognise} from "../add/recognise.ts";
import {loadListSources} from "../market/signals/lists/list-sources.ts";
import {describedFile, readMeta} from "../raw/meta-file.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {namedList, readWith} from "./check-list-command.ts";
import {chosenData, print, printJson} from "./command-line.ts";

type AddFlags = {
  feed?: string;
  entry?: string;
  list?: string;
  raw?: string;
  out?: string;
  as?: string;
  retrieved?: string;
  url?: string;
  complete?: boolean;
  replace?: boolean;
  dryRun?: boolean;
  json?: boolean;
};

/** The outcome for one file, as in `--json`. */
type Added = {file: string; folder: string | null; placed: Placed[]; fault: string | null};

/** Adds `add`, which places a person's files in the folders of raw files. */
export function addCommand(cattle: Command): void {
  cattle
    .command("add <file...>")
    .description("recognise files and copy them, with their meta files, to where a build reads them")
    .option("--feed <name>", "market feed of the files, if it cannot be recognised")
    .option("--entry <id>", "parcel registry entry of the files, if it cannot be recognised")
    .option(
      "--list <id>",
      "map of a licence list or roster with which to read the files, if it cannot be recognised by their columns",
    )
    .option("--raw <dir>", "folder of raw files (default: raw/ in the data folder)")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--as <name>", "name of the file in its folder")
    .option(
      "--retrieved <time>",
      "when it was fetched, YYYY-MM-DD or an instant; otherwise the file counts as first seen now",
    )
    .option("--url <address>", "where it came from")
    .option("--complete", "the files are the whole of their source, so that their counties can be live")
    .option(
      "--replace",
      "like --complete; parcels that only older files of the entry have, in the same counties, are retired",
    )
    .option("--dry-run", "show where the files belong, and do nothing")
    .option("--json", "as JSON")
    .addHelpText("after", `\nFeeds:\n${feedLines()}`)
    .action(async (files: string[], flags: AddFlags) => {
      process.exitCode = await addFiles(files, flags);
    });
}

async function addFiles(files: readonly string[], flags: AddFlags): Promise<number> {
  const registry = loadParcelSources();
  const chosenFolder = namedFolder(flags, registry);
  if (flags.as !== undefined && files.length > 1) throw new UserError("--as names one file, not several.");
  const results: Added[] = [];
  // A glob such as raw/* also matches the metas; those are copied with their files.
  const givenPaths = new Set(files.map((file) => resolve(file)));
  for (const file of files.filter((each) => !givenPaths.has(describedFile(resolve(each)) ?? ""))) {
    const result = await addFile(file, flags, {chosenFolder, registry});
    results.push(result);
    if (flags.json !== true) show(result, flags.dryRun === true);
  }
  if (flags.json === true) printJson(results);
  return results.every(({fault}) => fault === null) ? 0 : results.length === 1 ? 1 : 3;
}

async function addFile(
  source: string,
  flags: AddFlags,
  {chosenFolder, registry}: {chosenFolder: RawFolder | null; registry: readonly ParcelSource[]},
): Promise<Added> {
  await using temp = await temporaryFolder("cattle-add-");
  try {
    const file = await rawFileOf(source, flags.as);
    if (flags.list !== undefined) await readWith(source, namedList(flags.list));
    const recognition =
      chosenFolder === null ? await recognise(file, {registry, tempDir: temp.path}) : {folder: chosenFolder};
    if (!("folder" in recognition)) return without(source, question(source, recognition));
    const folder = `${recognition.folder.kind}/${recognition.folder.feedOrEntryId}`;
    if (flags.dryRun === true) return {file: source, folder, placed: [], fault: null};
    const rawDir = flags.raw ?? chosenData(flags.out).raw;
    const meta = await metaOf(source, recognition.folder, flags);
    const placed = await placeFile({
      source: resolve(source),
      rawDir,
      folder: recognition.folder,
      name: flags.as,
      meta,
      isEdition: flags.replace === true,
    });
    return {file: source, folder, placed, fault: null};
  } catch (error) {
    if (!isUserError(error)) throw error;
    return without(source, messageOf(error));
  }
}

function without(file: string, fault: string): Added {
  return {file, folder: null, placed: [], fault};
}

/** The folder named by an option. Throws a `UserError` that lists the feeds, or says how to list the entries. */
function namedFolder({feed, entry, list}: AddFlags, registry: readonly ParcelSource[]): RawFolder | null {
  if ([feed, entry, list].filter((name) => name !== undefined).length > 1)
    throw new UserError("--feed, --entry and --list exclude each other: a file goes into one folder.");
  if (list !== undefined) return folderOfList(namedList(list));
  if (feed !== undefined && !feedNames.includes(feed as FeedName))
    throw new UserError(
      `--feed: no market feed is named ${JSON.stringify(feed)}. The feeds are:\n${feedLines()}`,
    );
  if (feed !== undefined) return {kind: "market", feedOrEntryId: feed};
  if (entry === undefined) return null;
  if (!registry.some(({id}) => id === entry))
    throw new UserError(
      `--entry: no entry data/sources/parcels/${entry}.json; "cattle sources ls" lists them, "cattle sources add" makes one.`,
    );
  return {kind: "parcels", feedOrEntryId: entry};
}

/** The folder of a map's files. Throws a `UserError` if the map is not in the registry, because builds would not read its files. */
function folderOfList({id, feed}: ListSource): RawFolder {
  if (loadListSources().some((list) => list.id === id))
    return {kind: "market", feedOrEntryId: `${feed}/${id}`};
  throw new UserError(`--list: ${id} is not in the registry; "cattle sources add" puts it there.`);
}

async function rawFileOf(source: string, as: string | undefined): Promise<RawFile> {
  const describedPath = describedFile(source);
  if (describedPath !== null)
    throw new UserError(
      `${source}: a meta file, which says where ${basename(describedPath)} came from and when. It goes along by itself: cattle add ${JSON.stringify(describedPath)}`,
    );
  const absolutePath = resolve(source);
  const stats = await stat(absolutePath).catch(() => null);
  if (stats === null) throw new UserError(`${source}: no such file.`);
  if (!stats.isFile()) throw new UserError(`${source}: a folder; give the files in it.`);
  if (stats.size === 0) throw new UserError(`${source}: the file is empty.`);
  return {
    path: as ?? basename(source),
    absolutePath,
    kind: "market",
    feedOrEntryId: "unknown",
    sizeBytes: stats.size,
    sha256: "",
    meta: null,
    retrievedAt: new Date(0).toISOString(),
    retrievedAtFrom: "mtime",
  };
}

/** Tells a person how to choose: the commands that name the folder. */
function question(
  source: string,
  {choices, reason}: {choices: readonly RawFolder[]; reason: string},
): string {
  const quotedSource = JSON.stringify(source);
  if (choices.length === 0)
    return `${source}: ${reason}. Say what it is with --feed or --entry. The feeds are ${feedNames.join(", ")}.`;
  const commands = choices.map(
    ({kind, feedOrEntryId}) =>
      `  cattle add ${kind === "market" ? "--feed" : "--entry"} ${feedOrEntryId} ${quotedSource}`,
  );
  return `${source}: ${reason}; say which is meant:\n${commands.join("\n")}`;
}

/** The file's existing meta, overridden by the options; without a stated time it counts as seen now. */
async function metaOf(source: string, {kind, feedOrEntryId}: RawFolder, flags: AddFlags): Promise<RawMeta> {
  const beside = await readMeta(resolve(source));
  const statedTime = flags.retrieved === undefined ? beside?.retrieved_at : instantOf(flags.retrieved);
  return RawMeta.parse({
    ...beside,
    ...(kind === "parcels" ? {source_id: feedOrEntryId} : {}),
    ...(flags.url === undefined ? {} : {url: urlOf(flags.url)}),
    retrieved_at: statedTime ?? `${new Date().toISOString().slice(0, 19)}Z`,
    ...(statedTime === undefined ? {assumed: true} : {}),
    ...(flags.complete === true || flags.replace === true ? {complete: true} : {}),
    ...(flags.replace === true ? {replaces: true} : {}),
  });
}

function instantOf(text: string): string {
  const instant = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(instant.getTime()) || !/^\d{4}-\d{2}-\d{2}/.test(text))
    throw new UserError(
      `--retrieved: ${JSON.stringify(text)} is not a time (expected YYYY-MM-DD or an instant).`,
    );
  return `${instant.toISOString().slice(0, 19)}Z`;
}

/** Strips user and query from a URL, because they may contain a key. */
function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(`--url: ${JSON.stringify(text)} is not a web address.`);
  return `${url.origin}${url.pathname}`;
}

function show({file, folder, placed, fault}: Added, isPlan: boolean): void {
  if (fault !== null) {
    writeNote(`${fault}\n`);
    return;
  }
  if (isPlan) print(`${file}: belongs in ${folder}/`);
  for (const {path, outcome} of placed)
    print(outcome === "added" ? `${file}: added as ${path}` : `${file}: already exists, as ${path}`);
}
