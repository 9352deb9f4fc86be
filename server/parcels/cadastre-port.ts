import type {Point} from "@open-cattle/parcel-outlines";
import type {ScoredAddress} from "@open-cattle/us-address";
import type {OwnerWords} from "../../lib/parcels/matching/owner-match.ts";
import type {ParcelIdReading} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import type {SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import type {CadastreStatus} from "../../schemas/parcel-answer.ts";
import type {Generation} from "../generation/generation.ts";

/** What is known of a question's place; determines which county is asked. */
type CadastrePlace = {
  readonly state: string | null;
  /** County keys from the caller or derived from the question; null when unknown. */
  readonly counties: ReadonlySet<string> | null;
};

/** A lookup that had no hit in the dataset. */
export type CadastreQuestion = CadastrePlace &
  (
    | {readonly kind: "address"; readonly address: ScoredAddress}
    | {readonly kind: "parcel_id"; readonly readings: readonly ParcelIdReading[]}
    | {readonly kind: "location"; readonly point: Point}
    | {readonly kind: "owner"; readonly words: OwnerWords}
  );

/** Why no county was asked. */
export type NotAskedReason = "switched_off" | "sample" | "no_service" | "unsuited" | "token";

/** Rows of a county's reply whose number, address or location is unreadable. They prove neither absence nor uniqueness. */
export type Doubts = {
  /** Unread rows that can be compared with a question. */
  readonly set: ParcelSet;
  /** Number of unread rows that cannot. */
  readonly unnamedCount: number;
};

/** Other counties in which the parcel may lie, by key, sorted: none of them was asked, so that "empty" proves nothing. */
type Unasked = {readonly unaskedCounties?: readonly string[]};

export type CadastreReply = Unasked &
  (
    | {
        readonly status: "found";
        /** The rows that passed every check; the lookup matches the question against them as against the dataset. */
        readonly set: ParcelSet;
        /** Unreadable rows of the reply, if any. */
        readonly unreadable?: Doubts;
        /** True when the county has more rows than it sends, so that only rows spelt like the question were requested, or when not all were. */
        readonly isNarrowed?: boolean;
        /** Stores the rows that the caller receives, before answering; other rows are never stored (`docs/design/parcels.md` section 9). */
        keep(rows: readonly number[]): Promise<{readonly persisted: boolean; readonly sourceAdded: boolean}>;
      }
    | {
        readonly status: Exclude<CadastreStatus, "found" | "not_asked">;
        /** Seconds to wait, as requested by the county's service. */
        readonly retryAfterSeconds?: number;
        /** Why no county was asked; only with `unsupported`. */
        readonly notAsked?: NotAskedReason;
      }
  );

/** The build that was asked, and the id of the calling key, for fair sharing under load. */
export type CadastreCaller = {readonly generation: Generation; readonly keyId: string};

/** Asks the county's own service on a miss; rejects only when the signal aborts. */
export type Cadastre = {
  /** False when the question would be refused at once because of overload. */
  hasRoom(question: CadastreQuestion, caller: CadastreCaller): boolean;
  ask(question: CadastreQuestion, caller: CadastreCaller & {signal: AbortSignal}): Promise<CadastreReply>;
};

/** Never asks a county: every miss is `unsupported`. */
export const noCadastre: Cadastre = {
  hasRoom: () => true,
  ask: (_question, {generation}) =>
    Promise.resolve({status: "unsupported", notAsked: generation.sample ? "sample" : "switched_off"}),
};

/** Dependencies of the parcel endpoints. */
export type ParcelDeps = {
  readonly cadastre: Cadastre;
  readonly sources: SourceRegistry;
};

/**
 * Reads what other processes have stored, because that is cheaper than asking a county; returns true if there was anything. Skipped when
 * the question would be refused at once, so that a refusal does not wait for the disk.
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
