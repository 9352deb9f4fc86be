import {join} from "node:path";
import {countWords} from "../../lib/counts.ts";
import {UserError} from "../../lib/errors.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import {buildIds} from "../../lib/storage/data-folder.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {DeltaMark, GateResult, MarketPart, StatePart} from "../../schemas/manifest.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {type DeltaCounts, type DeltaInputs, readDeltaInputs, type StateDelta} from "./delta-inputs.ts";
import {acceptsDamage, damageGates} from "./gate.ts";
import {marketDigest, type SortedInputs, sha256OfJson, sortInputs, stateDigest} from "./inputs.ts";
import {noFilesOf} from "./no-files.ts";
import {acceptedByStage, acceptsShrunk, type BuildOptions, forcedBy} from "./options.ts";
import {baseOf, currentBuild, earlierBuild, type Published} from "./published-builds.ts";
import type {SourceEntry} from "./stages.ts";

const inputsGone = "no raw files any more";

/** `build` runs the stage; `reuse` links a part with the same inputs; `keep` links one that is not due or has lost its inputs. */
type Action = "build" | "reuse" | "keep";

/** The work due for one part. */
export type PlannedPart = {
  /** `MARKET` or a state. */
  readonly name: string;
  readonly action: Action;
  readonly because: string;
  readonly files: RawFile[];
  readonly entries: SourceEntry[];
  /** Parcels found on misses; null for the market. */
  readonly delta: StateDelta | null;
  /** Watermarks: the end of each delta segment up to which this part will have merged it. */
  readonly marks: readonly DeltaMark[];
  readonly inputsSha256: string;
  /** Returns the part's digest for other files. */
  readonly digestOf: (files: readonly RawFile[]) => string;
  readonly base: MarketPart | StatePart | null;
};

/** The country of a state: from its entries, its found parcels, or the build that it is linked from. */
export function countryOf({
  entries,
  delta,
  base,
}: Pick<PlannedPart, "entries" | "delta" | "base">): "US" | "CA" {
  const known = base !== null && "country" in base ? base.country : undefined;
  return entries[0]?.coverage.country ?? delta?.records[0]?.record.country ?? known ?? "US";
}

/** Everything that a build will do, as a value. */
export type BuildPlan = {
  readonly buildId: string;
  readonly asOf: string;
  readonly sample: boolean;
  readonly base: Published | null;
  readonly earlier: Published | null;
  readonly parts: PlannedPart[];
  readonly leftOut: FileReport[];
  /** Record counts per delta folder: accepted, rejected and merged. */
  readonly delta: readonly DeltaCounts[];
  /** Gates of the whole build: damage of segments that no record assigns to a state. */
  readonly gates: readonly GateResult[];
  /** True if a sound build with this id already exists. */
  readonly adopts: boolean;
};

/** Checks that a build folder matches its manifest and was made from the inputs of these parts. */
type IsSound = (buildId: string, parts: readonly PlannedPart[]) => Promise<boolean>;

/** The last day on which facts are believed: today, even if the build is made for an earlier day. */
function lastDay({asOf, now}: Pick<BuildOptions, "asOf" | "now">): string {
  const today = now().toISOString().slice(0, 10);
  return today > asOf ? today : asOf;
}

/**
 * Plans the work that is due, from raw files, registry and published builds; writes nothing. `say` reports progress on scanning the raw
 * files. Throws a `UserError` for mixed sample and real data, for an unknown state, and if there is nothing to do.
 */
