import {isUtf8} from "node:buffer";
import {open} from "node:fs/promises";

/** True if the whole file is valid UTF-8. */
export async function isUtf8File(path: string): Promise<boolean> {
  await using file = await open(path);
  const buffer = Buffer.alloc(Math.min(1 << 20, (await file.stat()).size + longestLetter));
  for (let kept = 0; ; ) {
    const {bytesRead} = await file.read(buffer, kept, buffer.length - kept);
    const bytes = buffer.subarray(0, kept + bytesRead);
    if (bytesRead === 0) return isUtf8(bytes);
    const end = endOfLetters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    kept = bytes.copy(buffer, 0, end);
  }
}

/** Maximum bytes of a UTF-8 character. */
const longestLetter = 4;

/** Returns the offset of the last multi-byte character, which may be incomplete; the length if none starts near the end. */
function endOfLetters(bytes: Buffer): number {
  const tail = bytes.subarray(1 - longestLetter);
  const last = tail.findLastIndex((byte) => byte >= 0xc0);
  return last < 0 ? bytes.length : bytes.length - tail.length + last;
}
