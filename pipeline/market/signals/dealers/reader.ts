import {UserError} from "../../../../lib/errors.ts";
import type {DealerCount, LicenceSource} from "../../../../schemas/list-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {textOf} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {type Listing, listingOf} from "../directory/listing.ts";
import type {ListRow} from "../lists/headed-rows.ts";
import type {ListContent} from "../lists/list-tables.ts";
import {readList, requireAccepted} from "../lists/read-list.ts";
import {readEach, reading, reject, type SignalReading} from "../reading.ts";

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

type LicenceInput = {
  readonly file: Pick<RawFile, "path" | "retrievedAt" | "meta">;
  readonly content: ListContent;
};

/**
 * Reads a state licence list by the map that fits it. Rows without a name or not current are rejected and never quoted. Throws as
 * `readList` does, and where nothing tells the state.
 */
export function readDealers({file, content}: LicenceInput, lists: readonly LicenceSource[]): DealerReading {
  const {path, retrievedAt, meta} = file;
  const read = readList(lists, file, content);
  const {list, rows, found} = read;
  const state = list.state ?? stateInName(path) ?? mostCommonState(rows);
  if (state === null)
    throw new UserError(`${path}: no state in the list's map, the file's name or a column.`);
  const scope = list.scope ?? scopeOf(path);
  const lines = readEach(
    rows,
    (row) => ({row, entry: entryOf(row, {list, state, scope, saysBond: found.has("bond")})}),
    {rawOf: () => null},
  );
  const {accepted, rejected} = lines;
  if (rows.length > 0) requireAccepted(read, {path, accepted: accepted.length, rejected: rejected.length});
  const markets = accepted.filter(({entry}) => list.barns && entry.countsAs === "licensed_markets");
  const entries = accepted.map(({entry}) => entry);
  const remark = rows.length === 0 ? `${path}: a list without rows` : null;
  const verifiedAt = meta?.verified_at ?? retrievedAt;
  return {
    ...reading({rejected, otherAccepted: entries.length, remark}),
    dealers: {path, list, state, scope, asOf: listDate(rows, path), retrievedAt, verifiedAt, entries},
    listings: readEach(markets, ({row}) => listingOf(row.fields, {state})).accepted,
    list,
  };
}

type EntrySetting = {list: LicenceSource; state: string; scope: string; saysBond: boolean};

/** One line as it is counted. The reason for which one is not quotes nothing of it. */
function entryOf({fields, fault}: ListRow, {list, state, scope, saysBond}: EntrySetting): DealerEntry {
  if (fault !== null) reject(fault.reason, fault.detail);
  const name = entityName(fields.name ?? "");
  if (name === "") reject("no_name", "a line without a name");
  const status = textOf(fields.status);
  if (/\b(expired|revoked|inactive|suspended|cancell?ed|lapsed|closed|denied|void)\b/i.test(status ?? ""))
    reject("not_current", `status ${status}`);
  const type = textOf(fields.licence_type);
  const known = list.licenceTypes.find(({words}) => new RegExp(words, "iu").test(type ?? scope));
  const bonded = !/^(|no|n|false|0|\$?0(\.0+)?)$/i.test(textOf(fields.bond) ?? "");
  return {
    name,
    state: stateCode(textOf(fields.state)) ?? state,
    type,
    countsAs: known?.countsAs ?? "other",
    bonded: saysBond ? bonded : null,
  };
}

/** `ok_livestock_dealers_2026-07.csv` and `us-ok-…`: two letters at the beginning that are a state. */
function stateInName(path: string): string | null {
  const letters = path
    .split("/")
    .slice(2)
    .map((part) => stateCode(/^(?:us[-_])?([a-z]{2})(?=[-_. ]|$)/i.exec(part)?.[1] ?? null));
  return letters.find((state) => state !== null) ?? null;
}

/** The state of all lines, where there is one: lists have licensees from elsewhere, so one state must have most of them. */
function mostCommonState(rows: readonly ListRow[]): string | null {
  const states = rows.map(({fields}) => stateCode(textOf(fields.state)));
  return states.find((state) => 2 * states.filter((other) => other === state).length > rows.length) ?? null;
}

/** The list's own date: a column's latest, else a date in the file's name; never the day of the fetch. */
function listDate(rows: readonly ListRow[], path: string): string | null {
  const dates = rows.flatMap(({fields}) => dateFrom(textOf(fields.list_as_of)) ?? []);
  const named = /(\d{4}-\d{2}-\d{2})[^/]*$/.exec(path)?.[1];
  return dates.sort().at(-1) ?? dateFrom(named ?? null);
}

/** The scope of a list, from the file's name without state, date and ending: `livestock dealers`. */
function scopeOf(path: string): string {
  const words = path
    .replace(/^.*\//, "")
    .replace(/(\.(csv|json|tsv|txt|parquet|gz|zip|xls[xm]|html?|pdf))+$/i, "")
    .replace(/^(?:us[-_])?[a-z]{2}[-_ ]/i, "")
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