export async function planBuild(
  options: BuildOptions,
  isSound: IsSound,
  say: (text: string) => void = () => undefined,
): Promise<BuildPlan> {
  const files = await options.listFiles(neededDigests(options), ({files: seen, of, bytes}) =>
    say(`${countWords(seen)} of ${countWords(of)} raw files  ${Math.round(bytes / 2 ** 20)} MiB`),
  );
  const inputs = sortInputs(files, options.asOf, options.stages);
  const current = await currentBuild(options.data);
  const earlier = await earlierBuild(options.data, options.asOf);
  const folders = [options.data.delta, ...(options.deltaFolders ?? [])];
  const acceptDamage = acceptsDamage(options.acceptances);
  const delta =
    options.delta ?? (await readDeltaInputs(folders, current, {today: lastDay(options), acceptDamage}));
  const found: Inputs = {...inputs, delta};
  const withCurrent = plannedParts(options, found, current, earlier);
  const gates = damageGates(delta.unclaimedDamage, options.acceptances);
  const {buildId, adopts} = await chooseId(options, {parts: withCurrent, gates}, isSound);
  const base = current?.manifest.build_id === buildId ? await baseOf(options.data, current) : current;
  const parts = base === current ? withCurrent : plannedParts(options, found, base, earlier);
  refuseMixture(options, found, parts, base);
  refuseOtherInputs(options, parts);
  return {
    buildId,
    asOf: options.asOf,
    sample: inputs.sample,
    base,
    earlier,
    parts,
    leftOut: byPath([...(options.leftOut ?? inputs.leftOut), ...delta.leftOut]),
    delta: delta.counts,
    gates,
    adopts,
  };
}

/** Decides which files need digests: those of the requested parts, and those whose part is unknown. */
function neededDigests({only, stages}: BuildOptions): Parameters<BuildOptions["listFiles"]>[0] {
  if (only === null) return () => true;
  const states = new Map(stages.entries.map(({id, coverage}) => [id, coverage.state]));
  return ({kind, feedOrEntryId, pull}) => {
    if (kind === "market") return only.includes(MARKET);
    const pulled =
      pull === undefined || states.has(feedOrEntryId)
        ? null
        : stages.entryOfPull?.(feedOrEntryId, pull.layer);
    const state = typeof pulled === "object" ? pulled?.coverage.state : undefined;
    return only.includes(states.get(feedOrEntryId) ?? state ?? feedOrEntryId);
  };
}

