import {foldColumnName, matchColumns, namesPriceRows} from "./column-aliases.ts";
import {plainText} from "./plain-text.ts";
import {isObject, type Json, membersOf, numberOf, objectsOf, unreadLine} from "./published-values.ts";
import {ReportError} from "./report-error.ts";

/** Rows of reports, what precedes them, and list members that are not rows. */
export type JsonRows = {
  readonly rows: readonly Json[];
  readonly headers: readonly Json[];
  readonly envelope: Json;
  /** List members that are not rows, as JSON texts. */
  readonly unread: readonly string[];
  /** Row count that the answer states (`stats`) if it has fewer rows; null for a complete answer. */
  readonly stated: number | null;
};

/** Content of a JSON file of My Market News, or of a table made from it. */
export type JsonShape =
  | {readonly kind: "list"; readonly entries: readonly Json[]}
  | ({readonly kind: "rows"} & JsonRows)
  | {readonly kind: "parse"; readonly parse: Json; readonly entries: readonly Json[]};

/**
 * Recognises the shapes of report rows: `{results}`, `[{stats, results}]`, sections `[{reportSection, results}]`, a table
 * `{cols, rows}`, a bare array of rows, a list of reports, and a third party's parse `{breakdown, entries}`. Throws a ReportError
 * that describes the body for an error message and for any other shape.
 */
export function shapeOf(body: unknown): JsonShape {
  if (isObject(body) && Array.isArray(body["cols"]) && Array.isArray(body["rows"])) return tableShape(body);
  if (isObject(body) && Array.isArray(body["entries"]) && "breakdown" in body) {
    return {kind: "parse", parse: body, entries: objectsOf(body["entries"])};
  }
  const sections = (Array.isArray(body) ? body : [body]).filter(isObject);
  if (sections.length > 0 && sections.every((section) => Array.isArray(section["results"]))) {
    const [receipts, others] = [sections.filter(isReceipts), sections.filter((each) => !isReceipts(each))];
    return rowShape(resultsOf(others), statedRows(sections), resultsOf(receipts));
  }
  if (Array.isArray(body) && (body.length === 0 || sections.length * 2 > body.length)) {
    return sections.length > 0 && sections.length === body.length && isMajority(sections, isListEntry)
      ? {kind: "list", entries: sections}
      : rowShape(body);
  }
  if (isObject(body) && namesPriceRows([Object.keys(body)])) return rowShape([body]);
  throw new ReportError(
    `${describe(body)}; expected report rows ({results}, [{results}], {cols, rows}) or a list of reports.`,
  );
}

/** The receipts section of a direct or video report: it has head counts but no prices. */
function isReceipts({reportSection}: Json): boolean {
  return typeof reportSection === "string" && /\breceipts\b/i.test(reportSection);
}

function resultsOf(sections: readonly Json[]): unknown[] {
  return sections.flatMap((section) => section["results"] as unknown[]);
}

/**
 * Objects with a price become rows; others, and all of `unpriced`, become headers, as does a member that says nothing of cattle,
 * where no sale was held. Objects are grouped by their members, because most rows of an answer have the same ones.
 */
function rowShape(members: readonly unknown[], stated = 0, unpriced: readonly unknown[] = []): JsonShape {
  const records = members.filter(isRecord);
  const byMembers = Map.groupBy(records, (record) => Object.keys(record).join("\n"));
  const priced = new Set([...byMembers.values()].flatMap(rowsAmong));
  const allMembers = [...members, ...unpriced];
  return {
    kind: "rows",
    rows: records.filter((record) => priced.has(record)),
    headers: [...records.filter((record) => !priced.has(record)), ...unpriced.filter(isRecord)],
    envelope: {},
    unread: unreadOf(allMembers.filter((member) => !isRecord(member))),
    stated: stated > allMembers.length ? stated : null,
  };
}

/** True for an object that does not mark an unreadable line. */
function isRecord(member: unknown): member is Json {
  return isObject(member) && !(unreadLine in member);
}

const priceColumns = ["avg_price", "avg_price_min", "head_count"] as const;

/** Of records with the same members those that are rows. */
function rowsAmong(records: readonly Json[]): readonly Json[] {
  const match = matchColumns(Object.keys(records[0]!));
  if (!priceColumns.some((column) => match.has(column))) return [];
  const countedColumns = [...priceColumns, "commodity", "class"] as const;
  const names = countedColumns.flatMap((column) => match.get(column)?.[0] ?? []);
  return records.filter((record) => names.some((name) => plainText(String(record[name] ?? "")) !== null));
}

/** Reads `{cols: [names], rows: [[values]], …}`; members beside the table apply to every row. */
function tableShape(body: Json): JsonShape {
  const {cols, rows, ...envelope} = body;
  const names = (cols as unknown[]).map(String);
  const isRow = (values: unknown): values is unknown[] =>
    Array.isArray(values) && values.length === names.length;
  const records = (rows as unknown[])
    .filter(isRow)
    .map((values) => Object.fromEntries(names.map((name, index) => [name, values[index]])));
  const unread = unreadOf((rows as unknown[]).filter((values) => !isRow(values)));
  return {kind: "rows", rows: records, headers: [], envelope, unread, stated: null};
}

/** The row count that the sections of an answer state. */
function statedRows(sections: readonly Json[]): number {
  const counted = (stats: Json, name: string) => numberOf(stats[name]) ?? numberOf(stats[`${name}:`]) ?? 0;
  return sections.reduce(
    (sum, {stats}) =>
      sum + (isObject(stats) ? Math.max(counted(stats, "returnedRows"), counted(stats, "totalRows")) : 0),
    0,
  );
}

function unreadOf(members: readonly unknown[]): string[] {
  return members.map((member) => JSON.stringify(member).slice(0, 300));
}

function isMajority(records: readonly Json[], is: (record: Json) => boolean): boolean {
  return records.filter(is).length * 2 > records.length;
}

function isListEntry(entry: Json): boolean {
  const names = Object.keys(entry).map(foldColumnName);
  return names.includes("report_title") && names.includes("slug_id") && !matchColumns(names).has("avg_price");
}

function describe(body: unknown): string {
  if (Array.isArray(body)) return "got a JSON array of other things than objects";
  const {error, message, errorMessage} = isObject(body) ? body : ({} as Json);
  const told = [error, message, errorMessage].find((value) => typeof value === "string");
  return told === undefined
    ? `got ${membersOf(body)}`
    : `the source reported an error: ${String(told).slice(0, 200)}`;
}
