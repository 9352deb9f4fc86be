import {dateFrom} from "@open-cattle/usda-reports";
import {textOf} from "@open-cattle/usda-reports/values";
import {UserError} from "../../../../lib/errors.ts";
import {usStateCode} from "../../../../lib/geography/states.ts";
import {value} from "../../../../lib/models/model.ts";
import type {LicenceSource, ListSource} from "../../../../schemas/list-source.ts";
import type {MarketSourceId} from "../../../../schemas/market-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {readEach, reject, type SignalReading} from "../reading.ts";
import type {ListRow} from "./headed-rows.ts";
import type {ListContent} from "./list-tables.ts";
import {type Listing, listingOf} from "./listing.ts";
import {type ReadList, readList, requireAccepted} from "./read-list.ts";

/** One licence list in one file. */
export type DealerFile = Licences & {readonly entries: readonly ReturnType<typeof entryOf>[]};

/**
 * A list of firms: the entries that a licence list counts, and the sale barns of a roster, or of the licensed markets in a list
 * with `barns`.
 */
export type ListReading = SignalReading & {
  readonly list: ListSource;
  readonly dealers: DealerFile | null;
  readonly listings: readonly Listing[];
};

/** A raw file and its list. */
export type ListFile = {readonly file: RawFile; readonly reading: ListReading};

/** The lists that were read. */
export const listFiles = value<readonly ListFile[]>("lists of firms");

/** The registry id that facts of a list cite; licence lists cite the state pages. */
export function citedSource(list: ListSource): MarketSourceId {
  if (list.feed !== "dealers") return list.source;
  return list.federal ? "ams-lmr-datamart" : "state-agriculture-reference-pages";
}

type ListInput = {
  readonly file: Pick<RawFile, "path" | "feedOrEntryId" | "retrievedAt" | "meta">;
  readonly content: ListContent;
};

/**
 * Reads a roster of sale barns or a state licence list with the map that fits it. Rejects lines of other goods, without a name,
 * or not current; rejects of a licence list are never quoted. Throws as `readList` does, and if nothing states the state of
 * licences. Federal registrants whose name may be a person's are rejected, because such a name must not become that of a venue.
 */
export function readListFile({file, content}: ListInput, lists: readonly ListSource[]): ListReading {
  const listReading = readList(
    lists.filter((each) => each.feed === file.feedOrEntryId && isTitled(each, file, content)),
    file,
    content,
  );
  const {list, rows} = listReading;
  const {path} = file;
  const licences = list.feed === "dealers" ? licencesOf(list, file, listReading) : null;
  const {accepted, rejected} = readEach(
    rows,
    ({fields, fault}) => {
      if (fault !== null) reject(fault.reason, fault.detail);
      if (licences === null) {
        const listing = listingOf(fields, list);
        if (list.feed === "psd" && !businessWord.test(listing.name))
          reject("no_business_name", "a name without a word of business");
        return {listings: [listing]};
      }
      const entry = entryOf(fields, licences);
      const isBarn = licences.list.barns && entry.countsAs === "licensed_markets";
      return {
        entry,
        listings: isBarn
          ? readEach(
              [fields],
              (line) => listingOf(line, licences),
              () => null,
            ).accepted
          : [],
      };
    },
    ({raw}) => (list.feed === "directory" ? raw : null),
  );
  if (rows.length > 0)
    requireAccepted(listReading, {path, accepted: accepted.length, rejected: rejected.length});
  const listings = accepted.flatMap(({listings: own}) => own);
  const odd = licences === null ? listings.filter(({isPointOdd}) => isPointOdd).length : 0;
  const remark =
    rows.length > 0 ? null : `${path}: a ${licences === null ? "roster without lines" : "list without rows"}`;
  const notes: Record<string, number> = odd === 0 ? {} : {point_outside: odd};
  return {
    ...{table: null, rows: [], rejected, merged: 0, otherAccepted: accepted.length, notes, remark},
    list,
    dealers: licences && {...licences, entries: accepted.flatMap(({entry}) => entry ?? [])},
    listings,
  };
}

/** Words of which one is in the name of a business, and hardly in that of a person. */
const businessWord =
  /\b(livestock|auctions?|stock ?yards?|markets?|marketing|commission|sales?|barn|cattle|exchange|yards?|producers|co-?op|cooperative|association|company|inc|llc|l\.l\.c|corp|ltd|video|center|pavilion)\b/i;

