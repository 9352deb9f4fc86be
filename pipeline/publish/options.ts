import type {DataFolder} from "../../lib/storage/data-folder.ts";
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
  listFiles(): Promise<RawFile[]>;
  readonly data: DataFolder;
  readonly asOf: string;
  /** States to build, while the others and the market are linked from the current build; null for everything. */
  readonly only: readonly string[] | null;
  readonly noReuse: boolean;
  readonly acceptances: readonly Acceptance[];
  readonly allowNetworkFs: boolean;
  readonly stages: Stages;
  /** Digests that the inputs of these states must have: `assemble` builds from parts made elsewhere. */
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

/** Gates of a state that its stage judges, because they keep files out of it. */
const stageGates: readonly string[] = ["outside-county", "rejected-rows", "area-unit"];

/** Gives the gates of a state that a person accepted, of those that its stage judges, in sorted order. */
export function acceptedByStage(state: string, {acceptances}: Pick<BuildOptions, "acceptances">): string[] {
  const gates = acceptances.filter(({part, gate}) => part === state && stageGates.includes(gate));
  return [...new Set(gates.map(({gate}) => gate))].sort();
}

/** Says whether a person accepted that a short issue of a market report replaces a longer one. */
export function acceptsShrunk({acceptances}: Pick<BuildOptions, "acceptances">): boolean {
  return acceptances.some(({part, gate}) => part === "MARKET" && gate === "issue-shrank");
}
