import {MARKET} from "../../lib/storage/build-layout.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {Acceptance} from "../../schemas/manifest.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {DeltaInputs} from "./delta-inputs.ts";
import type {Stages} from "./stages.ts";

/** The place of a step among the steps of its kind, and the bytes that it and the others read. */
export type Extent = {
  readonly number: number;
  readonly of: number;
  readonly bytes: number;
  readonly bytesBefore: number;
  readonly bytesInAll: number;
};

/** Runs one step of the work and shows it; `say` replaces the text beside its title. */
export type Step = <T>(
  title: string,
  work: (say: (text: string) => void) => Promise<T>,
  extent?: Extent,
) => Promise<T>;

/** A step that shows nothing. */
export const silently: Step = (_title, work) => work(() => undefined);

export type BuildOptions = {
  /** Folder of the raw files, for messages. */
  readonly rawDir: string;
  /** Gives the raw files; digests are needed of the files of these parts alone, and reading the others may be spared. */
  listFiles(
    needsDigest: (file: Pick<RawFile, "side" | "unit" | "pull">) => boolean,
    told: (seen: {files: number; of: number; bytes: number}) => void,
  ): Promise<RawFile[]>;
  /** Files that belong to no part, where others know them already: `assemble` sees no raw folder. */
  readonly leftOut?: readonly FileReport[];
  readonly data: DataFolder;
  readonly asOf: string;
  /** Parts to build, `MARKET` and states, while the others are linked from the current build; null for everything. */
  readonly only: readonly string[] | null;
  readonly noReuse: boolean;
  /** Parts that are made at a time; one when absent. */
  readonly jobs?: number;
  readonly acceptances: readonly Acceptance[];
  readonly allowNetworkFs: boolean;
  readonly stages: Stages;
  /** Digests that the inputs of these parts must have: `assemble` builds from parts made elsewhere. */
  readonly expectedDigests?: ReadonlyMap<string, string>;
  /** Delta folders of other servers, copied here; their finds are merged beside those of the data folder. */
  readonly deltaFolders?: readonly string[];
  /** The delta to merge; it is read from the data folder and `deltaFolders` where absent. */
  readonly delta?: DeltaInputs;
  /** The clock of `built_at`. */
  readonly now: () => Date;
  readonly step: Step;
};

/** Gives the clock of `built_at`: it stands at `SOURCE_DATE_EPOCH` where that is set, else it is that of the machine. */
export function buildClock(epoch: string | undefined = process.env["SOURCE_DATE_EPOCH"]): () => Date {
  return () => (epoch === undefined || epoch === "" ? new Date() : new Date(Number(epoch) * 1000));
}

/** Gives an instant in the form of the manifest, in whole seconds. */
export function instantText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Gives acceptances sorted and without repetitions: the order in which they were typed must not make another build id. */
export function sortedAcceptances(acceptances: readonly Acceptance[]): Acceptance[] {
  const byGate = new Map(acceptances.map((each) => [`${each.part}:${each.gate}`, each]));
  return [...byGate].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Gates that the stage of a part judges itself, because they keep files or issues out of it. */
const stageGates = {
  market: ["issue-shrank"],
  state: ["outside-county", "rejected-rows", "area-unit"],
} as const;

/** Gives what a person accepted of a part, of the gates that its stage judges. */
export function stageAcceptances(
  name: string,
  {acceptances}: Pick<BuildOptions, "acceptances">,
): Acceptance[] {
  const gates: readonly string[] = name === MARKET ? stageGates.market : stageGates.state;
  return acceptances.filter(({part, gate}) => part === name && gates.includes(gate));
}

/** Gives the gates of a part that a person accepted, of those that its stage judges, in sorted order. */
export function acceptedByStage(name: string, options: Pick<BuildOptions, "acceptances">): string[] {
  return [...new Set(stageAcceptances(name, options).map(({gate}) => gate))].sort();
}

/** Says whether a person accepted that a short issue of a market report replaces a longer one. */
export function acceptsShrunk(options: Pick<BuildOptions, "acceptances">): boolean {
  return stageAcceptances(MARKET, options).length > 0;
}
