import {readdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {makeOwnFolder, privateFolder, writeWhole} from "@open-cattle/safe-files";
import {type LayerHealth, LayerHealthFile, type LayerMark} from "../../schemas/layer-health.ts";
import type {DataFolder} from "../storage/data-folder.ts";

/** Health of layers by their registry id. */
export type LayerHealths = ReadonlyMap<string, LayerHealth>;

/** One answer of a layer, or its failure to give one. */
export type LayerVerdict = {
  readonly mark: LayerMark;
  readonly at: string;
  /** Key of the county of which it gave a row. */
  readonly county?: string;
};

const fileName = /^layers-[a-z\d]+\.json$/;
const goodMarks: ReadonlySet<LayerMark> = new Set<LayerMark>(["good", "no paging", "stale id"]);
/** Instants of a clock that runs a little ahead of ours are believed. */
const clockSkewMs = 5 * 60_000;
const badAfterFailures = 3;
const badAfterMs = 24 * 3_600_000;

/** True for a mark of a layer that answered. */
export function isGoodMark(mark: LayerMark): boolean {
  return goodMarks.has(mark);
}

/** The marks of layers that failed when last asked, each with its number of layers, most first. */
export function failedLayers(healths: LayerHealths): [mark: LayerMark, layers: number][] {
  const failed = [...healths.values()].filter(({mark}) => !isGoodMark(mark));
  const counts = [...Map.groupBy(failed, ({mark}) => mark)].map(([mark, layers]): [LayerMark, number] => [
    mark,
    layers.length,
  ]);
  return counts.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** The health of a layer after one more verdict. */
export function healthAfter(health: LayerHealth | undefined, {mark, at, county}: LayerVerdict): LayerHealth {
  const {good = null, failed = null, failures = 0, noPaging, counties = []} = health ?? {};
  const isGood = isGoodMark(mark);
  const refusesPages = noPaging === true || mark === "no paging";
  return {
    mark,
    at,
    good: isGood ? at : good,
    failed: isGood ? failed : {at, mark},
    failures: isGood ? 0 : failures + 1,
    ...(refusesPages ? {noPaging: true as const} : {}),
    counties: county === undefined ? counties : [...new Set([...counties, county])].sort(),
  };
}

/** Two records of one layer as one: of what changes the newest instant counts, counties add up. */
export function mergedHealth(one: LayerHealth, other: LayerHealth): LayerHealth {
  const [older, newer] = one.at <= other.at ? [one, other] : [other, one];
  return {
    ...older,
    ...newer,
    good:
      [older.good, newer.good]
        .filter((at) => at !== null)
        .sort()
        .at(-1) ?? null,
    failed: newest(older.failed, newer.failed),
    counties: [...new Set([...older.counties, ...newer.counties])].sort(),
  };
}

/** True after three failures running without a good answer for 24 h: such a layer is asked last. */
export function isBadLayer(health: LayerHealth | undefined, now: Date): boolean {
  if (health === undefined || health.failures < badAfterFailures) return false;
  return health.good === null || now.getTime() - Date.parse(health.good) > badAfterMs;
}

/**
 * What all processes know of the layers. A file that is damaged counts as absent, and so does a record that is dated in the future: it is
 * kept to choose between layers, and is found anew by asking.
 */
export async function readLayerHealth({run}: Pick<DataFolder, "run">, now: Date): Promise<LayerHealths> {
  const names = await readdir(run).catch(() => []);
  const latest = new Date(now.getTime() + clockSkewMs).toISOString();
  const merged = new Map<string, LayerHealth>();
  for (const name of names.filter((each) => fileName.test(each)).sort()) {
    for (const [id, health] of Object.entries(await layersIn(join(run, name)))) {
      if (health.at > latest || (health.good ?? "") > latest) continue;
      const other = merged.get(id);
      merged.set(id, other === undefined ? health : mergedHealth(other, health));
    }
  }
  return merged;
}

/** Writes what one process knows to a file of its own, whole. Throws a `DiskFault`. */
export async function writeLayerHealth(
  {run}: Pick<DataFolder, "run">,
  process: number | "probe",
  layers: LayerHealths,
): Promise<void> {
  makeOwnFolder(run, privateFolder);
  const file: LayerHealthFile = {
    layers: Object.fromEntries([...layers].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  const path = join(run, `layers-${process}.json`);
  await writeWhole(path, `${JSON.stringify(file)}\n`, {mode: 0o600, replaces: true});
}

async function layersIn(path: string): Promise<LayerHealthFile["layers"]> {
  try {
    const {data} = LayerHealthFile.safeParse(JSON.parse(await readFile(path, "utf8")));
    return data?.layers ?? {};
  } catch {
    return {};
  }
}

function newest<T extends {readonly at: string}>(older: T | null, newer: T | null): T | null {
  if (older === null || newer === null) return newer ?? older;
  return older.at > newer.at ? older : newer;
}
