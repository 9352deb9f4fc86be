import {cpus} from "node:os";

/** The day, the processor and the version of Node, with which a bench begins what it prints. */
export function machineLine(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpus()[0]?.model.trim()}, ${cpus().length} CPUs, Node ${process.versions.node}`;
}
