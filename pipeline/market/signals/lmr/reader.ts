import {UserError} from "../../../../lib/errors.ts";
import {foldName, isObject, membersOf, objectsOf} from "../../json-values.ts";
import {reading, type SignalInput, type SignalReading} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {isCutout, readCutout} from "./cutout.ts";
import {readDatamart} from "./datamart.ts";
import {readWebService} from "./web-service.ts";

/**
 * Reads mandatory price reporting: sections of the Datamart, the older XML service, the list of its reports (metadata) and
 * the cutout export. Their rows are packers' purchases: they go into a file of their own and into no price of this service.
 */
export function readMandatory({file, content}: SignalInput): SignalReading {
  if (content.kind === "xml") return readWebService(file, content.text);
  if (content.kind === "json") {
    const entries = objectsOf(content.body);
    return entries.length > 0 && entries.every((entry) => isListEntry(Object.keys(entry)))
      ? listed(entries.length)
      : readDatamart(file, content.body);
  }
  if (content.kind === "parquet") {
    throw new UserError(
      `${file.path}: Parquet came; JSON sections, XML or CSV of the Datamart were expected.`,
    );
  }
  const rows = tableRows(file, content.text);
  const names = Object.keys(rows[0] ?? {});
  if (isListEntry(names)) return listed(rows.length);
  if (isCutout(names)) return readCutout(rows);
  if (names.map(foldName).includes("reportdate") && names.map(foldName).includes("reporttitle"))
    return readDatamart(file, {results: rows.filter(isObject)});
  throw new UserError(
    `${file.path}: ${rows.length === 0 ? "a table without rows" : membersOf(rows)} came; expected a list of reports or a cutout export (Report Date, Choice 600-900 …).`,
  );
}

function isListEntry(names: readonly string[]): boolean {
  const foldedNames = names.map(foldName);
  return (
    foldedNames.includes("slugid") &&
    foldedNames.includes("reporttitle") &&
    foldedNames.includes("sectionnames")
  );
}

function listed(entries: number): SignalReading {
  return reading({otherAccepted: entries, notes: {report_list_entries: entries}});
}
