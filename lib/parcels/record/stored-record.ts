import type {ProvenanceText} from "./provenance-text.ts";

/** The record of a parcel as it is stored: finished text, of which an answer copies what it gives. */
export type StoredRecord = {
  /** The members as JSON text in UTF-8, parted by commas and without braces. It may be a view of a file: copy it at once. */
  readonly facts: Uint8Array;
  readonly provenance: ProvenanceText;
  /** The page of the parcel at its source, as JSON text; null without one. */
  readonly sourceUrl: string | null;
  /** Instant at which the county gave the row; absent for rows of a build, whose instant is that of the build. */
  readonly observedAt?: string;
};

/** Pieces of a JSON text, in their order. */
export type TextPiece = string | Uint8Array;

/** The pieces of a record's JSON text, with the members that a lookup adds after its own. */
export function recordPieces(
  {facts, provenance, sourceUrl}: StoredRecord,
  more: Readonly<Record<string, unknown>>,
): TextPiece[] {
  const tail = JSON.stringify(more).slice(1);
  const before = ',"provenance":';
  const after = tail === "}" ? "}" : `,${tail}`;
  const {json, urlAt} = provenance;
  if (urlAt === null || sourceUrl === null) return ["{", facts, `${before}${json}${after}`];
  return [
    "{",
    facts,
    `${before}${json.slice(0, urlAt)},"sourceUrl":${sourceUrl}${json.slice(urlAt)}${after}`,
  ];
}

/** The bytes of all pieces, in a buffer of their own. */
export function joinedPieces(pieces: readonly TextPiece[]): Buffer<ArrayBuffer> {
  let length = 0;
  for (const piece of pieces)
    length += typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += bytes.write(piece, at);
    else {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
  }
  return bytes;
}

/** The members of a record as values; for what is not on the way of every answer. */
export function recordMembersOf({facts}: Pick<StoredRecord, "facts">): Record<string, unknown> {
  return JSON.parse(`{${Buffer.from(facts.buffer, facts.byteOffset, facts.byteLength).toString()}}`);
}
