import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {readRows, type SignalReading} from "../reading.ts";
import {type XmlElement, xmlRoot} from "../xml.ts";
import {numbered} from "./datamart.ts";
import {measureRow, type ReportRow} from "./measure-row.ts";

/**
 * Reads the older XML service: `results > report[slug] > record[report_date] > report[label] > record`. Attributes that were
 * not reported are absent or `null`. The records of a day hold only their date and the sections below: they count as merged.
 */
export function readWebService(file: RawFile, text: string): SignalReading {
  const root = xmlRoot(file, text);
  if (root.name !== "results") {
    throw new UserError(
      `${file.path}: XML with the root ${root.name} came; results of the LMR web service were expected.`,
    );
  }
  const days = root.children
    .filter(({name}) => name === "report")
    .flatMap((report) =>
      report.children.filter(({name}) => name === "record").map((record) => ({report, record})),
    );
  const rows = numbered(days.flatMap(({report, record}) => rowsOf(report, record)));
  const read = readRows(rows, measureRow);
  return {...read, merged: days.filter(({record}) => record.children.length > 0).length};
}

function rowsOf(report: XmlElement, day: XmlElement): Omit<ReportRow, "twin">[] {
  const base = {slug: report.attributes["slug"] ?? "unknown", title: report.attributes["label"] ?? ""};
  if (day.children.length === 0) return [{...base, section: "Summary", record: day.attributes}];
  const dates = {
    report_date: day.attributes["report_date"],
    reported_for_date: day.attributes["reported_for_date"],
  };
  return day.children
    .filter(({name}) => name === "report")
    .flatMap((section) =>
      section.children
        .filter(({name}) => name === "record")
        .map(({attributes}) => ({
          ...base,
          section: section.attributes["label"] ?? "",
          record: {...dates, ...attributes},
        })),
    );
}
