import {countWords} from "../../../lib/counts.ts";
import {ageDays} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import {type AnswerContext, evidenceOf, sortedUnique} from "../../../lib/market/evidence.ts";
import {directoryConfidence} from "../../../lib/market/price-confidence.ts";
import {value} from "../../../lib/models/model.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import type {DealerCount} from "../../../schemas/list-source.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {dealerFields} from "../../../schemas/market-fields/dealer.ts";
import {recordText} from "../../../schemas/market-fields/market-field.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import type {DealerStats} from "../../../schemas/market-records.ts";
import {slug} from "../documents/json-values.ts";
import {citedSource, type DealerFile, listFiles} from "../signals/lists/list-reader.ts";
import {answerContext} from "./answer-context.ts";
import {changeStatusOf, type PreviousRecord, previousRecords, valueHashOf} from "./drafts.ts";
import {previous_dealers} from "./previous-build.ts";

/** A record of `/dealers/stats` with its key and hash for the next build's comparison, and its evidence. */
export type DealerRecord = {row: DealerStats & {record_key: string; value_hash: string}; evidence: Evidence};

/**
 * Counts from the newest list of each (state, scope), in that order, of a federal list for each state, with the change against the previous build. Only counts
 * are published, never a name. A model that asks for them reads `previous_dealers`.
 */
export const dealerRecords = value<readonly DealerRecord[]>("records of licence lists", async (run) => {
  const lists = await run.value(listFiles);
  const context = await run.value(answerContext);
  const previous = await previousRecords(run, previous_dealers);
  const newest = newestLists(lists.flatMap(({reading}) => reading.dealers ?? []));
  const withList = new Set(newest.flatMap(({list, state}) => (list.federal ? [] : state))).size;
  return newest.flatMap(ofEachState).map((file) => dealerRecord(file, withList, context, previous));
});

/** The counts, as they are served. */
export const dealers = recordModel({
  name: "dealers",
  reads: [previous_dealers],
  columns: marketFiles.dealers.columns,
  more: {record: recordText(dealerFields, "dealer")},
  rows: async (run) => (await run.value(dealerRecords)).map(({row}) => row),
});

/** Paths of lists that a newer list of the same state and scope replaces. */
export function supersededLists(files: readonly DealerFile[]): Set<string> {
  const newest = new Set(newestLists(files));
  return new Set(files.filter((file) => !newest.has(file)).map(({path}) => path));
}

function newestLists(files: readonly DealerFile[]): DealerFile[] {
  const order = (file: DealerFile) => `${file.asOf ?? ""} ${file.retrievedAt} ${file.path}`;
  const groups = Map.groupBy(files, ({state, scope}) => `${state}|${scope}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group.reduce((newest, file) => (order(file) > order(newest) ? file : newest)));
}

/** A federal list as one list for each state of its registrants, by state; any other list as it is. */
function ofEachState(file: DealerFile): DealerFile[] {
  if (!file.list.federal) return [file];
  const groups = [...Map.groupBy(file.entries, ({state}) => state)];
  return groups.sort(([a], [b]) => (a < b ? -1 : 1)).map(([state, entries]) => ({...file, state, entries}));
}

/** Number of US states, which the claim relates to those with a list. */
const states = 50;

function dealerRecord(
  file: DealerFile,
  withList: number,
  context: AnswerContext,
  previous: ReadonlyMap<string, PreviousRecord>,
): DealerRecord {
  const {state, scope, asOf, list} = file;
  const counts = countsOf(file);
  const licence_types = sortedUnique(file.entries.flatMap(({type}) => type ?? []));
  const record_key = `${state}|${scope}|${asOf ?? "undated"}`;
  const value_hash = valueHashOf({...counts, licence_types, list_as_of: asOf});
  const status = changeStatusOf(previous.get(record_key), value_hash);
  const id = `dl-${state.toLowerCase()}-${slug(scope)}`;
  // As in other directory claims, recency counts from the last check; a list without its own date has none.
  const age = asOf === null ? null : Math.max(0, ageDays(file.verifiedAt.slice(0, 10), context.asOf));
  const dated = asOf === null ? "without a date" : `dated ${asOf}`;
  const row: DealerRecord["row"] = {
    state,
    list_authority: list.publisher,
    list_scope: scope,
    list_as_of: asOf,
    licence_types,
    ...counts,
    deduplicated: true,
    states_with_list: withList,
    states_in_all: states,
    url: list.url,
    change_status: status,
    evidence_id: id,
    record_key,
    value_hash,
  };
  // A federal registration is no licence.
  const standing = list.federal ? "registered as dealers" : "with a dealer's licence";
  const dealers =
    counts.licensed_dealers === null ? "" : ` (${countWords(counts.licensed_dealers)} ${standing})`;
  const countedBy = {counted_by: ["normalised name", "state"], list: list.id, states_with_list: withList};
  const evidence = evidenceOf(context, {
    id,
    kind: "count",
    claim: `The public ${list.federal ? "federal list of registrants in" : "licence list of state"} ${state} (${scope}) ${dated} names ${countWords(counts.total_entities)} entities${dealers}; ${withList} of the ${states} states ${withList === 1 ? "has" : "have"} a list in this build.`,
    entities: [`state:${state}`],
    sources: [citedSource(list), "derived-aggregates"],
    sourceDate: asOf,
    ingestedAt: file.retrievedAt,
    verifiedAt: file.verifiedAt,
    transformation: {
      method: "count",
      rules: ["directory"],
      inputs: [file.path],
      parameters: {...countedBy, states, as_of_date: context.asOf},
    },
    confidence: directoryConfidence(age, false, 0.9),
    limitations: [limitations.L15],
    implication: `A list of ${asOf ?? "no stated date"} with ${countWords(counts.total_entities)} entities: look a firm up in the ${list.federal ? "federal" : state} list itself (${list.url ?? list.id}) before relying on its registration.`,
    contradictions: null,
    changeStatus: status,
  });
  return {row, evidence};
}

/** Counts by kind; null, not 0, for a kind that the list does not have. */
function countsOf({entries}: DealerFile) {
  const distinct = (chosen: DealerFile["entries"]) =>
    new Set(chosen.map(({name, state}) => `${name}|${state}`)).size;
  const of = (kind: DealerCount) => distinct(entries.filter(({countsAs}) => countsAs === kind)) || null;
  const saysBond = entries.some(({bonded}) => bonded !== null);
  return {
    licensed_dealers: of("licensed_dealers"),
    licensed_market_agencies: of("licensed_market_agencies"),
    licensed_markets: of("licensed_markets"),
    bonded: saysBond ? distinct(entries.filter(({bonded}) => bonded === true)) : null,
    other: of("other"),
    total_entities: distinct(entries),
  };
}
