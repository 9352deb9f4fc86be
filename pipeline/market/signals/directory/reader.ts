import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {folded, isObject, type Json, membersOf, objectsOf} from "../../json-values.ts";
import {type RejectedRow, reading, type SignalInput, type SignalReading} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {type Listing, listingOf, slugLine} from "./listing.ts";

export type DirectoryReading = SignalReading & {readonly listings: readonly Listing[]};

/** Reads a roster of sale barns: a table, JSON rows, or lines `number - title`. Rows of other goods are rejected. */
export function readDirectory({file, content}: SignalInput): DirectoryReading {
  const rows = rowsOf(file, content);
  const listings: Listing[] = [];
  const rejected: RejectedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const listing = listingOf(folded(row));
    if ("reject" in listing)
      rejected.push({reason: listing.reject, detail: listing.detail, ordinal: index + 1, raw: row});
    else listings.push(listing);
  }
  if (rows.length > 0 && rejected.filter(({reason}) => reason === "no_name").length === rows.length) {
    throw new UserError(
      `${file.path}: columns ${Object.keys(rows[0]!).join(", ")}; expected a title or name, town and state of sale barns.`,
    );
  }
  const remark = rows.length === 0 ? `${file.path}: a roster without lines` : null;
  return {...reading({rejected, otherAccepted: listings.length, remark}), listings};
}

function rowsOf(file: RawFile, content: SignalInput["content"]): readonly Json[] {
  if (content.kind === "parquet") return content.records;
  if (content.kind === "text") {
    const lines = content.text
      .split(/\r?\n/)
      .map(slugLine)
      .filter((line) => line !== null);
    return lines.length > 0 ? lines : tableRows(file, content.text);
  }
  if (content.kind === "json") {
    const {body} = content;
    const list: unknown = isObject(body) ? Object.values(body).find((value) => Array.isArray(value)) : body;
    if (Array.isArray(list)) return objectsOf(list);
    throw new UserError(`${file.path}: ${membersOf(body)} came; a list of sale barns was expected.`);
  }
  throw new UserError(`${file.path}: XML came; a table or a list of lines was expected.`);
}
