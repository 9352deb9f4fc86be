import {join} from "node:path";
import {writeWhole} from "@open-cattle/safe-files";
import {countWords} from "../../lib/counts.ts";
import {UsageError, UserError} from "../../lib/errors.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {parcelSourcesDir} from "../../lib/registry/parcel-sources.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import {sampleLayer} from "../fetch/probe/layer-sample.ts";
import {type ProposedEntry, proposeEntry, sampledRows} from "../parcels/propose/propose-entry.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {print, printJson} from "./command-line.ts";
import {userAgentOf} from "./fetch-command.ts";
import {draftOf, type ProposeOptions} from "./propose-options.ts";
import {stopSignal} from "./stopping.ts";

const longestLine = 130;

/** True for the address of a layer, in place of the name of a file. */
export function isAddress(file: string): boolean {
  return /^https?:\/\//i.test(file);
}

/**
 * Reads a data file, or some rows of a layer at an address, proposes its entry, prints it with the first ten result rows, and returns it.
 * Changes nothing.
 */
export async function checkDataFile(file: string, options: ProposeOptions): Promise<ProposedEntry> {
  const asOf = new Date().toISOString().slice(0, 10);
  const proposal = isAddress(file)
    ? await proposeLayer(file, options, asOf)
    : await proposeEntry(file, draftOf(options), asOf);
  if (options.json === true) printJson(proposal);
  else printProposal(proposal);
  return proposal;
}

async function proposeLayer(address: string, options: ProposeOptions, asOf: string): Promise<ProposedEntry> {
  const {layer: layerName, ...draft} = draftOf(options);
  const {CATTLE_CONTACT: contact, CATTLE_PROXY: proxy} = readSettings();
  await using temp = await temporaryFolder("cattle-layer-");
  using stop = stopSignal();
  const request = {
    layerName: layerName?.toString(),
    rows: sampledRows,
    dir: temp.path,
    signal: stop.signal,
    proxy,
  };
  const {path, ...sampledLayer} = await sampleLayer(address, {...request, userAgent: userAgentOf(contact)});
  return await proposeEntry(path, {...draft, sampledLayer}, asOf);
}

/**
 * Proposes an entry like `checkDataFile` and, if `write` is set, writes it into the registry folder. Throws a `UserError` if an entry of
 * that name exists, and a `UsageError` if facts that no file contains are not given.
 */
export async function addDataFile(
  file: string,
  options: ProposeOptions & {write?: boolean},
  dir = parcelSourcesDir,
): Promise<void> {
  const missing = (["id", "name", "publisher", "licence"] as const).filter(
    (name) => options[name] === undefined,
  );
  if (options.write === true && missing.length > 0) {
    throw new UsageError(
      `--write needs ${missing.map((name) => `--${name}`).join(", ")}: no file says that of itself.`,
    );
  }
  const {entry} = await checkDataFile(file, options);
  if (options.write !== true) {
    writeNote("nothing was written; the same command with --write writes the entry\n");
    return;
  }
  const target = join(dir, `${entry.id}.json`);
  await writeWhole(target, registryJson({...entry, proposedMap: true})).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw new UserError(`${target}: already exists.`);
      throw error;
    },
  );
  const next = isAddress(file)
    ? `"cattle fetch --source ${entry.id}" pulls its layer`
    : `its raw files go to parcels/${entry.id}/ of the raw folder, where "cattle add --entry ${entry.id} --complete" puts them`;
  writeNote(
    `${entry.id}: written to ${target}; ${next}. Its map is a proposal, which lowers the confidence of all facts until "cattle sources confirm ${entry.id}"\n`,
  );
}

function printProposal({entry, rows, rejected, merges, choices, sample, unused, notes}: ProposedEntry): void {
  print(registryJson(entry).trimEnd());
  const codes = Object.entries(rejected).map(([code, n]) => `${countWords(n)} ${code}`);
  print(`\n${countWords(rows)} rows; rejected: ${codes.join(", ") || "none"}`);
  print(
    `${countWords(merges.parcels)} parcels; merged into them: ${countWords(merges.older)} rows of an older year, ${countWords(merges.others)} others`,
  );
  if (choices.length > 0)
    print("\nchosen between columns, with filled and different cells of the rows that were looked at");
  for (const {role, candidates} of choices) {
    const [taken, ...others] = candidates.map(
      ({column, filled, distinct}) => `${column} (${filled}, ${distinct})`,
    );
    print(`  ${role.padEnd(18)} ${taken} before ${others.join(", ")}`);
  }
  printRows(sample);
  if (unused.length > 0) print("\ncolumns that the map does not use");
  for (const {column, values} of unused)
    print(`  ${column.padEnd(24)} ${values.join(" | ") || "(no value)"}`);
  for (const note of notes) print(`note: ${note}`);
}

/** Prints rows one below another, each with the facts that it has. */
export function printRows(rows: readonly Readonly<Record<string, unknown>>[]): void {
  for (const [i, row] of rows.entries()) {
    print(`\nrow ${i + 1}`);
    for (const [column, value] of Object.entries(row))
      if (!column.startsWith("_") && says(value)) print(`  ${column.padEnd(18)} ${valueText(value)}`);
  }
}

function says(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Formats a value as a registry file: two-space indent, one line for a value that fits, and a final line feed. */
export function registryJson(value: unknown): string {
  return `${jsonText(value, 0, 0)}\n`;
}

function jsonText(value: unknown, indent: number, lead: number): string {
  const line = inline(value);
  if (
    typeof value !== "object" ||
    value === null ||
    (indent > 0 && indent + lead + line.length <= longestLine)
  )
    return line;
  const inner = " ".repeat(indent + 2);
  const items = Array.isArray(value)
    ? value.map((item) => inner + jsonText(item, indent + 2, 0))
    : knownMembers(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${jsonText(item, indent + 2, key.length + 4)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${knownMembers(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`)
    .join(", ")}}`;
}

function knownMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
