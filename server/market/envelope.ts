import {leftOutLimitation, limitations, orderedLimitations} from "../../lib/limitations.ts";
import type {Answer, Call} from "../http/endpoint.ts";
import {Problem} from "../http/problem-document.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Keyed, RecordTable} from "../tables/record-tables.ts";
import type {ContextItem, Evidence} from "../tables/side-tables.ts";
import type {Page} from "./market-parameters.ts";

/** What an endpoint selected for a question: the page's records in order, as JSON texts, and its share of the envelope. */
export type Selection = {
  records: readonly {text: string; evidenceId: string | null}[];
  /** Number of matching records over all pages. */
  total: number;
  page: Page;
  /** The parameters as they were applied. */
  applied: Record<string, unknown>;
  resolution?: Record<string, unknown>;
  limitations?: readonly string[];
  /** True if the question's own kind of record has none, and `records` are of mandatory reports alone. */
  onlyMandatory?: boolean;
  /** `unresolved` when the ZIP is unknown, `missing` when the ZIP's own county has no record. */
  location?: "unresolved" | "missing" | undefined;
  lastKnown?: string | null;
  /** Place of the question of which the build holds no report, in words. */
  noReportHeld?: string | undefined;
  context?: readonly ContextItem[];
  /** Registry ids of data that the endpoint added to records, besides those of evidence and context. */
  extraSources?: readonly string[];
  /** Envelope members that only this endpoint has. */
  extra?: Record<string, unknown>;
  /** Makes the evidence of records that no file holds; null for another id. */
  evidenceOf?: (id: string) => Evidence | null;
  /** Gives the text by which the next page is asked, of the records before it. */
  nextCursor?: (offset: number) => string;
  /** Evidence for `extra`, listed before the evidence of the records. */
  extraEvidence?: readonly Evidence[];
};

/** Maximum characters of records and evidence in an answer; the server's limit for the whole answer is 8 MiB. */
const MAX_CHARACTERS = 6_000_000;

/** Returns the market part of the call's build. Throws a 503 if the build has none. */
export function marketOf(call: Call<unknown>): MarketArtifacts {
  const {market} = call.generation;
  if (market === null) throw new Problem("build-unavailable", "The served build holds no market data.");
  return market;
}

/** Returns one page of the selected records of a table; `textOf` may add members that depend on the question. */
export function pageOfRecords<Key>(
  table: RecordTable<Key>,
  keys: readonly Keyed<Key>[],
  page: Page,
  textOf = (key: Keyed<Key>) => table.record(key.row),
): Pick<Selection, "records" | "total" | "page"> {
  const recordOf = (key: Keyed<Key>) => ({text: textOf(key), evidenceId: table.evidenceId(key.row)});
  return pageWithMandatory(keys, recordOf, {page, lines: []});
}

/** Returns one page of the chosen rows, each made a record by `recordOf`, and of the lines of mandatory reports behind them. */
export function pageWithMandatory<Row>(
  rows: readonly Row[],
  recordOf: (row: Row) => Selection["records"][number],
  {page, lines}: {page: Page; lines: Selection["records"]},
): Pick<Selection, "records" | "total" | "page" | "onlyMandatory"> {
  const [from, to] = [page.offset, page.offset + page.limit];
  const behind = lines.slice(Math.max(0, from - rows.length), Math.max(0, to - rows.length));
  return {
    records: [...rows.slice(from, to).map(recordOf), ...behind],
    total: rows.length + lines.length,
    page,
    onlyMandatory: rows.length === 0 && lines.length > 0,
  };
}

/**
 * Writes the answer envelope of `docs/design/market.md` section 8. Record and evidence texts are joined verbatim as the build wrote them;
 * evidence shared by several records is listed once, with the first of them. Throws if a record names evidence that the build does not
 * have.
 */
export function marketAnswer(call: Call<unknown>, market: MarketArtifacts, selection: Selection): Answer {
  const {records, evidence: ofRecords, cut} = fitting(selection, market);
  const evidence = [...(selection.extraEvidence ?? []), ...ofRecords];
  const {generation} = call;
  const carried = (selection.context ?? []).map((item) => licensed(item, call.settings));
  const context = carried.filter((item) => item.text !== null);
  const dates = evidence.flatMap(({sourceDate}) => sourceDate ?? []).sort();
  const status = resultStatus(selection, cut);
  const sources = [
    ...new Set([
      ...evidence.flatMap(({sources}) => sources),
      ...context.map(({sourceId}) => sourceId),
      ...(selection.extraSources ?? []),
    ]),
  ].sort();
  const [leading, following] = inReadingOrder(selection.extra ?? {});
  const head = {
    ...leading,
    generated_at: generation.builtAt,
    source_date: dates.at(-1) ?? null,
    source_date_earliest: dates[0] ?? null,
    sources,
    limitations: limitationSentences(call, {...selection, context: carried}, {evidence, status}),
    build_id: generation.buildId,
    as_of_date: generation.asOf,
    query: {applied: selection.applied, ignored: call.ignored, resolution: selection.resolution ?? {}},
    result_status: status,
    ...(status === "no_rows" || selection.onlyMandatory
      ? {last_known_source_date: selection.lastKnown ?? null, no_report_held: selection.noReportHeld}
      : {}),
  };
  const {limit, offset} = selection.page;
  const after = offset + records.length;
  const truncated = after < selection.total;
  const next = selection.nextCursor;
  const page = {
    ...{returned: records.length, total: selection.total, limit, offset, truncated},
    ...(next === undefined ? {} : {next_cursor: truncated && records.length > 0 ? next(after) : null}),
  };
  return {
    body: joinedObject(head, {
      records: records.map(({text}) => text),
      ...following,
      ...(selection.page.evidence ? {evidence: evidence.map(({text}) => text)} : {}),
      context: context.map(({text}) => text),
      source_registry: market.sourceEntries(sources),
      page: JSON.stringify(page),
    }),
  };
}

