import {UserError} from "../../../../lib/errors.ts";
import type {DealerCount, LicenceSource} from "../../../../schemas/list-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {textOf} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {type Listing, listingOf} from "../directory/listing.ts";
import type {ListRow} from "../lists/headed-rows.ts";
import type {ListContent} from "../lists/list-tables.ts";
import {type ReadList, readList, requireAccepted} from "../lists/read-list.ts";
import {type RejectedRow, reading, type SignalReading} from "../reading.ts";

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
  readonly list: LicenceSource;
  readonly state: string;
  readonly scope: string;
  readonly asOf: string | null;
  readonly retrievedAt: string;
  readonly verifiedAt: string;
  readonly entries: readonly DealerEntry[];
};

/** A licence list: what is counted, and what a list with `barns` says of its licensed markets. */
export type DealerReading = SignalReading & {
  readonly dealers: DealerFile;
  readonly listings: readonly Listing[];
  readonly list: LicenceSource;
};

type DealerFacts = Pick<RawFile, "path" | "retrievedAt" | "meta">;
type LicenceInput = {readonly file: DealerFacts; readonly content: ListContent};

/**
 * Reads a state licence list by the map that fits it. Rows without a name or not current are rejected and never quoted. Throws as
 * `readList` does, and where nothing tells the state.
 */
export function readDealers({file, content}: LicenceInput, lists: readonly LicenceSource[]): DealerReading {
  const read = readList(lists, file, content);
  const {list} = read;
  const states = read.rows.map(({fields}) => fields.state);
  const state = list.state ?? stateInName(file) ?? mostCommonState(states);
  if (state === null)
    throw new UserError(`${file.path}: no state in the list's map, the file's name or a column.`);
  const scope = list.scope ?? scopeOf(file);
  const {entries, rejected, listings} = entriesOf(read, {state, scope, saysBond: read.found.has("bond")});
  const {retrievedAt, meta, path} = file;
  if (read.rows.length > 0)
    requireAccepted(read, {path, accepted: entries.length, rejected: rejected.length});
  const asOf = listDate(read.rows, file);
  const verifiedAt = meta?.verified_at ?? retrievedAt;
  const remark = read.rows.length === 0 ? `${path}: a list without rows` : null;
  return {
    ...reading({rejected, otherAccepted: entries.length, remark}),
    dealers: {path, list, state, scope, asOf, retrievedAt, verifiedAt, entries},
    listings,
    list,
  };
}

type Setting = {readonly state: string; readonly scope: string; readonly saysBond: boolean};

function entriesOf({rows, list}: ReadList<LicenceSource>, setting: Setting) {
  const entries: DealerEntry[] = [];
  const rejected: RejectedRow[] = [];
  const listings: Listing[] = [];
  for (const [index, row] of rows.entries()) {
    const fault = faultOf(row);
    if (fault !== null) {
      rejected.push({...fault, ordinal: index + 1, raw: null});
      continue;
    }
    const entry = entryOf(row.fields, list, setting);
    entries.push(entry);
    const listing =
      list.barns && entry.countsAs === "licensed_markets" ? listingOf(row.fields, setting) : null;
    if (listing !== null && !("reject" in listing)) listings.push(listing);
  }
  return {entries, rejected, listings};
}

/** The reason for which a line is not counted. It quotes nothing of the line. */
function faultOf({fields, fault}: ListRow): Pick<RejectedRow, "reason" | "detail"> | null {
  if (fault !== null) return fault;
  if (entityName(fields.name ?? "") === "") return {reason: "no_name", detail: "a line without a name"};
  const status = textOf(fields.status);
  if (status === null || isCurrent(status)) return null;
  return {reason: "not_current", detail: `status ${status}`};
}

/** One line as it is counted. */
function entryOf(
  fields: ListRow["fields"],
  list: LicenceSource,
  {state, scope, saysBond}: Setting,
): DealerEntry {
  const type = textOf(fields.licence_type);
  return {
    name: entityName(fields.name ?? ""),
    state: stateCode(textOf(fields.state)) ?? state,
    type,
    countsAs: countOf(list, type ?? scope),
    bonded: !saysBond ? null : isBonded(textOf(fields.bond)),
  };
}

function countOf(list: LicenceSource, words: string): DealerCount {
  return list.licenceTypes.find((type) => new RegExp(type.words, "iu").test(words))?.countsAs ?? "other";
}

function isCurrent(status: string): boolean {
  return !/\b(expired|revoked|inactive|suspended|cancell?ed|lapsed|closed|denied|void)\b/i.test(status);
}

function isBonded(text: string | null): boolean {
  return text !== null && !/^(no|n|false|0|\$?0(\.0+)?)$/i.test(text);
}

/** `ok_livestock_dealers_2026-07.csv` and `us-ok-…`: two letters at the beginning that are a state. */
function stateInName({path}: DealerFacts): string | null {
  for (const part of path.split("/").slice(2)) {
    const letters = /^(?:us[-_])?([a-z]{2})(?=[-_. ]|$)/i.exec(part)?.[1];
    const state = stateCode(letters ?? null);
    if (state !== null) return state;
  }
  return null;
}

/** The state of all lines, where there is one: lists have licensees from elsewhere, so one state must have most of them. */
function mostCommonState(states: readonly (string | undefined)[]): string | null {
  const found = states.flatMap((state) => stateCode(textOf(state)) ?? []);
  const byState = [...Map.groupBy(found, (state) => state)].sort((a, b) => b[1].length - a[1].length);
  const [first] = byState;
  return first !== undefined && first[1].length * 2 > states.length ? first[0] : null;
}

/** The list's own date: a column's latest, else a date in the file's name; never the day of the fetch. */
function listDate(rows: readonly ListRow[], {path}: DealerFacts): string | null {
  const dates = rows.flatMap(({fields}) => dateFrom(textOf(fields.list_as_of)) ?? []);
  const named = /(\d{4}-\d{2}-\d{2})/.exec(path.split("/").at(-1) ?? "")?.[1];
  return dates.sort().at(-1) ?? dateFrom(named ?? null);
}

/** The scope of a list, from the file's name without state, date and ending: `livestock dealers`. */
function scopeOf({path}: DealerFacts): string {
  const name = (path.split("/").at(-1) ?? "").replace(
    /(\.(csv|json|tsv|txt|parquet|gz|zip|xls[xm]|html?|pdf))+$/i,
    "",
  );
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
