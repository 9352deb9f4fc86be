import {cpus} from "node:os";

/** Date, CPU and Node version, the first line of each bench's output. */
export function machineLine(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpus()[0]?.model.trim()}, ${cpus().length} CPUs, Node ${process.versions.node}`;
}
