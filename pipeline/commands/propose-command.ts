import {join} from "node:path";
import {UsageError, UserError} from "../../lib/errors.ts";
import {parcelSourcesDir} from "../../lib/registry/parcel-sources.ts";
import {writeWhole} from "../../lib/storage/whole-file.ts";
import {type ProposedEntry, proposeEntry} from "../parcels/propose/propose-entry.ts";
import {print, printJson} from "./output.ts";
import {draftOf, type ProposeOptions} from "./propose-options.ts";
import {registryJson} from "./registry-json.ts";

/** Reads a data file, proposes its entry, prints it with the first ten rows of the result, and gives it; nothing is changed. */
export async function checkDataFile(file: string, options: ProposeOptions): Promise<ProposedEntry> {
  const proposed = await proposeEntry(file, draftOf(options), new Date().toISOString().slice(0, 10));
  if (options.json === true) printJson(proposed);
  else printProposal(proposed);
  return proposed;
}

/**
 * Proposes an entry like `checkDataFile` and, where `write` is set, writes it into the registry folder. Throws a `UserError`
 * where an entry of that name exists, and where the facts that no file contains are not given.
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
    process.stderr.write("nothing was written; the same command with --write writes the entry\n");
    return;
  }
  const target = join(dir, `${entry.id}.json`);
  await writeWhole(target, registryJson(entry)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new UserError(`${target}: is there already.`);
    throw error;
  });
  process.stderr.write(
    `${entry.id}: written to ${target}; its raw files go to parcels/${entry.id}/ of the raw folder\n`,
  );
}

function printProposal({entry, rows, rejected, merges, choices, sample, unused, notes}: ProposedEntry): void {
  print(registryJson(entry).trimEnd());
  const codes = Object.entries(rejected).map(([code, n]) => `${n.toLocaleString("en-US")} ${code}`);
  print(`\n${rows.toLocaleString("en-US")} rows; rejected: ${codes.join(", ") || "none"}`);
  const number = (n: number) => n.toLocaleString("en-US");
  print(
    `${number(merges.parcels)} parcels; merged into them: ${number(merges.older)} rows of an older year, ${number(merges.others)} others`,
  );
  if (choices.length > 0)
    print("\nchosen between columns, with filled and different cells of the rows that were looked at");
  for (const {role, candidates} of choices) {
    const [taken, ...others] = candidates.map(
      ({column, filled, distinct}) => `${column} (${filled}, ${distinct})`,
    );
    print(`  ${role.padEnd(18)} ${taken} before ${others.join(", ")}`);
  }
  for (const [i, row] of sample.entries()) {
    print(`\nrow ${i + 1}`);
    for (const [column, value] of Object.entries(row)) print(`  ${column.padEnd(18)} ${shown(value)}`);
  }
  if (unused.length > 0) print("\ncolumns that the map does not use");
  for (const {column, values} of unused)
    print(`  ${column.padEnd(24)} ${values.join(" | ") || "(no value)"}`);
  for (const note of notes) print(`note: ${note}`);
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}
