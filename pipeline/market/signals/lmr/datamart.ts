import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {isObject, type Json, membersOf, objectsOf, textAt, textOf} from "../../json-values.ts";
import {readRows, type SignalReading} from "../reading.ts";
import {codeOf, labelKey, measureRow, type ReportRow} from "./measure-row.ts";

/** Reads sections of the Datamart v1.1: one `{reportSection, stats, results}` or a list of them. */
export function readDatamart(file: RawFile, body: unknown): SignalReading {
  const sections = (Array.isArray(body) ? body : [body]).filter(isObject);
  if (sections.length === 0 || !sections.every((section) => Array.isArray(section["results"])))
    throw new UserError(refusal(file, body));
  return readRows(numbered(sections.flatMap(rowsOf)), measureRow);
}

/** Rows whose labels are the same within their report, section and date are told apart by a number. */
export function numbered(rows: readonly Omit<ReportRow, "twin">[]): ReportRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const name = `${row.slug} ${row.section} ${labelKey(row.record)}`;
    const twin = (seen.get(name) ?? 0) + 1;
    seen.set(name, twin);
    return {...row, twin};
  });
}

function rowsOf(section: Json): Omit<ReportRow, "twin">[] {
  const name = textOf(section["reportSection"]) ?? "Summary";
  return objectsOf(section["results"]).map((record) => {
    const title = textOf(record["report_title"]) ?? "";
    return {slug: codeOf(record, title), title, section: name, record};
  });
}

function refusal({path}: RawFile, body: unknown): string {
  const message = isObject(body) ? textAt(body, "error", "message", "errorMessage") : null;
  return message === null
    ? `${path}: ${membersOf(body)} came; expected sections of the Datamart ({reportSection, results}).`
    : `${path}: an error came: ${message}`;
}
