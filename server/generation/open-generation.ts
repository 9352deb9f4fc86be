import {statSync} from "node:fs";
import {join} from "node:path";
import type {Depth, FileDifference} from "@open-cattle/safe-files";
import {UserError} from "../../lib/errors.ts";
import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {MARKET, marketServing, partOfPath, stateServing} from "../../lib/storage/build-layout.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import type {Manifest, StatePart} from "../../schemas/manifest.ts";
import {openMarketArtifacts} from "../tables/market-set.ts";
import type {Generation} from "./generation.ts";
import {verifyBuild} from "./verify-build.ts";

/** Opens the serving files of one state; throws if one is damaged or missing. */
export type OpenState = (folder: string, part: StatePart) => StateArtifacts;

type OpenOptions = {
  openState: OpenState;
  /** The previous generation. States of which it has the very same files open (hard links) reuse its mappings. */
  previous?: Generation | null;
  /** If true, parts with damaged files are left out; otherwise any damage refuses the whole build. */
  withoutDamaged?: boolean;
  /** How thoroughly files are checked; defaults to the CRC of every block. */
  depth?: Depth;
  /** If true, the files of states are compared by name and size alone: their readers check what they read. */
  statesBySize?: boolean;
};

/**
 * Checks a build folder against its manifest and opens it. Throws a `UserError` that names the first fault; errors from opening the files
 * are rethrown.
 */
export async function openGeneration(
  folder: string,
  {openState, previous = null, withoutDamaged = false, depth = "blocks", statesBySize = false}: OpenOptions,
): Promise<Generation> {
  const manifest = await readManifest(folder);
  const keptStates = unchangedStates(folder, manifest, previous);
  const except = statesBySize ? Object.keys(manifest.states) : [...keptStates.keys()];
  const faults = await verifyBuild(folder, {depth, except});
  if (faults.length > 0 && !withoutDamaged) throw damaged(folder, faults);
  const sound = (part: string, serving: string) =>
    !faults.some(({path}) => partOfPath(path) === part || touches(path, serving));
  const states = Object.entries(manifest.states).filter(([state]) => sound(state, stateServing(state)));
  const hasMarket = manifest.market !== null && sound(MARKET, marketServing);
  return {
    buildId: manifest.build_id,
    builtAt: manifest.built_at,
    asOf: manifest.as_of_date,
    sample: manifest.sample,
    manifest,
    market: hasMarket ? openMarketArtifacts(join(folder, marketServing)) : null,
    states: new Map(
      states.map(([state, part]) => [
        state,
        keptStates.get(state) ?? openAnew(folder, {state, part, openState}),
      ]),
    ),
  };
}

/** True for a fault of a file in the folder, of the folder itself, or of a parent. */
function touches(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
}

/** The inodes that an open state maps. */
const openInodes = new WeakMap<StateArtifacts, string>();

function openAnew(
  folder: string,
  {state, part, openState}: {state: string; part: StatePart; openState: OpenState},
): StateArtifacts {
  const open = openState(join(folder, stateServing(state)), part);
  openInodes.set(open, inodesOf(folder, state, part));
  return open;
}

function inodesOf(folder: string, state: string, {files}: StatePart): string {
  const served = files.filter(({path}) => path.startsWith(`${stateServing(state)}/`));
  return served
    .map(({path}) => statSync(join(folder, path), {throwIfNoEntry: false}))
    .map((found) => `${found?.dev}:${found?.ino}`)
    .join();
}

/** Equal bytes are not enough: a state that was made anew may be the cure of a file that was damaged while it was open. */
function unchangedStates(
  folder: string,
  manifest: Manifest,
  previous: Generation | null,
): Map<string, StateArtifacts> {
  const keptStates = new Map<string, StateArtifacts>();
  for (const [state, part] of Object.entries(manifest.states)) {
    const open = previous?.states.get(state);
    const before = previous?.manifest.states[state];
    if (open === undefined || JSON.stringify(before?.files) !== JSON.stringify(part.files)) continue;
    const inodes = inodesOf(folder, state, part);
    if (openInodes.get(open) !== inodes) continue;
    // The files are open already, but other facts in the manifest entry may be new. Members are copied: Object.create on the previous
    // object would lengthen the prototype chain with every build.
    const members = {...Object.getOwnPropertyDescriptors(open), part: {value: part, enumerable: true}};
    const again = Object.defineProperties({}, members) as StateArtifacts;
    openInodes.set(again, inodes);
    keptStates.set(state, again);
  }
  return keptStates;
}

function damaged(folder: string, faults: readonly FileDifference[]): UserError {
  const [{path, fault} = {path: "", fault: ""}] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new UserError(`${join(folder, path)}: ${fault}${more}. The build is refused.`);
}
