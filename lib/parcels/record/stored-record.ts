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
  const {json, urlAt} = provenance;
  const tail = JSON.stringify(more).slice(1);
  const end = tail === "}" ? "}" : `,${tail}`;
  if (urlAt === null || sourceUrl === null) return ["{", facts, ',"provenance":', json, end];
  const page = `,"sourceUrl":${sourceUrl}`;
  return ["{", facts, ',"provenance":', json.subarray(0, urlAt), page, json.subarray(urlAt), end];
}

/** The bytes of all pieces, in a buffer of their own. */
export function joinedPieces(pieces: readonly TextPiece[]): Buffer<ArrayBuffer> {
  const merged = mergedStrings(pieces);
  let length = 0;
  for (const piece of merged) {
    // No character of a text takes more than three bytes.
    length += typeof piece === "string" ? piece.length * 3 : piece.byteLength;
  }
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of merged) {
    if (typeof piece === "string") at += bytes.write(piece, at);
    else {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
  }
  return bytes.subarray(0, at);
}

/** The pieces with neighbouring strings made one, because each string that is written costs a call. */
function mergedStrings(pieces: readonly TextPiece[]): TextPiece[] {
  const merged: TextPiece[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else {
      if (text !== "") merged.push(text);
      merged.push(piece);
      text = "";
    }
  }
  if (text !== "") merged.push(text);
  return merged;
}

/** The members of a record as values; for what is not on the way of every answer. */
export function recordMembersOf({facts}: Pick<StoredRecord, "facts">): Record<string, unknown> {
  return JSON.parse(`{${Buffer.from(facts.buffer, facts.byteOffset, facts.byteLength).toString()}}`);
}
