import type {Point} from "../../lib/geography/distance.ts";
import type {ScoredAddress} from "../../lib/parcels/address/parsed-address.ts";
import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import type {OwnerWords} from "../../lib/parcels/matching/owner-match.ts";
import type {ParcelIdReading} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import type {CadastreStatus} from "../../schemas/parcel-answer.ts";
import type {Generation} from "../generation/generation.ts";

/** The known place of a question; the county to ask is chosen from it. */
type CadastrePlace = {
  readonly state: string | null;
  /** Keys that the caller named, or that follow from the question; null when nothing says. */
  readonly counties: ReadonlySet<string> | null;
};

/** A lookup that found nothing in the dataset. */
export type CadastreQuestion = CadastrePlace &
  (
    | {readonly kind: "address"; readonly address: ScoredAddress}
    | {readonly kind: "parcel_id"; readonly readings: readonly ParcelIdReading[]}
    | {readonly kind: "location"; readonly point: Point}
    | {readonly kind: "owner"; readonly words: OwnerWords}
  );

/** The reason for which no county was asked. */
export type NotAskedReason = "switched_off" | "sample" | "no_service" | "unsuited";

/** Rows of a county's reply of which number, address or place cannot be read: they prove neither that there is none nor only one. */
export type Doubts = {
  /** Those that can be compared with a question. */
  readonly set: ParcelSet;
  /** Number of those that cannot. */
  readonly nameless: number;
};

export type CadastreReply =
  | {
      readonly status: "found";
      /** The rows that passed every check: the lookup matches the question against them as against the dataset. */
      readonly set: ParcelSet;
      /** Rows of the reply that could not be read; absent where all were. */
      readonly doubts?: Doubts;
      /** True where the county has more rows than it sends, and was asked for those that print a word as the question does. */
      readonly isNarrowed?: boolean;
      /**
       * Stores the rows of the set that the caller gets, before the answer; those it does not get are never stored
       * (`docs/design/parcels.md` section 9).
       */
      keep(rows: readonly number[]): Promise<{readonly persisted: boolean; readonly sourceAdded: boolean}>;
    }
  | {
      readonly status: Exclude<CadastreStatus, "found" | "not_asked">;
      /** The pause that the county's service wants; seconds. */
      readonly retryAfterSeconds?: number;
      /** With `unsupported`: the reason for which no county was asked. */
      readonly notAsked?: NotAskedReason;
    };

/** The build that a question was asked of, and the id of the key that asked: where more is asked than can be answered, each key has its share. */
export type CadastreCaller = {readonly generation: Generation; readonly keyId: string};

/** Asks the county's own service on a miss; never rejects but by the signal. */
export type Cadastre = {
  /** False when the question would be refused at once, because more are asked than can be answered. */
  hasRoom(question: CadastreQuestion, caller: CadastreCaller): boolean;
  ask(question: CadastreQuestion, caller: CadastreCaller & {signal: AbortSignal}): Promise<CadastreReply>;
};

/** No county is ever asked: every miss is `unsupported`. */
export const noCadastre: Cadastre = {
  hasRoom: () => true,
  ask: (_question, {generation}) =>
    Promise.resolve({status: "unsupported", notAsked: generation.sample ? "sample" : "switched_off"}),
};

/** The dependencies of the parcel endpoints besides a call. */
export type ParcelDeps = {
  readonly cadastre: Cadastre;
  readonly sources: SourceRegistry;
};

/**
 * Reads what other processes have stored before a county is asked, because reading the disk is cheaper than asking; true when there was
 * something. A question that would be refused at once reads nothing, so that its refusal waits for no disk.
 */
export async function catchUp(
  question: CadastreQuestion,
  caller: CadastreCaller,
  cadastre: Cadastre,
): Promise<boolean> {
  const {delta} = caller.generation;
  if (delta === undefined || !cadastre.hasRoom(question, caller)) return false;
  return delta.catchUp();
}
