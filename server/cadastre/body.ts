import {isUtf8} from "node:buffer";
import type {Readable} from "node:stream";
import {createBrotliDecompress, createGunzip, createInflate} from "node:zlib";

/** The error for a body that is too large, or in a coding or charset that cannot be read. */
export class RefusedBody extends Error {
  override name = "RefusedBody";
}

const byteOrderMark = Buffer.from("\uFEFF");

/**
 * Reads a body as UTF-8 text, counting bytes after decompression; throws `RefusedBody` beyond `maxBytes`, for another
 * charset and for a byte-order mark, which JSON must not have (RFC 8259 section 8.1).
 */
export async function bodyText(
  body: Readable,
  coding: string | undefined,
  maxBytes: number,
): Promise<string> {
  const plain = decoded(body, coding);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of plain) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      body.destroy();
      throw new RefusedBody(`more than ${maxBytes} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new RefusedBody("not UTF-8");
  if (bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark))
    throw new RefusedBody("a byte-order mark");
  return bytes.toString("utf8");
}

function decoded(body: Readable, coding: string | undefined): Readable {
  const decoder = decoderOf(coding?.trim().toLowerCase() ?? "");
  if (decoder === null) return body;
  body.on("error", (fault) => decoder.destroy(fault));
  return body.pipe(decoder);
}

function decoderOf(coding: string) {
  switch (coding) {
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new RefusedBody("unknown content coding");
  }
}
