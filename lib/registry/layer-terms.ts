import {existsSync} from "node:fs";
import {join} from "node:path";
import type {CadastreSource, ParcelSource} from "../../schemas/parcel-source.ts";
import {TermsDecisions, type TermsStatement, TermsStatements} from "../../schemas/terms.ts";
import {ConfigError} from "../errors.ts";
import {sourcesDir} from "../paths.ts";
import {readRegistryFile, shownPath} from "../reference/registry-file.ts";
import type {DataFolder} from "../storage/data-folder.ts";

/** The publishers' statements on their layers, by layer key. */
export type TermsByLayer = ReadonlyMap<string, TermsStatement>;

type Addressed = Pick<ParcelSource | CadastreSource, "id" | "url" | "cadastre" | "licence" | "terms">;

/** Licence text of an entry that states no terms. */
export const unstatedTerms = "not stated by the publisher";

const termsPath = join(sourcesDir, "terms.json");
let registered: TermsByLayer | undefined;

/**
 * The statements of a file; empty without the file. Throws a `ConfigError` when a layer has two statements.
 */
export function loadTerms(path = termsPath): TermsByLayer {
  const byLayer = new Map<string, TermsStatement>();
  for (const statement of existsSync(path) ? readRegistryFile(TermsStatements, path) : []) {
    for (const layer of statement.layers) {
      if (byLayer.has(layer)) throw new ConfigError(`${shownPath(path)}: ${layer}: has two statements.`);
      byLayer.set(layer, statement);
    }
  }
  return byLayer;
}

/** The URL of a source, or undefined; "set per edition" is not a URL. */
export function addressOf({url, cadastre}: Pick<Addressed, "url" | "cadastre">): string | undefined {
  const address = url ?? cadastre?.url;
  return address !== undefined && /^https?:\/\//.test(address) ? address : undefined;
}

/** What the publisher says about a source's layer; undefined when nobody has read anything. */
export function statementOf(
  source: Pick<Addressed, "url" | "cadastre">,
  terms?: TermsByLayer,
): TermsStatement | undefined {
  const address = addressOf(source);
  registered ??= loadTerms();
  return address === undefined ? undefined : (terms ?? registered).get(layerKey(address));
}

/**
 * Adds the publisher's statement about its layer to an entry, so that entries and layers with the same
 * address have the same terms. Without a statement the entry keeps its own. Throws a `ConfigError` for an
 * entry that has a licence although there is a statement.
 */
export function withTerms<Entry extends Addressed>(entry: Entry, terms?: TermsByLayer): Entry {
  const statement = statementOf(entry, terms);
  if (statement === undefined) return entry;
  if (entry.licence !== unstatedTerms)
    throw new ConfigError(
      `${entry.id}: licence: the terms of its layer stand in ${shownPath(termsPath)}; take the licence out of the entry.`,
    );
  const {words, page, read, who} = statement;
  return {...entry, licence: words, terms: {...entry.terms, bulk: who === "anyone", page, read}};
}

/** Replaces the publisher's terms by the operator's decision, if there is one. */
export function withDecision<Entry extends Addressed>(entry: Entry, decisions: TermsDecisions): Entry {
  const decision = decisions[entry.id];
  if (decision === undefined) return entry;
  const {licence, evidence: page, decided_at: read} = decision;
  return {...entry, licence, terms: {...entry.terms, bulk: true, page, read}};
}

/**
 * True when a source may be queried for a parcel: unless its publisher forbids automated queries and the
 * operator has not decided otherwise.
 */
export function mayBeQueried(
  source: Pick<Addressed, "id" | "url" | "cadastre">,
  decisions: TermsDecisions,
): boolean {
  return statementOf(source)?.onMiss !== false || decisions[source.id] !== undefined;
}

/**
 * The operator's decisions in a data folder; empty without the file. Throws a `ConfigError` that names the
 * field at fault.
 */
export function readDecisions({terms}: Pick<DataFolder, "terms">): TermsDecisions {
  return existsSync(terms) ? readRegistryFile(TermsDecisions, terms) : {};
}

/** Host and path of a URL; host names and ArcGIS paths are case-insensitive. */
function layerKey(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\?.*$/, "")
    .replace(/\/+$/, "");
}
