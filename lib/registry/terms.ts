import {existsSync} from "node:fs";
import {join} from "node:path";
import type {CadastreSource, ParcelSource} from "../../schemas/parcel-source.ts";
import {TermsDecisions, type TermsStatement, TermsStatements} from "../../schemas/terms.ts";
import {ConfigError} from "../errors.ts";
import {sourcesDir} from "../paths.ts";
import type {DataFolder} from "../storage/data-folder.ts";
import {readRegistryFile, shownPath} from "./registry-file.ts";

/** The publishers' own words on their layers, by the key of a layer's address. */
export type TermsByLayer = ReadonlyMap<string, TermsStatement>;

type Addressed = Pick<ParcelSource | CadastreSource, "id" | "url" | "cadastre" | "licence" | "terms">;

/** The words of an entry that states no terms itself. */
export const unstatedTerms = "not stated by the publisher";

const termsPath = join(sourcesDir, "terms.json");
let registered: TermsByLayer | undefined;

/** The statements of a file; none without the file. Throws a `ConfigError` for a layer that has two. */
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

/** The address at which a source is asked, or undefined: what is "set per edition" is none. */
export function addressOf({url, cadastre}: Pick<Addressed, "url" | "cadastre">): string | undefined {
  const address = url ?? cadastre?.url;
  return address !== undefined && /^https?:\/\//.test(address) ? address : undefined;
}

/** What the publisher says of a source's layer; undefined where nobody has read anything. */
export function statementOf(
  source: Pick<Addressed, "url" | "cadastre">,
  terms?: TermsByLayer,
): TermsStatement | undefined {
  const address = addressOf(source);
  registered ??= loadTerms();
  return address === undefined ? undefined : (terms ?? registered).get(layerKey(address));
}

/**
 * Gives an entry with the words about its layer and where they were read, so that entries and layers of one address have the same terms.
 * Without a statement the entry keeps its own. Throws a `ConfigError` for an entry that repeats what the statement says.
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

/** Gives an entry with the operator's decision in place of what its publisher says; the entry itself where there is none. */
export function withDecision<Entry extends Addressed>(entry: Entry, decisions: TermsDecisions): Entry {
  const decision = decisions[entry.id];
  if (decision === undefined) return entry;
  const {licence, evidence: page, decided_at: read} = decision;
  return {...entry, licence, terms: {...entry.terms, bulk: true, page, read}};
}

/** True where a source may be asked for a parcel: unless its publisher forbids programs to ask, and the operator has not decided. */
export function mayBeAsked(
  source: Pick<Addressed, "id" | "url" | "cadastre">,
  decisions: TermsDecisions,
): boolean {
  return statementOf(source)?.onMiss !== false || decisions[source.id] !== undefined;
}

/** The operator's decisions in a data folder; none without the file. Throws a `ConfigError` that names the field of a fault. */
export function readDecisions({terms}: Pick<DataFolder, "terms">): TermsDecisions {
  return existsSync(terms) ? readRegistryFile(TermsDecisions, terms) : {};
}

/** Hosts and the paths of ArcGIS make no difference between small and capital letters. */
function layerKey(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
}
