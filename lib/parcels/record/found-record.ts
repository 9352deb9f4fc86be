import type {StatedFlag} from "../../../schemas/parcel-fields/flags.ts";
import {ownBytes} from "./own-bytes.ts";
import type {ProvenanceContext} from "./provenance.ts";
import {provenanceText} from "./provenance-text.ts";
import {readKind} from "./record-kind.ts";
import type {RecordText} from "./record-maker.ts";
import type {StoredRecord} from "./stored-record.ts";

/** A record as `RecordText`, with its facts as the bytes that answers copy. */
export type RecordBytes = Omit<RecordText, "facts"> & {readonly facts: Uint8Array};

/** The same record in bytes. */
export function recordBytes({facts, ...rest}: RecordText): RecordBytes {
  return {...rest, facts: ownBytes(facts)};
}

/** The record of a row that a county gave; `flags` are cleaning codes that the row has besides those it was made with. */
export function foundRecord(
  {facts, kind: text, source_url: sourceUrl}: RecordBytes,
  {
    observedAt,
    flags = [],
    ...context
  }: ProvenanceContext & {observedAt?: string | undefined; flags?: readonly StatedFlag[]},
): StoredRecord {
  const kind = readKind(text);
  const provenance = provenanceText({...kind, flags: new Set([...kind.flags, ...flags])}, context);
  return {
    facts,
    provenance,
    sourceUrl,
    ...(observedAt === undefined ? {} : {observedAt}),
  };
}
