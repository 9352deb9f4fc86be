import type {ParcelRow} from "../parcel-row.ts";
import type {FactText} from "./fact-text.ts";
import {type WireProvenance, wireProvenance} from "./provenance.ts";
import type {RecordContext} from "./record-context.ts";
import type {SourceRegistry} from "./source-facts.ts";

/** The provenance of a record, its JSON text, and whether the vintage of a fact is only the day of retrieval. */
export type SharedProvenance = {
  readonly provenance: WireProvenance;
  readonly json: string;
  readonly onlyRetrieved: boolean;
};

type Kinds = {readonly sources: SourceRegistry; readonly known: Map<string, SharedProvenance>};

/** Kinds of records of one origin in memory at once: a state has some hundred. */
const mostKinds = 5_000;
/** By where the rows come from: they go with the files of a build. */
const kinds = new WeakMap<ParcelRow["provenance"], Kinds>();

/**
 * `wireProvenance` of a record, made once for all records whose facts come about in the same way: millions of rows have a few hundred
 * kinds. The object is shared and not to be changed.
 */
export function sharedProvenance(record: FactText, row: ParcelRow, context: RecordContext): SharedProvenance {
  const key = kindKey(record, row, context);
  if (key === null) return made(record, row, context);
  const known = kindsOf(row, context);
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= mostKinds) known.clear();
  const fresh = made(record, row, context);
  known.set(key, fresh);
  return fresh;
}

function made(record: FactText, row: ParcelRow, context: RecordContext): SharedProvenance {
  const names = Object.keys(JSON.parse(`{${record.json.slice(0, -1)}}`));
  const provenance = wireProvenance(names, row, context);
  const vintages = [provenance.default, ...Object.values(provenance.fields)];
  const onlyRetrieved = vintages.some(({vintageBasis}) => vintageBasis === "retrieved");
  return {provenance, json: JSON.stringify(provenance), onlyRetrieved};
}

function kindsOf({provenance}: ParcelRow, {sources}: RecordContext): Map<string, SharedProvenance> {
  const found = kinds.get(provenance);
  if (found?.sources === sources) return found.known;
  const known = new Map<string, SharedProvenance>();
  kinds.set(provenance, {sources, known});
  return known;
}

/** All that the provenance of a record of one origin follows from, as text; null for a row with an address of its own. */
function kindKey(record: FactText, row: ParcelRow, {asOf}: RecordContext): string | null {
  if (row.text("source_url") !== null) return null;
  const flags = row.list("flags");
  const category = row.text("land_use_category") === null ? null : row.number("land_use_confidence");
  return `${asOf} ${record.kind()} ${row.text("point_method")} ${row.text("acres_basis")} ${category} ${flags.length === 0 ? "" : flags.join()}`;
}
