import type {OwnerOrder} from "../owner/owner-names.ts";
import {parseOwner} from "../owner/parse-owner.ts";
import {memberSeparator, pack, unpack} from "./packed-text.ts";

/** Parts of a packed answer of `ownerForms`. */
export const ownerParts = ["kind", "name", "last", "tokens", "careOf", "withheld"] as const;

/**
 * Reads an owner: from a packed text of the published lines (separated by line feeds) and the source's confidential flag
 * it gives a packed text of `ownerParts` (`docs/design/parcels.md` section 5.3).
 */
export function ownerForms(packed: string, order: OwnerOrder): string {
  const [lines = null, flag = null] = unpack(packed);
  const owner = parseOwner(lines, order, {confidential: isSet(flag)});
  const lastNames = owner.names.flatMap(({last}) => (last === undefined || last === null ? [] : [last]));
  return pack([
    owner.kind,
    owner.ownerName,
    [...new Set(lastNames)].join("; "),
    owner.tokens.join(memberSeparator),
    owner.careOf,
    owner.withheld ? "1" : "",
  ]);
}

/** True for the words that publishers put into a flag of withheld owners. */
function isSet(flag: string | null): boolean {
  return flag !== null && /^(?:1(?:\.0+)?|Y|YES|T|TRUE|X|C|CONFIDENTIAL)$/i.test(flag.trim());
}
