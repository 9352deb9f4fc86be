/** The terms of a source as its entry, a layer of the cadastre registry or the manifest of a build holds them. */
type Terms = {readonly licence: string; readonly terms: {readonly bulk: boolean}};

/**
 * Gives the reason for which a source may not be taken whole, or null where it may. Terms decide, for entries and for layers of the
 * cadastre registry alike: a publisher that states none has allowed nothing (`docs/design/fetching.md` section 3).
 */
export function refusalOfBulk({licence, terms}: Terms): string | null {
  if (!isStated(licence)) return "its publisher states no terms: read them, then cattle sources allow";
  return terms.bulk ? null : 'its terms do not allow to take the whole ("bulk": false)';
}

/** True where a licence or the terms of a publisher are known. */
export function isStated(licence: string): boolean {
  return !/^(not stated|unknown\b)/i.test(licence.trim());
}
