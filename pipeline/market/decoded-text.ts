/** The line with which spreadsheets name the delimiter of a table. */
const delimiterLine = /^sep=[^\r\n]\r?\n/i;

/** Gives the encoding that the mark at the beginning of a text says; null for a text without one. */
export function markedEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe") return "utf-16le";
  return mark === "feff" ? "utf-16be" : null;
}

/**
 * Gives the text of a file: UTF-8 or UTF-16 without its mark, and without a line that only names the delimiter; bytes that are no
 * UTF-8 are Windows-1252, as older government exports are.
 */
export function decodedText(bytes: Buffer): string {
  return wholeText(bytes).replace(delimiterLine, "");
}

function wholeText(bytes: Buffer): string {
  const marked = markedEncoding(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** True for a text that has to be decoded before a program for plain UTF-8 tables can read it. */
export function needsDecoding(start: Buffer): boolean {
  return markedEncoding(start) !== null || delimiterLine.test(start.toString("utf8").replace(/^\uFEFF/, ""));
}
