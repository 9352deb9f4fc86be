import type {Readable} from "node:stream";
import {createBrotliDecompress, createGunzip, createInflate} from "node:zlib";

/** A body that is too large or has an unsupported content coding, as its code says. */
export class RefusedBody extends Error {
  override name = "RefusedBody";
  readonly code: "too_large" | "refused";

  constructor(code: RefusedBody["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a body, counting bytes after decompression; throws `RefusedBody` beyond `maxBytes`. The content is
 * not inspected.
 */
export async function bodyBytes(
  body: Readable,
  coding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const plain = decoded(body, coding);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of plain) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      body.destroy();
      throw new RefusedBody("too_large", `more than ${maxBytes} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function decoded(body: Readable, coding: string | undefined): Readable {
  const decoder = decoderOf(coding);
  if (decoder === null) return body;
  body.on("error", (fault) => decoder.destroy(fault));
  return body.pipe(decoder);
}

/**
 * The decoder of a content coding; null for an uncompressed body. Throws `RefusedBody` for an unsupported
 * coding.
 */
export function decoderOf(coding: string | undefined) {
  switch (coding?.trim().toLowerCase() ?? "") {
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
      throw new RefusedBody("refused", "unknown content coding");
  }
}
