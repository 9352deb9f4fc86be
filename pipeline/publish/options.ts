import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {Acceptance} from "../../schemas/manifest.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {DeltaInputs} from "./delta-inputs.ts";
import type {Stages} from "./stages.ts";

/** Runs one step of the work and shows it: `say` replaces what stands beside its title. */
export type Step = <T>(title: string, work: (say: (text: string) => void) => Promise<T>) => Promise<T>;

/** A step that shows nothing. */
export const silently: Step = (_title, work) => work(() => undefined);

export type BuildOptions = {
  /** Where the raw files lie, for messages. */
  readonly rawDir: string;
  listFiles(): Promise<RawFile[]>;
  readonly data: DataFolder;
  readonly asOf: string;
  /** Only these states are built; the others and the market are linked from the current build. Null: everything. */
  readonly only: readonly string[] | null;
  readonly noReuse: boolean;
  readonly acceptances: readonly Acceptance[];
  readonly allowNetworkFs: boolean;
  readonly stages: Stages;
  /** Digests that the inputs of these states must have: `assemble` builds from parts made elsewhere. */
  readonly expectedDigests?: ReadonlyMap<string, string>;
  /** The delta as it is to be merged; read from the data folder where absent. */
  readonly delta?: DeltaInputs;
  /** The clock of `built_at`. */
  readonly now: () => Date;
  readonly step: Step;
};

/** The instant that goes into `built_at`: `SOURCE_DATE_EPOCH` where it is set, else the clock, in whole seconds. */
export function buildClock(epoch: string | undefined = process.env["SOURCE_DATE_EPOCH"]): () => Date {
  return () => (epoch === undefined || epoch === "" ? new Date() : new Date(Number(epoch) * 1000));
}

/** An instant as the manifest writes it. */
export function instantText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