function byPath(reports: readonly FileReport[]): FileReport[] {
  return [...reports].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Inputs = SortedInputs & {readonly delta: DeltaInputs};

function plannedParts(
  options: BuildOptions,
  inputs: Inputs,
  base: Published | null,
  earlier: Published | null,
): PlannedPart[] {
  const baseStates = base?.manifest.states ?? {};
  const codes = new Set([...inputs.states.keys(), ...inputs.delta.states.keys(), ...Object.keys(baseStates)]);
  const states = [...codes].sort();
  for (const state of options.only ?? []) {
    if (state !== MARKET && !states.includes(state))
      throw noFilesOf(state, options, {parts: states.map((name) => ({name})), leftOut: inputs.leftOut});
  }
  const market = base?.manifest.market ?? null;
  const parts: PlannedPart[] = states.map((state) => {
    const {entries, files} = inputs.states.get(state) ?? {entries: [], files: []};
    const delta = inputs.delta.states.get(state) ?? null;
    const facts = {
      code: options.stages.codeDigest("parcels"),
      asOf: options.asOf,
      delta: delta?.sha256 ?? null,
      accepted: acceptedByStage(state, options),
    };
    return plannedPart(options, state, {
      files,
      entries,
      delta,
      marks: inputs.delta.marksOf(state),
      digestOf: (those) => stateDigest(entries, those, facts),
      base: baseStates[state],
      baseHadFiles: hadFiles(base, baseStates[state]),
    });
  });
  if (inputs.market.length > 0 || market !== null) {
    const facts = {
      code: options.stages.codeDigest("market"),
      asOf: options.asOf,
      earlierBuildId: earlier?.manifest.build_id ?? null,
      futuresLicensed: options.stages.futuresLicensed ?? false,
      ...(acceptsShrunk(options) ? {acceptShrunk: true as const} : {}),
    };
    const found = {
      files: inputs.market,
      entries: [],
      delta: null,
      marks: [],
      digestOf: (those: readonly RawFile[]) => marketDigest(those, facts),
      base: market ?? undefined,
    };
    parts.unshift(plannedPart(options, MARKET, {...found, baseHadFiles: true}));
  }
  return parts.filter(({action, base: linked}) => action === "build" || linked !== null);
}

type Found = {
  files: RawFile[];
  entries: SourceEntry[];
  delta: StateDelta | null;
  marks: readonly DeltaMark[];
  digestOf: PlannedPart["digestOf"];
  base: MarketPart | StatePart | undefined;
  baseHadFiles: boolean;
};

/** True if the base build made the state from raw files, not just from found parcels. */
function hadFiles(base: Published | null, part: StatePart | undefined): boolean {
  const folders = (part?.sources ?? []).map(({id}) => `parcels/${id}/`);
  return base?.manifest.inputs.some(({path}) => folders.some((folder) => path.startsWith(folder))) ?? false;
}

function plannedPart(options: BuildOptions, name: string, found: Found): PlannedPart {
  const base = found.base ?? null;
  const {files, entries, delta, marks, digestOf} = found;
  const inputsSha256 = digestOf(files);
  const part = {name, files, entries, delta, marks, base, digestOf, inputsSha256};
  const keep = (because: string, inputsSha256: string) =>
    ({...part, action: "keep", because, inputsSha256}) as const;
  const baseDigest = base?.inputs_sha256 ?? "";
  // This may be the only copy of these parcels; a build without them would lose them.
  if (delta?.fault !== undefined) return keep(delta.fault, sha256OfJson([delta.fault, baseDigest]));
  if (options.only !== null && !options.only.includes(name)) return keep("not asked for", baseDigest);
  const isFound = (delta?.records.length ?? 0) > 0 && !found.baseHadFiles;
  if (files.length === 0 && !isFound) return keep(inputsGone, sha256OfJson([inputsGone, baseDigest]));
  const again = forcedBy(name, options);
  if (base?.inputs_sha256 === inputsSha256 && again === null) {
    return {...part, action: "reuse", because: `same inputs as in ${base.built_in}`};
  }
  const because = base === null ? "new" : (again ?? "inputs or code changed");
  return {...part, action: "build", because};
}

function inputFingerprint(
  {asOf, acceptances}: BuildOptions,
  {parts, gates}: Pick<BuildPlan, "parts" | "gates">,
): string {
  const digests = parts.map(({name, inputsSha256}) => [name, inputsSha256]);
  return sha256OfJson([asOf, acceptances, digests, ...(gates.length === 0 ? [] : [gates])]);
}

/**
 * Derives the build id from the inputs, so that a rerun finds its own folder. A damaged folder is never overwritten, nor any with
 * `--no-reuse` or `--keep-models`: the next id for the same inputs is used.
 */
async function chooseId(
  options: BuildOptions,
  plan: Pick<BuildPlan, "parts" | "gates">,
  isSound: IsSound,
): Promise<{buildId: string; adopts: boolean}> {
  const {data, asOf} = options;
  const fingerprint = inputFingerprint(options, plan);
  const there = await buildIds(data);
  for (let attempt = 0; ; attempt++) {
    const hex = sha256OfJson([fingerprint, attempt]).slice(0, 6);
    const buildId = `${asOf.replaceAll("-", "")}-${hex}`;
    if (!there.includes(buildId)) return {buildId, adopts: false};
    if (forcedBy(MARKET, options) === null && (await isSound(buildId, plan.parts)))
      return {buildId, adopts: true};
  }
}

function refuseMixture(
  {data, rawDir}: BuildOptions,
  inputs: Inputs,
  parts: PlannedPart[],
  base: Published | null,
): void {
  if (!parts.some(({files, delta}) => files.length > 0 || (delta?.records.length ?? 0) > 0)) {
    throw new UserError(
      `${rawDir}: no raw file that can be built. Expected market/<feed>/ and parcels/<entry id>/; "cattle fetch" and "cattle add FILE" put files there.`,
    );
  }
  if (base !== null && base.manifest.sample !== inputs.sample) {
    const [there, here] = base.manifest.sample ? ["sample", "real"] : ["real", "sample"];
    throw new UserError(
      `${join(data.root, "current")} holds ${there} data, the input is ${here}: use another --out.`,
    );
  }
  // A server with sample data asks no county, so parcels found here are real.
  if (inputs.sample && [...inputs.delta.states.values()].some(({records}) => records.length > 0)) {
    throw new UserError(`${data.delta} holds real parcels, the input is sample: use another --out.`);
  }
}

function refuseOtherInputs({expectedDigests = new Map()}: BuildOptions, parts: PlannedPart[]): void {
  for (const {name, inputsSha256} of parts) {
    const expected = expectedDigests.get(name);
    if (expected !== undefined && expected !== inputsSha256) {
      throw new UserError(
        `${name}: the part was made from another registry, or with other acceptances. Build it again with these.`,
      );
    }
  }
}
