import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {openDatabase, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {copySql} from "../../lib/sql/sql-path.ts";
import {tablePath} from "../../lib/storage/build-layout.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {parcelSourceColumns} from "../../schemas/parcel-tables.ts";
import {refusalOfBulk} from "../parcels/datasets.ts";
import {sha256OfJson} from "../parts/inputs.ts";
import type {SourceEntry, Stages} from "../parts/stages.ts";
import {licenceOf} from "../parts/table-files.ts";
import {footerEntries, footerOption, licenceLine} from "../tables/footer.ts";

type Row = Readonly<Record<string, string | boolean | readonly string[] | null>>;

/** Path of the table below the build folder. */
export const parcelSourcesPath = tablePath("parcel_sources");

/**
 * Writes the table `parcel_sources` of a build under construction, ordered by id, without syncing. It lists the registered entries of the
 * build's states and the layers through which parcels were found, so that it covers every `source_id` of the parcel tables.
 */
export async function writeParcelSources(dir: string, manifest: Manifest, stages: Stages): Promise<void> {
  const entries = entriesOf(manifest, stages);
  const rows = entries.map((entry) => rowOf(entry, manifest));
  const stamp = {
    part: "BUILD",
    inputsSha256: sha256OfJson(rows),
    asOf: manifest.as_of_date,
    sample: manifest.sample,
    licence: licenceLine(entries),
  };
  const path = join(dir, parcelSourcesPath);
  await mkdir(dirname(path), {recursive: true});
  using db = await openDatabase();
  const columns = parcelSourceColumns.map(({name, type}) => `${sqlName(name)} ${type}`);
  await db.run(`CREATE TABLE parcel_sources (${columns.join(", ")})`);
  for (const row of rows) await db.run(`INSERT INTO parcel_sources VALUES (${valuesOf(row).join(", ")})`);
  await db.run(
    copySql(
      "SELECT * FROM parcel_sources ORDER BY source_id",
      path,
      "FORMAT parquet, COMPRESSION zstd",
      footerOption(footerEntries(parcelSourcesPath, stamp)),
    ),
  );
}

/** The entries by id: the registry's for the build's states, plus any other source with rows in one. */
function entriesOf(manifest: Manifest, stages: Stages): SourceEntry[] {
  const states = Object.entries(manifest.states);
  const registered = stages.entries.filter(({coverage}) => coverage.state in manifest.states);
  const known = new Map(registered.map((entry) => [entry.id, entry]));
  for (const [state, {country, sources}] of states) {
    const used = new Set(sources.map(({id}) => id));
    for (const layer of stages.layers(country, state)) {
      if (used.has(layer.id) && !known.has(layer.id)) known.set(layer.id, layer);
    }
    for (const entry of stages.entries) if (used.has(entry.id)) known.set(entry.id, entry);
  }
  return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function rowOf(entry: SourceEntry, {states, sources}: Manifest): Row {
  const used = Object.values(states).flatMap((part) => part.sources.filter(({id}) => id === entry.id));
  const {country, state, counties = [], places = []} = entry.coverage;
  const licence = licenceOf(entry.licence);
  return {
    source_id: entry.id,
    name: entry.name,
    publisher: entry.publisher ?? null,
    authority: entry.authority ?? "unknown",
    country,
    state,
    coverage: counties === "all" ? "all_counties" : counties.length > 0 ? "some_counties" : "places",
    counties: counties === "all" ? [] : [...counties].sort(),
    places: [...places].sort(),
    licence: entry.licence,
    licence_id: licence.id,
    licence_url: licence.url,
    attribution: entry.attribution ?? null,
    store_allowed: entry.terms?.store ?? false,
    owners_allowed: entry.terms?.redistributeOwners ?? false,
    bulk_allowed: entry.terms != null && refusalOfBulk({licence: entry.licence, terms: entry.terms}) === null,
    used: used.length > 0,
    complete: used.length === 0 ? null : used.every(({complete}) => complete),
    vintage:
      used
        .map(({vintage}) => vintage ?? "")
        .sort()
        .at(-1) || null,
    retrieved_at: sources.find(({id}) => id === entry.id)?.retrieved_at ?? null,
  };
}

function valuesOf(row: Row): string[] {
  return parcelSourceColumns.map(({name, type}) => {
    const value = row[name];
    if (value === null || value === undefined) return "NULL";
    if (typeof value === "boolean") return String(value);
    const sql = typeof value === "string" ? sqlText(value) : `[${value.map(sqlText).join(", ")}]`;
    return `${sql}::${type}`;
  });
}
