import {textOf} from "@open-cattle/usda-reports/values";
import {UserError} from "../../../../lib/errors.ts";
import type {ListField, ListSource} from "../../../../schemas/list-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {headedRows, type ListRow, nearestHeader} from "./headed-rows.ts";
import type {ListContent} from "./list-tables.ts";

/** The rows of a file read by a map, and the fields that the file has columns for. */
export type ReadList<List extends ListSource = ListSource> = {
  readonly list: List;
  readonly found: ReadonlySet<ListField>;
  readonly rows: readonly ListRow[];
};

/**
 * Reads a file with its map: the one that its name or folder selects, else the one that reads most of its columns; on a tie, a
 * specific map before a general one. If no map fits, throws a `UserError` that names the missing columns.
 */
export function readList<List extends ListSource>(
  lists: readonly List[],
  file: Pick<RawFile, "path">,
  content: ListContent,
): ReadList<List> {
  const named = namedList(lists, file.path);
  if (named !== undefined) {
    const read = rowsBy(named, file, content);
    if (read !== null) return read;
    throw new UserError(`${file.path}: ${absence(named, content)}`);
  }
  const particularFirst = [...lists].sort((a, b) => Number(a.general) - Number(b.general));
  const fits = particularFirst.flatMap((list) => rowsBy(list, file, content) ?? []);
  if (fits.length > 0) return fits.reduce((best, next) => (next.found.size > best.found.size ? next : best));
  const general = lists.find((list) => list.general);
  throw new UserError(
    general === undefined
      ? `${file.path}: no map in data/sources/lists is for this file.`
      : `${file.path}: ${absence(general, content)} A map of its own says what its columns mean (docs/adding-a-dealer-list.md).`,
  );
}

/** The map whose id or `match` prefix starts the name of the file or one of its folders; the longest prefix wins. */
function namedList<List extends ListSource>(lists: readonly List[], path: string): List | undefined {
  const parts = path.toLowerCase().split("/").slice(2);
  const length = ({id, match}: List) =>
    Math.max(
      0,
      ...[id, ...match]
        .filter((start) => parts.some((part) => part.startsWith(start.toLowerCase())))
        .map((start) => start.length),
    );
  const [best] = lists.filter((list) => length(list) > 0).sort((a, b) => length(b) - length(a));
  return best;
}

/** Reads a file with one map; null if the map does not fit. Throws a `UserError` if several sheets fit. */
function rowsBy<List extends ListSource>(
  list: List,
  {path}: Pick<RawFile, "path">,
  content: ListContent,
): ReadList<List> | null {
  const read = list.lines === undefined ? tableRows(list, path, content) : lineRows(list.lines, content);
  if (read === null) return null;
  return {list, found: read.found, rows: read.rows.map((row) => withRequired(row, list))};
}

type Rows = {readonly found: ReadonlySet<ListField>; readonly rows: readonly ListRow[]};

function tableRows(list: ListSource, path: string, {tables}: ListContent): Rows | null {
  const wanted = tables.filter(({name = list.sheet}) => list.sheet === undefined || name === list.sheet);
  const headed = wanted.flatMap((table) => headedRows(table, list) ?? []);
  const [first, second] = headed;
  if (first === undefined) return null;
  if (second !== undefined && first.table.kind === "sheet")
    throw new UserError(
      `${path}: sheets ${headed.map(({table}) => `"${table.name}"`).join(", ")} have the columns of ${list.id}; say in its map ("sheet") which one counts.`,
    );
  return {found: first.found, rows: headed.flatMap(({rows}) => rows)};
}

function lineRows(pattern: string, {lines}: ListContent): Rows | null {
  const line = new RegExp(pattern, "iu");
  const rows = lines.map((raw): ListRow => {
    const groups = line.exec(raw)?.groups;
    if (groups === undefined)
      return {
        fields: {},
        raw: [raw],
        fault: {reason: "no_row", detail: "a line that is not a row of the list"},
      };
    const given = Object.entries(groups).filter(([, text]) => text !== undefined);
    return {fields: Object.fromEntries(given), raw: [raw], fault: null};
  });
  const [first] = rows.filter(({fault}) => fault === null);
  if (first === undefined) return null;
  return {found: new Set(Object.keys(first.fields) as ListField[]), rows};
}

/** Adds a fault to a row that lacks a value its list requires. */
function withRequired(row: ListRow, {requires}: ListSource): ListRow {
  const absent = requires.find((field: ListField) => textOf(row.fields[field]) === null);
  if (row.fault !== null || absent === undefined) return row;
  return {...row, fault: {reason: `no_${absent}`, detail: `a line without ${absent}`}};
}

function absence(list: ListSource, {tables, lines}: ListContent): string {
  if (list.lines !== undefined)
    return `none of ${lines.length} lines is of the form of ${list.id} (${list.lines}).`;
  const actual = nearestHeader(tables, list).slice(0, 30).join(", ") || "none";
  const wanted = (Object.entries(list.columns) as [ListField, string[]][])
    .filter(([field]) => !list.optional.includes(field))
    .map(([field, names]) => `${field} (${names.join(" or ")})`);
  return `columns ${actual}; expected ${wanted.join(", ")} (${list.id}).`;
}

/** Throws a `UserError` if a file has fewer rows, or a larger share of rejected ones, than its map allows. */
export function requireAccepted(
  {list: {id, accept}}: ReadList,
  {path, accepted, rejected}: {path: string; accepted: number; rejected: number},
): void {
  if (accepted < accept.minRows)
    throw new UserError(
      `${path}: ${accepted} rows; ${id} expects at least ${accept.minRows}: is the file cut off? ("accept.minRows")`,
    );
  const share = rejected / Math.max(1, accepted + rejected);
  if (share > accept.maxRejectShare)
    throw new UserError(
      `${path}: ${rejected} of ${accepted + rejected} rows rejected; ${id} accepts a share of ${accept.maxRejectShare} ("accept.maxRejectShare").`,
    );
}
