/** Begins a name that some counties print with an apostrophe or a blank after it. */
const oftenParted = /^(?:O|D|L|MC|MAC)(?=[A-Z]{3})/;
/** Ends a name that some counties print with an apostrophe before it: FARMER'S, KING'S. */
const possessive = /(?<=[A-Z]{4})S$/;

/**
 * Gives the part of a word of a name that is in all forms in which counties print it (`docs/design/parcels.md` section 9): BRIEN of
 * OBRIEN, O'BRIEN and O BRIEN. Rows with other words come too, and are compared here.
 */
export function printedPart(word: string): string {
  return word.replace(oftenParted, "").replace(possessive, "");
}
