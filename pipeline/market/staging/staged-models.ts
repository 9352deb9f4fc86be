import {type AnyModel, model} from "../models/model.ts";
import {issueColumns, rawNumberColumns, wordColumns} from "./stage-tables.ts";

/** Names as one text; the type of a word of it is any of them. */
const joined = <Name extends string>(names: readonly Name[]) => names.join(" ") as Name;

/** The files whose rows are staged. */
export const raw_files = model({
  name: "raw_files",
  columns: {INTEGER: "file_no", VARCHAR: "path source_id", TIMESTAMP: "retrieved_at verified_at"},
  materialise: "table",
});

/** The headers of report issues, as read. */
export const raw_headers = model({
  name: "raw_headers",
  columns: {
    INTEGER: "file_no",
    VARCHAR: "slug report_title published final_ind shrink slide narrative office",
    "VARCHAR[]": "notices",
    DATE: "report_begin_date report_end_date",
    BOOLEAN: "is_correction no_sale",
    "MAP(VARCHAR, DOUBLE)": "receipts receipts_prior receipts_year_ago",
  },
  materialise: "table",
});

/** The rows as read: their numbers, and the keys of their words and their issue. */
export const raw_rows = model({
  name: "raw_rows",
  columns: {
    BIGINT: "row_no word_key issue_key",
    INTEGER: "file_no",
    DOUBLE: joined(rawNumberColumns),
    VARCHAR: "reject_reason reject_detail",
  },
  materialise: "view",
});

/** The word combinations of the rows. */
export const raw_words = model({
  name: "raw_words",
  columns: {BIGINT: "word_key", VARCHAR: joined(wordColumns)},
  materialise: "view",
});

/** The issue texts of the rows. */
export const raw_issues = model({
  name: "raw_issues",
  columns: {INTEGER: "file_no", BIGINT: "issue_key", VARCHAR: joined(issueColumns)},
  materialise: "view",
});

/** What reading leaves for the models of rows and issues. */
export const stagingModels: readonly AnyModel[] = [raw_files, raw_headers, raw_rows, raw_words, raw_issues];
