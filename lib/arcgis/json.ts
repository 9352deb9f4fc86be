/** A string of JSON text, or a number that JSON does not have. */
const STRING_OR_NOT_A_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Parses JSON as ArcGIS servers write it: a byte-order mark is skipped, and bare `NaN` and `Infinity` (empty geometries of
 * old servers) are null. Throws a SyntaxError for anything else that is no JSON.
 */
export function parseServerJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch (fault) {
    const mended = plain.replace(STRING_OR_NOT_A_NUMBER, (token) => (token.startsWith('"') ? token : "null"));
    if (mended === plain) throw fault;
    return JSON.parse(mended);
  }
}
