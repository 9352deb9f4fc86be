import {MARKET} from "../../lib/storage/build-layout.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {Acceptance} from "../../schemas/manifest.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {DeltaInputs} from "./delta-inputs.ts";
import type {Stages} from "./stages.ts";

/** A step's position among its kind, and the bytes read by it, before it, and in all. */
export type Extent = {
  readonly number: number;
  readonly of: number;
  readonly bytes: number;
  readonly bytesBefore: number;
  readonly bytesInAll: number;
};

/** Runs and displays one step of the work; `say` replaces the text beside its title. */
export type Step = <T>(
  title: string,
  work: (say: (text: string) => void) => Promise<T>,
  extent?: Extent,
) => Promise<T>;

export type BuildOptions = {
  /** Folder of the raw files, for messages. */
  readonly rawDir: string;
  /** Lists the raw files. Only those for which `needsDigest` is true must be read for a digest. */
  listFiles(
    needsDigest: (file: Pick<RawFile, "kind" | "feedOrEntryId" | "pull">) => boolean,
    onProgress: (seen: {files: number; of: number; bytes: number}) => void,
  ): Promise<RawFile[]>;
  /** Files that belong to no part, if already known: `assemble` sees no raw folder. */
  readonly leftOut?: readonly FileReport[];
  readonly data: DataFolder;
  readonly asOf: string;
  /** Parts to build (`MARKET` and states), while the others are linked from the current build; null for everything. */
  readonly only: readonly string[] | null;
  readonly noReuse: boolean;
  /** True to make the market again and to leave its models in the data folder. */
  readonly keepModels?: boolean;
  /** Number of parts made concurrently; 1 by default. */
  readonly jobs?: number;
  readonly acceptances: readonly Acceptance[];
  readonly allowNetworkFs: boolean;
  readonly stages: Stages;
  /** Digests that the inputs of these parts must have; set by `assemble`, whose parts were made elsewhere. */
  readonly expectedDigests?: ReadonlyMap<string, string>;
  /** Delta folders copied from other servers, whose discoveries are merged as well. */
  readonly deltaFolders?: readonly string[];
  /** The delta to merge; by default it is read from the data folder and `deltaFolders`. */
  readonly delta?: DeltaInputs;
  /** Clock for `built_at`. */
  readonly now: () => Date;
  readonly step: Step;
};

/** The clock for `built_at`: fixed at `SOURCE_DATE_EPOCH` if set, otherwise the machine's. */
export function buildClock(epoch: string | undefined = process.env["SOURCE_DATE_EPOCH"]): () => Date {
  return () => (epoch === undefined || epoch === "" ? new Date() : new Date(Number(epoch) * 1000));
}

/** Formats an instant as in the manifest, in whole seconds. */
export function instantText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Sorts and deduplicates acceptances, because the order in which they were typed must not change the build id. */
export function sortedAcceptances(acceptances: readonly Acceptance[]): Acceptance[] {
  const byGate = new Map(acceptances.map((each) => [`${each.part}:${each.gate}`, each]));
  return [...byGate].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Gates judged by a part's stage itself, because they keep files or issues out of it. */
const stageGates = {
  market: ["issue-shrank"],
  state: ["outside-county", "rejected-rows", "area-unit"],
} as const;

/** Returns the acceptances for the gates that a part's stage judges. */
export function stageAcceptances(
  name: string,
  {acceptances}: Pick<BuildOptions, "acceptances">,
): Acceptance[] {
  const gates: readonly string[] = name === MARKET ? stageGates.market : stageGates.state;
  return acceptances.filter(({part, gate}) => part === name && gates.includes(gate));
}

/** Returns the accepted gates of a part, among those that its stage judges, sorted. */
export function acceptedByStage(name: string, options: Pick<BuildOptions, "acceptances">): string[] {
  return [...new Set(stageAcceptances(name, options).map(({gate}) => gate))].sort();
}

/** True if a person accepted that a shorter issue of a market report replaces a longer one. */
export function acceptsShrunk(options: Pick<BuildOptions, "acceptances">): boolean {
  return stageAcceptances(MARKET, options).length > 0;
}

/** The option that makes a part again although its inputs did not change; null if none does. */
export function forcedBy(name: string, {noReuse, keepModels = false}: BuildOptions): string | null {
  if (noReuse) return "--no-reuse";
  return keepModels && name === MARKET ? "--keep-models" : null;
}
