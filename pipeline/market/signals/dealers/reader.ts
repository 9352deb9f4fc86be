import {UserError} from "../../../../lib/errors.ts";
import type {DealerCount, DealerList} from "../../../../schemas/dealer-list.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {foldName, isObject, type Json, objectsOf, textOf} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {type RejectedRow, reading, type SignalInput, type SignalReading} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {dealerListOf} from "./dealer-lists.ts";

/** One line of a licence list. The name is for counting only and leaves this folder in no form. */
type DealerEntry = {
  readonly name: string;
  readonly state: string;
  readonly type: string | null;
  readonly countsAs: DealerCount;
  readonly bonded: boolean | null;
};

/** One list as one file gives it. */
export type DealerFile = {
  readonly path: string;
  readonly list: DealerList;
  readonly state: string;
  readonly scope: string;
  readonly asOf: string | null;
  readonly retrievedAt: string;
  readonly verifiedAt: string;
  readonly entries: readonly DealerEntry[];
};

export type DealerReading = SignalReading & {readonly dealers: DealerFile};

/** Reads a state licence list by its declared columns. Rows without a name or not current are rejected and never quoted. */
export function readDealers({file, content}: SignalInput, lists: readonly DealerList[]): DealerReading {
  const list = dealerListOf(lists, file.path);
  if (list === undefined)
    throw new UserError(`${file.path}: no list in data/sources/dealers is for this file.`);
  const rows = rowsOf(file, content);
  const columns = chosenColumns(list, Object.keys(rows[0] ?? {}));
  if (columns.name === undefined) {
    throw new UserError(
      `${file.path}: columns ${Object.keys(rows[0] ?? {}).join(", ") || "none"}; expected one of ${list.columns.name.join(", ")} (${list.id}).`,
    );
  }
  const state = list.state ?? stateInName(file) ?? mostCommonState(rows, columns.state);
  if (state === null)
    throw new UserError(`${file.path}: no state in the list's entry, the file's name or a column.`);
  const {entries, rejected} = entriesOf(rows, {list, columns, state, file});
  const asOf = listDate(rows, columns.list_as_of, file);
  const scope = list.list_scope ?? scopeOf(file);
  const {retrievedAt, meta, path} = file;
  const verifiedAt = meta?.verified_at ?? retrievedAt;
  return {
    ...reading({
      rejected,
      otherAccepted: entries.length,
      remark: rows.length === 0 ? `${path}: a list without rows` : null,
    }),
    dealers: {path, list, state, scope, asOf, retrievedAt, verifiedAt, entries},
  };
}

type Columns = Partial<Record<keyof DealerList["columns"], string>>;

function rowsOf(file: RawFile, content: SignalInput["content"]): readonly Json[] {
  if (content.kind === "text") return tableRows(file, content.text);
  if (content.kind === "parquet") return content.records;
  if (content.kind === "xml") throw new UserError(`${file.path}: XML came; a table was expected.`);
  const list = isObject(content.body) ? Object.values(content.body).find(Array.isArray) : content.body;
  return objectsOf(list);
}

function chosenColumns(list: DealerList, names: readonly string[]): Columns {
  const chosen: Columns = {};
  for (const [field, wanted] of Object.entries(list.columns) as [keyof Columns, string[]][]) {
    const found = wanted
      .map((name) => names.find((candidate) => foldName(candidate) === foldName(name)))
      .find((name) => name !== undefined);
    if (found !== undefined) chosen[field] = found;
  }
  return chosen;
}

type EntryInput = {list: DealerList; columns: Columns; state: string; file: RawFile};

function entriesOf(rows: readonly Json[], {list, columns, state, file}: EntryInput) {
  const entries: DealerEntry[] = [];
  const rejected: RejectedRow[] = [];
  const text = (row: Json, column: string | undefined) => (column === undefined ? null : textOf(row[column]));
  for (const [index, row] of rows.entries()) {
    const name = entityName(text(row, columns.name) ?? "");
    const status = text(row, columns.status);
    if (name === "" || (status !== null && !isCurrent(status))) {
      const reason = name === "" ? "no_name" : "not_current";
      const detail = name === "" ? "a line without a name" : `status ${status}`;
      rejected.push({reason, detail, ordinal: index + 1, raw: null});
      continue;
    }
    const type = text(row, columns.licence_type);
    entries.push({
      name,
      state: stateCode(text(row, columns.state)) ?? state,
      type,
      countsAs: countOf(list, type ?? scopeOf(file)),
      bonded: columns.bond === undefined ? null : isBonded(text(row, columns.bond)),
    });
  }
  return {entries, rejected};
}

function countOf(list: DealerList, words: string): DealerCount {
  return list.licence_types.find((type) => new RegExp(type.words, "i").test(words))?.counts_as ?? "other";
}

function isCurrent(status: string): boolean {
  return !/\b(expired|revoked|inactive|suspended|cancell?ed|lapsed|closed|denied|void)\b/i.test(status);
}

function isBonded(text: string | null): boolean {
  return text !== null && !/^(no|n|false|0|\$?0(\.0+)?)$/i.test(text);
}

/** `ok_livestock_dealers_2026-07.csv` and `us-ok-…`: two letters at the beginning that are a state. */
function stateInName({path}: RawFile): string | null {
  for (const part of path.split("/").slice(2)) {
    const letters = /^(?:us[-_])?([a-z]{2})(?=[-_. ]|$)/i.exec(part)?.[1];
    const state = stateCode(letters ?? null);
    if (state !== null) return state;
  }
  return null;
}

/** The state of all lines, where there is one: lists have licensees from elsewhere, so one state must have most of them. */
function mostCommonState(rows: readonly Json[], column: string | undefined): string | null {
  const found = column === undefined ? [] : rows.flatMap((row) => stateCode(textOf(row[column])) ?? []);
  const byState = [...Map.groupBy(found, (state) => state)].sort((a, b) => b[1].length - a[1].length);
  const [first] = byState;
  return first !== undefined && first[1].length * 2 > rows.length ? first[0] : null;
}

/** The list's own date: a column's latest, else a date in the file's name; never the day of the fetch. */
function listDate(rows: readonly Json[], column: string | undefined, {path}: RawFile): string | null {
  const dates = column === undefined ? [] : rows.flatMap((row) => dateFrom(textOf(row[column])) ?? []);
  const named = /(\d{4}-\d{2}-\d{2})/.exec(path.split("/").at(-1) ?? "")?.[1];
  return dates.sort().at(-1) ?? dateFrom(named ?? null);
}

/** The scope of a list, from the file's name without state, date and ending: `livestock dealers`. */
function scopeOf({path}: RawFile): string {
  const name = (path.split("/").at(-1) ?? "").replace(/(\.(csv|json|tsv|txt|parquet|gz|zip))+$/i, "");
  const words = name
    .replace(/^(?:us[-_])?[a-z]{2}[-_ ]/i, "")
    .replace(/\d{4}(-\d{2}(-\d{2})?)?/g, "")
    .replaceAll(/[^a-zA-Z]+/g, " ")
    .trim()
    .toLowerCase();
  return words === "" ? "licence list" : words;
}

/** A firm's name in the form in which lines are counted as one: letters and digits, without legal forms and `dba` names. */
function entityName(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f'’.]/g, "")
    .toLowerCase()
    .replace(/\b(d\/?b\/?a|doing business as)\b.*$/, "")
    .replaceAll("&", " and ")
    .replaceAll(/[^a-z0-9]+/g, " ")
    .replaceAll(/\b(llc|inc|incorporated|co|company|corp|corporation|ltd|lp|llp|the)\b/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
