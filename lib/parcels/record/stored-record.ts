import type {ProvenanceText} from "./provenance-text.ts";

/** A stored record of a parcel: finished text that answers copy. */
export type StoredRecord = {
  /**
   * The members as JSON text in UTF-8, separated by commas and without braces. It may be a view of a file:
   * copy it at once.
   */
  readonly facts: Uint8Array;
  readonly provenance: ProvenanceText;
  /** The parcel's page at its source, as JSON text; null without one. */
  readonly sourceUrl: string | null;
  /** When the county returned the row; absent for rows of a build, which have the time of the build. */
  readonly observedAt?: string;
};

/** A part of a JSON text. */
export type TextPiece = string | Uint8Array;

/** The parts of a record's JSON text, with the members that a lookup adds at the end. */
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

/** Joins all parts in a new buffer. */
export function joinedPieces(pieces: readonly TextPiece[]): Buffer<ArrayBuffer> {
  const merged = mergedStrings(pieces);
  let length = 0;
  for (const piece of merged) {
    // A UTF-16 code unit takes at most three bytes.
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

/** Merges adjacent strings, because writing each string costs a call. */
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

/** Parses the members of a record; too slow for building answers. */
export function recordMembersOf({facts}: Pick<StoredRecord, "facts">): Record<string, unknown> {
  return JSON.parse(`{${Buffer.from(facts.buffer, facts.byteOffset, facts.byteLength).toString()}}`);
}
