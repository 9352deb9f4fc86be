import {Transform} from "node:stream";
import {FetchError} from "../client/fetch-error.ts";
import type {Job} from "./job.ts";

/** Minimum bytes per timeout period; a slower server would hold up the run. */
const minBytesPerPeriod = 16 * 1024;
/** Written bytes after which the room on the disk is looked at again: less than what is left free. */
const bytesPerLook = 256 * 2 ** 20;

/** Passes a body on as it comes. Aborts a transfer that is too slow, or for whose bytes `take` throws. */
export function pacedBody({source}: Job, address: string, take: (bytes: number) => void): Transform {
  let sinceLook = 0;
  const look = setInterval(() => {
    if (sinceLook < minBytesPerPeriod)
      body.destroy(
        new FetchError("connection", `${address}: ${sinceLook} bytes in ${source.timeoutMs} ms are too few`),
      );
    sinceLook = 0;
  }, source.timeoutMs);
  const body = new Transform({
    transform(chunk: Buffer, _, done) {
      sinceLook += chunk.length;
      try {
        take(chunk.length);
      } catch (fault) {
        return done(fault as Error);
      }
      done(null, chunk);
    },
  });
  return body.on("close", () => clearInterval(look));
}

/** Passes on the bytes of a file as they are written, decompressed, and counts them and the `before` against all limits. Rejects beyond one. */
export async function* boundedFile(
  {budget, say}: Job,
  {address, before, pieces}: {address: string; before: number; pieces: AsyncIterable<Buffer>},
): AsyncIterable<Buffer> {
  let total = before;
  let sinceLook = 0;
  for await (const piece of pieces) {
    total += piece.length;
    sinceLook += piece.length;
    budget.countBytes(piece.length);
    if (total > budget.fileBytes) throw tooLarge({budget}, address);
    if (sinceLook >= bytesPerLook) {
      await budget.checkRoom();
      sinceLook = 0;
    }
    say(`${(total / 2 ** 20).toFixed(0)} MiB`);
    yield piece;
  }
}

/** The fault of a file beyond the limit of the run. */
export function tooLarge({budget}: Pick<Job, "budget">, address: string): FetchError {
  return new FetchError(
    "refused",
    `${address}: larger than ${budget.fileBytes} bytes (CATTLE_FETCH_FILE_GIB)`,
  );
}
