import {Reporter} from "../vocabulary/reporter.ts";
import {fieldsOf, orNull, structure, text} from "./market-field.ts";
import {only, reportDocument, reportPage} from "./structures.ts";

const field = fieldsOf(["county", "state", "latest"]);

/** Who publishes the reports. */
export const reportPublisher = "USDA Agricultural Marketing Service";

/** What opens the citation of a price record, and what its reporter says; `sql` as in `priceFields`. */
export const citationFields = {
  report_title: field(orNull(text), "Title of the one report behind the record, as published", {
    sql: "report_title_printed",
  }),
  report_publisher: field(orNull(text), "Who publishes that report", {
    sql: `CASE WHEN len(report_slugs) = 1 THEN '${reportPublisher}' END`,
  }),
  report_url: field(
    orNull(text),
    "The publisher's page of that report; `upstream.report_urls` has those of several",
    {
      sql: reportPage(only("report_slugs")),
    },
  ),
  document_url: field(
    orNull(text),
    "The printed report at its publisher, which keeps the newest edition there",
    {
      sql: reportDocument(only("report_slugs")),
    },
  ),
  reporter: field(
    orNull(structure(Reporter)),
    "What the reporter of the sale or of the official summary says, as fields beside the text; null without a comment",
    {in: ["state", "latest"], sql: "reporter_words"},
  ),
};
