/** Matches a string of JSON text, or a number that JSON does not have. */
const STRING_OR_NOT_A_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Parses JSON as ArcGIS servers write it: a byte-order mark is skipped, and the bare `NaN` and `Infinity` of old servers'
 * empty geometries become null. Throws a SyntaxError for any other text that is no JSON.
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
