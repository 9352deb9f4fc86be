import {existsSync, readdirSync} from "node:fs";
import {basename, join} from "node:path";
import {type CadastreSource, CadastreSources, ParcelSource} from "../../schemas/parcel-source.ts";
import {Waves} from "../../schemas/registry-tables.ts";
import {ConfigError, messageOf} from "../errors.ts";
import {parcelsWhere} from "../parcels/conform/column-references.ts";
import {sourcesDir} from "../paths.ts";
import {readRegistryFile, shownPath} from "../reference/registry-file.ts";
import {withTerms} from "./layer-terms.ts";

/** Folder of the layers that are only queried on a miss: `<country>/<state>.json`. */
export const cadastreSourcesDir = join(sourcesDir, "cadastre");

type Country = CadastreSource["coverage"]["country"];

/** The layers of all states; a state's file is read on first use. */
export type CadastreRegistry = {
  /** The countries and states that have a file, sorted. */
  readonly states: readonly {readonly country: Country; readonly state: string}[];
  /**
   * The layers of a state in file order; empty when it has no file. Throws a `ConfigError` that names file
   * and field.
   */
  of(country: Country, state: string): readonly CadastreSource[];
};

let registered: CadastreRegistry | undefined;

/** Folder of the registry entries of bulk parcel sources. */
export const parcelSourcesDir = join(sourcesDir, "parcels");

/**
 * The registry entries of a folder, sorted by id. Throws a `ConfigError` that names file and field for an
 * entry that is invalid, has an unknown field, or has an id other than its file name.
 */
export function loadParcelSources(dir = parcelSourcesDir): ParcelSource[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readParcelSource(join(dir, name)));
}

/** A single registry entry. Throws as `loadParcelSources` does. */
export function readParcelSource(path: string): ParcelSource {
  const entry = readRegistryFile(ParcelSource, path);
  const expected = basename(path, ".json");
  if (entry.id !== expected) {
    throw new ConfigError(
      `${shownPath(path)}: id: expected the file's name, "${expected}", got "${entry.id}".`,
    );
  }
  try {
    parcelsWhere(entry);
  } catch (error) {
    throw new ConfigError(`${shownPath(path)}: ${messageOf(error)}`);
  }
  return withTerms(entry);
}

/**
 * The states with their wave and required entries, in file order. Throws a `ConfigError` that names file and
 * field.
 */
export function loadWaves(path = join(sourcesDir, "waves.json")): Waves {
  return readRegistryFile(Waves, path);
}

/**
 * The layers of a folder; an absent folder has no states. An invalid file throws when its state is first
 * used.
 */
export function loadCadastreSources(dir = cadastreSourcesDir): CadastreRegistry {
  const states = (["CA", "US"] as const).flatMap((country) =>
    stateFiles(join(dir, country.toLowerCase())).map((state) => ({country, state})),
  );
  const read = new Map<string, readonly CadastreSource[]>();
  return {
    states,
    of(country, state) {
      const key = `${country.toLowerCase()}/${state.toLowerCase()}`;
      if (!states.some((known) => known.country === country && known.state === state)) return [];
      const entries = read.get(key) ?? readState(join(dir, `${key}.json`), {country, state});
      read.set(key, entries);
      return entries;
    },
  };
}

/** The layers of all states, state by state. Throws a `ConfigError` when a state's file is invalid. */
export function allCadastreSources(): CadastreSource[] {
  const {states, of} = loadCadastreSources();
  return states.flatMap(({country, state}) => of(country, state));
}

/**
 * The layer with a source id (`us-tx-brazos`), or undefined. Throws a `ConfigError` when its state's file is
 * invalid.
 */
export function registeredCadastreSource(id: string): CadastreSource | undefined {
  const place = /^(us|ca)-([a-z]{2})-/.exec(id);
  if (place === null) return undefined;
  registered ??= loadCadastreSources();
  const country = place[1] === "ca" ? "CA" : "US";
  return registered.of(country, place[2]!.toUpperCase()).find((layer) => layer.id === id);
}

function stateFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => /^[a-z]{2}\.json$/.test(name))
    .map((name) => name.slice(0, 2).toUpperCase())
    .sort();
}

function readState(path: string, expected: {country: Country; state: string}): readonly CadastreSource[] {
  const entries = readRegistryFile(CadastreSources, path);
  const misplaced = entries.findIndex(
    ({coverage}) => coverage.country !== expected.country || coverage.state !== expected.state,
  );
  if (misplaced < 0) return entries.map((entry) => withTerms(entry));
  const {country, state} = entries[misplaced]!.coverage;
  throw new ConfigError(
    `${shownPath(path)}: ${misplaced}.coverage: expected the file's ${expected.country} ${expected.state}, got ${country} ${state}.`,
  );
}
