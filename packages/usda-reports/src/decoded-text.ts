/** The first line in which spreadsheets declare the delimiter. */
const delimiterLine = /^sep=[^\r\n]\r?\n/i;

/** The encoding that the byte order mark declares; null without a mark. */
function markedEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe") return "utf-16le";
  return mark === "feff" ? "utf-16be" : null;
}

/**
 * Decodes a file: UTF-8 or UTF-16, without byte order mark and delimiter line; bytes that are not valid UTF-8 are read as
 * Windows-1252, which older government exports use.
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

/** True if the text must be decoded before a reader of plain UTF-8 tables can take it. */
export function needsDecoding(start: Buffer): boolean {
  return markedEncoding(start) !== null || delimiterLine.test(start.toString("utf8").replace(/^\uFEFF/, ""));
}
