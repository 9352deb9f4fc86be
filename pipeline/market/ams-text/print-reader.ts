import {
  decodedText,
  parsePrintedReport,
  pdfLayout,
  publishedTime,
  type RawReportHeader,
} from "@open-cattle/usda-reports";
import {ageDays} from "../../../lib/dates.ts";
import {UserError} from "../../../lib/errors.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {DocumentReader, maxOutputBytes, placeOf} from "../../raw/document-reader.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {ofReport, openContent} from "../documents/content-kind.ts";
import {type FeedInput, type FeedOutcome, plainOutcome} from "../documents/feed-reader.ts";

/** Printed reports are untrusted, so a separate process reads them. */
const documents = new DocumentReader(ownProgram("./report-program", import.meta.url));

/**
 * Reads one printed auction report. Throws as `readReportFile` does, and a `UserError` for one that exceeds the limits of a
 * document.
 */
export async function readPrintedReport({file}: FeedInput): Promise<FeedOutcome> {
  return (await documents.read(file, placeOf(file))) as FeedOutcome;
}

/**
 * Reads a report in this process: the publisher's PDF, or its text (`pdftotext -layout`). Throws a UserError for any other
 * file.
 */
export async function readReportFile(file: RawFile): Promise<FeedOutcome> {
  const {kind, content} = await openContent(file);
  if (kind !== "text" && kind !== "pdf")
    throw new UserError(`${file.path}: expected a printed report (PDF or text), got ${kind}.`);
  const bytes = await content.bytes();
  const {header, rows, missing} = await ofReport(file.path, async () => {
    const text = kind === "pdf" ? await pdfLayout(bytes, maxOutputBytes(bytes.length)) : decodedText(bytes);
    return parsePrintedReport(text, file.path, file.meta?.url);
  });
  const empty = rows.length > 0 ? null : `${file.path}: the report has no price tables.`;
  const remark =
    missing === null ? (empty ?? oldHeading(header, file)) : `${file.path}: a partial issue: ${missing}.`;
  return {...plainOutcome, rows, headers: [header], remark};
}

/** Days by which a letterhead may be later than the sale: the print of a seasonal report stays for years, under the day of its office. */
const maxLetterheadDays = 60;

/** Says that the letterhead of a report is much later than the day in its heading, which counts. */
function oldHeading({published, report_end_date}: RawReportHeader, {path}: RawFile): string | null {
  const printed = publishedTime(published)?.slice(0, 10) ?? null;
  return printed !== null && ageDays(report_end_date, printed) > maxLetterheadDays
    ? `${path}: the letterhead says ${printed}, the heading ${report_end_date}, which counts.`
    : null;
}
