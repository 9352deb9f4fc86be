import {mkdir, readFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {copyWhole} from "@open-cattle/safe-files";
import {UsageError, UserError} from "../../lib/errors.ts";
import {carriedPath, MARKET} from "../../lib/storage/build-layout.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {MarketStageResult, PartFile, StateStageResult} from "../../schemas/part-file.ts";
import {codeVersion} from "../parts/code-version.ts";
import {type DeltaInputs, marksIn, readCarried, type StateDelta} from "../parts/delta-inputs.ts";
import {type BuildOptions, sortedAcceptances} from "../parts/options.ts";
import {type PartFolder, partName, partText, readPart, requireSoundPart} from "../parts/part-folder.ts";
import {currentBuild, earlierBuild, type Published} from "../parts/published-builds.ts";
import {type BuildResult, build} from "./build.ts";

type StatePartFile = Extract<PartFile, {kind: "state"}>;

/**
 * Gates and publishes parts made by `buildPart`, the market and states in any combination; everything else is linked from the current
 * build. The result is identical, byte for byte, to what `build` would have made here. Throws a `UserError` for a damaged part, for parts
 * with different days or kinds of input, for a part made by another program or registry, and for a part given twice.
 */
export async function assemble(dirs: readonly string[], options: BuildOptions): Promise<BuildResult> {
  const folders = await readParts(dirs, options);
  const parts = [...folders.values()].map(({part}) => part);
  const copied = async (name: string, outDir: string) => {
    const {dir, part} = folders.get(name)!;
    for (const {path} of part.files) {
      await mkdir(dirname(join(outDir, path)), {recursive: true});
      await copyWhole(join(dir, path), join(outDir, path));
    }
    return part.made;
  };
  return build({
    ...options,
    rawDir: dirs.join(", "),
    asOf: parts[0]!.as_of_date,
    only: [...folders.keys()],
    listFiles: async () =>
      parts.flatMap(({inputs}) => inputs.map((input) => ({...input, absolutePath: input.path}))),
    leftOut: leftOutOf(parts),
    acceptances: sortedAcceptances([...options.acceptances, ...parts.flatMap((part) => part.acceptances)]),
    stages: {
      ...options.stages,
      buildMarket: ({outDir}) => copied(MARKET, outDir) as Promise<MarketStageResult>,
      buildState: ({state, outDir}) => copied(state, outDir) as Promise<StateStageResult>,
    },
    delta: await deltaOfParts([...folders.values()], options.data),
    expectedDigests: new Map(parts.map((part) => [partName(part), part.inputs_sha256])),
  });
}

/** Reads the parts by name, after checking that all of them fit this program and each other. */
async function readParts(
  dirs: readonly string[],
  options: BuildOptions,
): Promise<ReadonlyMap<string, PartFolder>> {
  const folders = new Map<string, PartFolder>();
  for (const dir of dirs) {
    const folder = await readPart(dir);
    const name = partName(folder.part);
    const other = folders.get(name);
    if (other !== undefined) throw new UsageError(`${dir}: ${name} was given already, in ${other.dir}.`);
    folders.set(name, folder);
  }
  const all = [...folders.values()];
  for (const folder of all) {
    refuseOtherProgram(folder, options);
    refuseMismatch(all[0]!, folder);
  }
  await refuseOtherEarlier(all, options);
  for (const folder of all) await requireSoundPart(folder);
  return folders;
}

function refuseOtherProgram({dir, part}: PartFolder, {stages}: BuildOptions): void {
  const own = stages.codeDigest(part.kind === "market" ? "market" : "parcels");
  if (part.code_sha256 === own) return;
  throw new UserError(
    `${dir}: ${partText(part)}; this program is ${codeVersion()}. Build the part again with it.`,
  );
}

function refuseMismatch(first: PartFolder, {dir, part}: PartFolder): void {
  const {as_of_date: day, sample} = first.part;
  if (part.as_of_date === day && part.sample === sample) return;
  const what = part.as_of_date === day ? "of different kinds of input" : "of different days";
  throw new UserError(
    `The parts are ${what}:\n  ${first.dir}: ${partText(first.part)}\n  ${dir}: ${partText(part)}`,
  );
}

/** The market records what changed since an earlier build; a part compared with another build would state it wrongly. */
async function refuseOtherEarlier(folders: readonly PartFolder[], {data}: BuildOptions): Promise<void> {
  for (const {dir, part} of folders) {
    if (part.kind !== "market") continue;
    const earlier = (await earlierBuild(data, part.as_of_date))?.manifest.build_id ?? null;
    if (part.earlier_build_id === earlier) continue;
    throw new UserError(
      `${dir}: ${partText(part)}; it is compared with ${part.earlier_build_id ?? "no earlier build"}, and ${data.root} has ${earlier ?? "none"}. Build it again beside a copy of that data folder.`,
    );
  }
}

/** Returns the files that belong to no part, without duplicates. A file that one machine could read and put into a part is omitted. */
function leftOutOf(parts: readonly PartFile[]): FileReport[] {
  const used = new Set(parts.flatMap(({inputs}) => inputs.map(({path}) => path)));
  const reports = parts.flatMap(({left_out}) => left_out).filter(({path}) => !used.has(path));
  return [...new Map(reports.map((report) => [report.path, report])).values()];
}

/**
 * Returns the delta that the parts contain. Throws a `UserError` for a part that has seen less of it than the published build, because
 * found parcels would be lost.
 */
async function deltaOfParts(folders: readonly PartFolder[], data: DataFolder): Promise<DeltaInputs> {
  const current = await currentBuild(data);
  const states = new Map<string, StateDelta>();
  const marks = new Map<string, StatePartFile["delta"]>();
  for (const {dir, part} of folders) {
    if (part.kind === "market") continue;
    const {state, delta_sha256: sha256} = part;
    marks.set(state, part.delta);
    const behind = segmentBehind(part, current);
    if (behind !== undefined) {
      throw new UserError(
        `${dir}: made without parcels that ${current!.manifest.build_id} holds (${behind}). Build it again beside this data folder.`,
      );
    }
    if (sha256 === null) continue;
    const text = await readFile(join(dir, carriedPath(state)), "utf8").catch(() => "");
    states.set(state, {records: readCarried(text), damage: [], sha256});
  }
  return {states, marksOf: (state) => marks.get(state) ?? [], unclaimedDamage: [], counts: [], leftOut: []};
}

/** Returns a segment of which the published build has merged more than the part has; undefined if the part is based on that build. */
function segmentBehind(part: StatePartFile, current: Published | null): string | undefined {
  if (current === null || part.base_build_id === current.manifest.build_id) return undefined;
  const known = new Map(part.delta.map(({segment, bytes}) => [segment, bytes]));
  const merged = [...marksIn(current, part.state).values()];
  return merged.find(({segment, bytes}) => (known.get(segment) ?? 0) < bytes)?.segment;
}
