/** Gives the text of a file: UTF-8 or UTF-16 without its mark; bytes that are no UTF-8 are Windows-1252, as older government exports are. */
export function decodedText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
