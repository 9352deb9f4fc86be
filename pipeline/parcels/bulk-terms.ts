import {statementOf} from "../../lib/registry/terms.ts";
import type {CadastreSource, ParcelSource} from "../../schemas/parcel-source.ts";

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

type Source = ParcelSource | CadastreSource;

/** Gives the reason for which an entry or a layer may not be taken whole, or null; words that decide nothing are told apart from a no. */
export function refusalOfSource(source: Source): string | null {
  const refusal = refusalOfBulk(source);
  return refusal !== null && isStated(source.licence) && isUndecided(source)
    ? "its publisher's words say neither yes nor no: read them, then cattle sources allow"
    : refusal;
}

/** True where a person may decide that a source is taken whole: its publisher said neither yes nor no, or nothing. */
export function isUndecided(source: Source): boolean {
  return refusalOfBulk(source) !== null && (statementOf(source)?.who ?? "undecided") === "undecided";
}

/** True where a licence or the terms of a publisher are known. */
export function isStated(licence: string): boolean {
  return !/^(not stated|unknown\b)/i.test(licence.trim());
}
