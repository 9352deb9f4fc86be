import {existsSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {messageOf} from "../lib/errors.ts";
import {parcelSourcesDir, readParcelSource} from "../lib/registry/parcel-sources.ts";
import {draftOf} from "../pipeline/commands/propose-options.ts";
import {fileRole} from "../pipeline/parcels/datasets.ts";
import {type ProposedEntry, proposeEntry} from "../pipeline/parcels/propose/propose-entry.ts";
import type {ParcelSource} from "../schemas/parcel-source.ts";
import {flatMap} from "./proposer/flat-map.ts";
import {equalColumns, newCounties, type Truth} from "./proposer/truth.ts";
import {same, type Verdict, verdictOn} from "./proposer/verdict.ts";

/**
 * Field maps proposed for files whose right map is known, compared role by role: counties without an entry, and the files of
 * the registry's own entries as if the entries were not there.
 *
 *   node bench/proposer.ts <corpus> [--list]      a folder with new-counties/ and parcels/<entry id>/; --list names the roles
 */
const asOf = "2026-11-21";
const [corpus = "data/raw", ...flags] = process.argv.slice(2);
const table: Record<string, Record<string, number | string>> = {};

for (const truth of newCounties) {
  const path = join(corpus, "new-counties", truth.file);
  if (existsSync(path)) await report(path, {county: [truth.county]}, () => truth);
}
for (const name of readdirSync(parcelSourcesDir).sort()) {
  const entry = readParcelSource(join(parcelSourcesDir, name));
  const folder = join(corpus, "parcels", entry.id);
  if (!existsSync(folder)) continue;
  const {counties, state} = entry.coverage;
  const place = counties === "all" ? {state} : {county: [...counties]};
  const files = readdirSync(folder).filter(
    (file) => fileRole(entry, {path: `parcels/${entry.id}/${file}`}) === "main" && !/meta/.test(file),
  );
  for (const file of files.slice(0, 3)) {
    await report(join(folder, file), place, (proposed) => ({roles: rolesOf(entry, proposed)}));
  }
}
console.table(table);

type Place = {county?: string[]; state?: string};

async function report(
  path: string,
  place: Place,
  truthOf: (proposed: ProposedEntry) => Pick<Truth, "roles" | "also">,
): Promise<void> {
  const shown = path.slice(corpus.length + 1);
  try {
    const proposed = await proposeEntry(path, draftOf(place), asOf);
    const verdict = verdictOn(flatMap(proposed.entry), truthOf(proposed));
    table[shown] = counts(verdict);
    if (flags.includes("--list")) print(shown, verdict);
  } catch (error) {
    table[shown] = {right: "-", wrong: "-", missed: "-", extra: messageOf(error).slice(0, 90)};
  }
}

function counts(verdict: Verdict): Record<string, number> {
  return Object.fromEntries(Object.entries(verdict).map(([name, roles]) => [name, roles.length]));
}

function print(shown: string, {wrong, missed, extra}: Verdict): void {
  console.log(`\n${shown}`);
  for (const [name, roles] of Object.entries({wrong, missed, extra})) {
    for (const role of roles) console.log(`  ${name.padEnd(7)}${role}`);
  }
}

/** The roles of an entry that columns of the file fill; any one of several columns is correct. */
function rolesOf(entry: ParcelSource, {entry: proposed, unused}: ProposedEntry): Truth["roles"] {
  const names = [...unused.map(({column}) => column), ...[...flatMap(proposed).values()].flat()];
  const isHere = (column: string) => names.some((name) => same(name, column));
  const codes = [entry.use?.codeFrom ?? []].flat();
  return Object.fromEntries(
    [...flatMap(entry)].flatMap(([role, columns]) => {
      const here = columns.filter((name) => (role === "use_systems" ? codes.some(isHere) : isHere(name)));
      const equal = here.flatMap((name) => equalColumns[name] ?? []);
      return here.length === 0 ? [] : [[role, [...here, ...equal]]];
    }),
  );
}
