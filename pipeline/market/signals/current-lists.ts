import type {ReadSignalFile} from "./gather.ts";

/**
 * Paths of the files that are current: of lists that are fetched whole from one address (alerts in force, notices) the
 * newest with rows, so that what it leaves out is over. A file without an address in its meta is a list of its own.
 */
export function currentPaths(files: readonly ReadSignalFile[]): Set<string> {
  const listed = files.filter(({reading}) => reading.rows.length > 0);
  const byAddress = Map.groupBy(listed, ({file}) => file.meta?.url ?? file.path);
  const newest = [...byAddress.values()].map((group) =>
    group.reduce((a, b) => (order(b) > order(a) ? b : a)),
  );
  return new Set(newest.map(({file}) => file.path));
}

function order({file}: ReadSignalFile): string {
  return `${file.retrievedAt} ${file.path}`;
}
