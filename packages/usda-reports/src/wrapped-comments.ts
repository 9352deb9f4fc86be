import {lotDescriptorsOf, splitDressing} from "./lot-words.ts";
import type {Token} from "./tokens.ts";

/**
 * The words of a row whose comment goes on in the line below (`Value`, `Added`); else null. A line that is a comment by itself may have
 * slipped from any row.
 */
export function wholeComment(row: readonly Token[], below: readonly Token[]): Token[] | null {
  const [start, rest] = [row.at(-1), below[0]];
  if (row.length < 2 || below.length !== 1 || start?.kind !== "text" || rest?.kind !== "text") return null;
  const text = `${start.text} ${rest.text}`;
  const isWrapped = isKnownComment(text) && !isKnownComment(rest.text);
  return isWrapped ? [...row.slice(0, -1), {...start, text}] : null;
}

/** True for a comment, perhaps after a dressing, whose words are all in the vocabulary. */
function isKnownComment(text: string): boolean {
  const lots = lotDescriptorsOf(splitDressing(text).comment);
  return lots.length > 0 && !lots.includes("other");
}
