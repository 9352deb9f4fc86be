/** A source of a record, with the newest vintage of what it gave. */
export type UsedSource = {
  readonly id: string;
  /** `YYYY-MM-DD` or `YYYY`; empty where none is known. */
  readonly vintage: string;
  /** True where the source states no vintage, so that this is the day of its retrieval. */
  readonly isRetrieval: boolean;
};

/**
 * Gives each source once, by id, with its newest vintage: the day of a retrieval counts only where the source states no vintage for
 * any of its facts (`docs/design/parcels.md` section 2.3).
 */
export function newestOfSources(used: Iterable<UsedSource>): UsedSource[] {
  const newest = new Map<string, UsedSource>();
  for (const each of used) {
    const known = newest.get(each.id);
    if (known === undefined || isNewer(each, known)) newest.set(each.id, each);
  }
  return [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Gives the newest vintage of several sources by the same rule; undefined without any. */
export function newestVintage(used: readonly UsedSource[]): string | undefined {
  return newestOfSources(used.map((each) => ({...each, id: ""})))[0]?.vintage;
}

/** Says whether a vintage is the better one to tell of a source: one that the source states, then the later one. */
function isNewer(one: UsedSource, other: UsedSource): boolean {
  if (one.isRetrieval !== other.isRetrieval) return other.isRetrieval;
  return one.vintage > other.vintage;
}
