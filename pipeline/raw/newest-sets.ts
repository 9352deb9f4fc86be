import type {RawFile} from "./raw-files.ts";

/** A file or a pulled layer that a newer whole one of the same address replaces. */
export type ReplacedSet = {readonly path: string; readonly unit: string; readonly by: string};

type FileSet = {readonly path: string; readonly files: RawFile[]};

/** The name that `cattle fetch` gives to a file: the instant tells versions of it apart. */
const fetchedName = /_\d{8}T\d{6}Z(?=\.[a-z0-9.]+$)/;

/**
 * Tells the files that count from those that a newer whole one replaces. Parcel files that were fetched from one address are
 * versions of one source: the newest that is complete stands for all of them, and of incomplete pulls the newest one. Market
 * files all count, because each report is a part of the history.
 */
export function newestSets(files: readonly RawFile[]): {current: RawFile[]; replaced: ReplacedSet[]} {
  const [parcels, others] = [files.filter(isVersion), files.filter((file) => !isVersion(file))];
  const current = new Set(others);
  const replaced: ReplacedSet[] = [];
  for (const [, versions] of Map.groupBy(parcels, addressOf)) {
    const sets = setsOf(versions);
    const newest = newestOf(sets.filter(isComplete)) ?? newestOf(sets.filter(isPull));
    for (const set of sets) {
      const isReplaced = newest !== null && set !== newest && (isComplete(newest) || isPull(set));
      if (isReplaced) replaced.push({path: set.path, unit: set.files[0]!.unit, by: newest.path});
      else for (const file of set.files) current.add(file);
    }
  }
  return {current: files.filter((file) => current.has(file)), replaced};
}

function isVersion({side, meta, path, pull}: RawFile): boolean {
  return side === "parcels" && meta?.url !== undefined && (pull !== undefined || fetchedName.test(path));
}

function addressOf({unit, meta, path, pull}: RawFile): string {
  return `${unit} ${meta!.url} ${pull === undefined ? path.replace(fetchedName, "") : ""}`;
}

function setsOf(files: readonly RawFile[]): FileSet[] {
  const sets = Map.groupBy(files, ({path, pull}) => pull?.folder ?? path);
  return [...sets].map(([path, own]) => ({path, files: own}));
}

function newestOf(sets: readonly FileSet[]): FileSet | null {
  const time = ({files, path}: FileSet) => `${files[0]!.retrievedAt} ${path}`;
  return sets.reduce<FileSet | null>(
    (best, set) => (best === null || time(set) > time(best) ? set : best),
    null,
  );
}

function isComplete({files}: FileSet): boolean {
  return files.every(({meta}) => meta?.complete === true);
}

function isPull({files}: FileSet): boolean {
  return files[0]!.pull !== undefined;
}
