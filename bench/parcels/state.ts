import {existsSync, mkdirSync, renameSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {openStateArtifacts, type StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import type {Manifest, StatePart} from "../../schemas/manifest.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {noCadastre, type ParcelDeps} from "../../server/parcels/cadastre-port.ts";
import {createParcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {generateParcels, inventedSource} from "./generate.ts";

/** Generated states are kept here between benches (`make clean` removes them). */
export const benchStates = process.env["CATTLE_BENCH_STATES"] ?? join(tmpdir(), "cattle-bench-states");

/** Parcels of the invented source, without cadastre queries. */
export const benchDeps: ParcelDeps = {cadastre: noCadastre, sources: () => inventedSource};

export const benchEndpoints = createParcelEndpoints(benchDeps);

/** Folder of an invented state with so many rows; generated if missing. */
export async function benchState(rows: number): Promise<string> {
  const root = join(benchStates, `rows-${rows}`);
  const folder = join(root, "TX");
  if (existsSync(folder)) return folder;
  const unfinished = join(root, "unfinished");
  rmSync(unfinished, {recursive: true, force: true});
  mkdirSync(unfinished, {recursive: true});
  const database = join(root, "rows.duckdb");
  const db = await openDatabase({
    path: database,
    memoryLimit: "12GB",
    tempDirectory: join(root, "spill"),
  });
  await generateParcels(db, rows, unfinished);
  db.close();
  rmSync(database, {force: true});
  renameSync(unfinished, folder);
  return folder;
}

/** Opens a generated state for lookups. */
export function openBenchState(folder: string, rows: number): StateArtifacts {
  const part = {
    country: "US",
    coverage: "live",
    rows,
    point_count: rows,
    counties: [],
    sources: [],
    files: [],
  } as unknown as StatePart;
  return openStateArtifacts(folder, part);
}

/** A build with only this state. */
export function benchGeneration(set: StateArtifacts): Generation {
  return {
    buildId: "20261121-000000",
    builtAt: new Date().toISOString(),
    asOf: "2026-11-21",
    sample: true,
    manifest: {sources: [], states: {TX: set.part}} as unknown as Manifest,
    market: null,
    states: new Map([["TX", set]]),
  };
}