/** True if a file has the title of a list, in its name or its first lines; if it is in the list's folder, or the list has no title. */
function isTitled(
  {id, titled}: ListSource,
  {path}: ListInput["file"],
  {lines, tables}: ListContent,
): boolean {
  if (titled === undefined || path.split("/").includes(id)) return true;
  const rows = tables
    .flatMap((table) => table.lines.slice(0, 6))
    .map((row) => row.map(({text}) => text).join(" "));
  const texts = [path.replace(/^.*\//, "").replaceAll(/[_-]+/g, " "), ...lines.slice(0, 6), ...rows];
  const title = new RegExp(titled, "iu");
  return texts.some((text) => title.test(text));
}

type Licences = Readonly<ReturnType<typeof licencesOf>>;

/** In place of the state of a federal list. */
const nation = "US";

/** What applies to all lines of a licence list. */
function licencesOf(
  list: LicenceSource,
  {path, retrievedAt, meta}: ListInput["file"],
  {rows, found}: ReadList,
) {
  const state = list.federal ? nation : (list.state ?? stateInName(path) ?? mostCommonState(rows));
  if (state === null)
    throw new UserError(`${path}: no state in the list's map, the file's name or a column.`);
  const dates = rows.flatMap(({fields}) => dateFrom(textOf(fields.list_as_of)) ?? []);
  const named = /(\d{4}-\d{2}-\d{2})[^/]*$/.exec(path)?.[1] ?? null;
  return {
    path,
    list,
    state,
    scope: list.scope ?? scopeOf(path),
    // The list's own date: the latest in a column, else one in the file name; never the date of the fetch.
    asOf: dates.sort().at(-1) ?? dateFrom(named),
    retrievedAt,
    verifiedAt: meta?.verified_at ?? retrievedAt,
    saysBond: found.has("bond"),
  };
}

/** One counted line. The name serves only for counting and is never published; a reject reason quotes nothing of the line. */
function entryOf(fields: ListRow["fields"], {list, state, scope, saysBond}: Licences) {
  const name = entityName(fields.name ?? "");
  if (name === "") reject("no_name", "a line without a name");
  if (isNoFirm(fields)) reject("no_row", "a total or a note, no firm");
  const ownState = usStateCode(textOf(fields.state));
  if (list.federal && ownState === null) reject("unknown_area", "a registrant without a state");
  const status = textOf(fields.status);
  if (notCurrent.test(status ?? "")) reject("not_current", `status ${status}`);
  const type = textOf(fields.licence_type);
  const known = list.licenceTypes.find(({words}) => new RegExp(words, "iu").test(type ?? scope));
  const bonded = !/^(|no|n|false|0|\$?0(\.0+)?)$/i.test(textOf(fields.bond) ?? "");
  return {
    name,
    state: ownState ?? state,
    type,
    countsAs: known?.countsAs ?? ("other" as const),
    bonded: saysBond ? bonded : null,
  };
}

/** Statuses of a licence that is not, or not yet, valid on the day of its list. */
const notCurrent =
  /\b(expired|revoked|inactive|suspended|cancell?ed|lapsed|closed|denied|void|terminated|surrendered|withdrawn|retired|pending|application|applied|not (renewed|issued|licensed))\b/i;

/** A note on a line of its own. */
const note =
  /^(end of (the )?(list|file|report)|page \d+ of \d+|printed (on )?\d|(last )?updated:? |as of \d|source:|note:)/i;

/** True for a line of totals, and for a note (`End of list`, `Updated 11/2/2026`). */
function isNoFirm({name, ...others}: ListRow["fields"]): boolean {
  const words = textOf(name) ?? "";
  const isAlone = Object.values(others).every((text) => textOf(text) === null);
  return /^(grand |sub-?)?totals?:?$/i.test(words) || (isAlone && note.test(words));
}

/** The state in a file or folder name: two letters at the start, as in `ok_livestock_dealers_2026-07.csv` and `us-ok-…`. */
function stateInName(path: string): string | null {
  const letters = path
    .split("/")
    .slice(2)
    .map((part) => usStateCode(/^(?:us[-_])?([a-z]{2})(?=[-_. ]|$)/i.exec(part)?.[1] ?? null));
  return letters.find((state) => state !== null) ?? null;
}

/** The state of more than half of the lines, else null: lists also name licensees from other states. */
function mostCommonState(rows: readonly ListRow[]): string | null {
  const states = rows.map(({fields}) => usStateCode(textOf(fields.state)));
  return states.find((state) => 2 * states.filter((other) => other === state).length > rows.length) ?? null;
}

/** The scope of a list, from its file name without state, date and extension: `livestock dealers`. */
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

/** Normalises a firm's name for counting: letters and digits, without legal forms and `dba` names. */
export function entityName(name: string): string {
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
