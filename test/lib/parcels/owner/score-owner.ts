import {editDistance} from "@open-cattle/us-address";
import {misspeltMarks, type OwnerMatch} from "../../../../lib/parcels/owner/owner-score.ts";
import {searchTokens, withJoinedPrefixes} from "../../../../lib/parcels/owner/owner-tokens.ts";

/** The score of a row's owner for the tokens of a query, by the list of docs/design/parcels.md section 7; null when it does not match. */
export function scoreOwner(
  query: readonly string[],
  {tokens, names = []}: {readonly tokens: readonly string[]; readonly names?: readonly string[]},
): OwnerMatch | null {
  if (query.length === 0) return null;
  const texts = [...names.map((name) => searchTokens(name)), tokens, withJoinedPrefixes(tokens)].map((list) =>
    list.join(" "),
  );
  const wanted = query.join(" ");
  const sorted = (text: string) => text.split(" ").sort().join(" ");
  if (texts.includes(wanted)) return {type: "exact", score: 1};
  if (texts.some((text) => sorted(text) === sorted(wanted))) return {type: "normalized", score: 0.95};
  if (texts.some((text) => ` ${text} `.includes(` ${wanted} `))) return {type: "normalized", score: 0.9};
  const missing = query.filter((token) => !tokens.includes(token));
  const [token = ""] = missing;
  if (missing.length === 0) return {type: "normalized", score: 0.8};
  if (missing.length > 1) return null;
  const isLast = token === query.at(-1);
  if (isLast && token.length >= 3 && tokens.some((other) => other.startsWith(token)))
    return {type: "fuzzy", score: 0.7};
  const isNear = (other: string) =>
    editDistance(token, other, 1) === 1 || misspeltMarks(token).includes(other);
  return token.length >= 5 && tokens.some(isNear) ? {type: "fuzzy", score: 0.6} : null;
}
