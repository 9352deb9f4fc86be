/**
 * UTF-8 of a text that is kept, in memory of its own. `Buffer.from` cuts small buffers from pieces of 64 KiB, and a whole piece stays for
 * as long as one buffer of it does: each find that comes alone would keep its piece.
 */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