/** Members that come before everything: the answer in figures, in the order in which it is read. */
const leadingMembers = ["summary", "summaries", "summary_reason", "barns"];

/** The members that only an endpoint has: those that answer the question, and as JSON texts those that follow the records. */
function inReadingOrder(
  extra: Record<string, unknown>,
): [leading: Record<string, unknown>, following: Record<string, string>] {
  const leading = leadingMembers.filter((name) => name in extra).map((name) => [name, extra[name]]);
  const following = Object.entries(extra)
    .filter(([name]) => !leadingMembers.includes(name))
    .map(([name, value]) => [name, JSON.stringify(value)]);
  return [Object.fromEntries(leading), Object.fromEntries(following)];
}

/** Futures settlements are only shown if both build and server are licensed; an unlicensed build has left them out already. */
function licensed(item: ContextItem, {CATTLE_FUTURES_LICENSED}: Call<unknown>["settings"]): ContextItem {
  if (item.text === null || item.sourceId !== "futures" || CATTLE_FUTURES_LICENSED) return item;
  return {signal: item.signal, text: null, ageDays: null};
}

function joinedObject(head: Record<string, unknown>, tail: Record<string, string | string[]>): string {
  const members = Object.entries(tail).map(
    ([name, text]) => `"${name}":${typeof text === "string" ? text : `[${text.join(",")}]`}`,
  );
  return `${JSON.stringify(head).slice(0, -1)},${members.join(",")}}`;
}

/** The records of the page that fit, with their evidence; `cut` if some had to be dropped. */
function fitting({records: all, page, evidenceOf}: Selection, market: MarketArtifacts) {
  const records: {text: string}[] = [];
  const evidence = new Map<string, Evidence>();
  let characters = 0;
  for (const record of all) {
    const found = evidenceToAdd(record.evidenceId, evidence, (id) => evidenceOf?.(id) ?? market.evidence(id));
    characters += record.text.length + (page.evidence ? (found?.text.length ?? 0) : 0);
    if (characters > MAX_CHARACTERS) return {records, evidence: [...evidence.values()], cut: true};
    if (found !== null && record.evidenceId !== null) evidence.set(record.evidenceId, found);
    records.push(record);
  }
  return {records, evidence: [...evidence.values()], cut: false};
}

function evidenceToAdd(
  id: string | null,
  known: ReadonlyMap<string, Evidence>,
  evidenceOf: (id: string) => Evidence | null,
): Evidence | null {
  if (id === null || known.has(id)) return null;
  const found = evidenceOf(id);
  if (found === null) throw new Error("a record names evidence that the build does not hold");
  return found;
}

/** A page beyond the last record is empty but still `ok`, because the question has records. */
function resultStatus({location, total, onlyMandatory}: Selection, cut: boolean): string {
  if (location === "unresolved") return "unresolved_location";
  if (total === 0) return "no_rows";
  return cut || onlyMandatory || location === "missing" ? "partial" : "ok";
}

function limitationSentences(
  call: Call<unknown>,
  selection: Selection,
  {evidence, status}: {evidence: readonly Evidence[]; status: string},
): string[] {
  const known = selection.lastKnown !== null && selection.lastKnown !== undefined;
  return orderedLimitations(
    [
      ...evidence.flatMap((item) => item.limitations),
      ...(selection.limitations ?? []),
      ...leftOutLimitations(selection.context ?? []),
      ...((status === "no_rows" || selection.onlyMandatory) && known ? [limitations.L20] : []),
      ...(call.oldBuild ? [limitations.L11] : []),
    ],
    call.generation.sample,
  );
}

/**
 * L24 with the youngest age per signal that was left out as stale and has no other item in the answer; L12 if a value was left out for lack
 * of a licence.
 */
function leftOutLimitations(context: readonly ContextItem[]): string[] {
  const shown = new Set(context.flatMap(({signal, text}) => (text === null ? [] : [signal])));
  const ages = new Map<string, number>();
  let unlicensed = false;
  for (const item of context) {
    if (item.text !== null) continue;
    if (item.ageDays === null) unlicensed = true;
    else if (!shown.has(item.signal))
      ages.set(item.signal, Math.min(item.ageDays, ages.get(item.signal) ?? item.ageDays));
  }
  const old = [...ages].map(([signal, ageDays]) => ({signal, ageDays}));
  return [...(old.length === 0 ? [] : [leftOutLimitation(old)]), ...(unlicensed ? [limitations.L12] : [])];
}
