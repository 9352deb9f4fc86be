import {Transform, type TransformCallback} from "node:stream";

/** Maximum bytes of one message on stdio, as of one over HTTP. */
const maxLineBytes = 2 ** 20;
const newline = 10;

/**
 * Passes lines of at most 1 MiB on and drops longer ones, whatever their size, without holding more than the limit in memory. `refused` is
 * called once for each, so that its sender gets an error; the next line is read.
 */
export function lineLimit(refused: (reason: string) => void): Transform {
  let line: Buffer[] = [];
  let bytes = 0;
  const reason = `a message has at most ${maxLineBytes} bytes; it was not read.`;
  const take = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxLineBytes) line.push(piece);
    else line = [];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      let from = 0;
      for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
        take(chunk.subarray(from, to));
        if (bytes <= maxLineBytes) this.push(Buffer.concat([...line, Buffer.from("\n")]));
        else refused(reason);
        line = [];
        bytes = 0;
        from = to + 1;
      }
      take(chunk.subarray(from));
      done();
    },
    flush(done: TransformCallback) {
      if (bytes > maxLineBytes) refused(reason);
      else if (bytes > 0) this.push(Buffer.concat(line));
      done();
    },
  });
}
