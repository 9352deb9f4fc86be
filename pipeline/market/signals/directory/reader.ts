import type {RosterSource} from "../../../../schemas/list-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import type {ListContent} from "../lists/list-tables.ts";
import {type ReadList, readList, requireAccepted} from "../lists/read-list.ts";
import {type RejectedRow, reading, type SignalReading} from "../reading.ts";
import {type Listing, listingOf} from "./listing.ts";

export type DirectoryReading = SignalReading & {
  readonly listings: readonly Listing[];
  readonly list: RosterSource;
};

type RosterInput = {readonly file: Pick<RawFile, "path">; readonly content: ListContent};

/** Reads a roster of sale barns by the map that fits it. Rows of other goods are rejected. Throws as `readList` does. */
export function readDirectory(
  {file, content}: RosterInput,
  lists: readonly RosterSource[],
): DirectoryReading {
  const read = readList(lists, file, content);
  const {listings, rejected} = listingsOf(read);
  const {path} = file;
  if (read.rows.length > 0)
    requireAccepted(read, {path, accepted: listings.length, rejected: rejected.length});
  const remark = read.rows.length === 0 ? `${path}: a roster without lines` : null;
  const odd = listings.filter(({isPointOdd}) => isPointOdd).length;
  const notes: Record<string, number> = odd === 0 ? {} : {point_outside: odd};
  return {...reading({rejected, otherAccepted: listings.length, remark, notes}), listings, list: read.list};
}

function listingsOf({rows, list}: ReadList<RosterSource>): {listings: Listing[]; rejected: RejectedRow[]} {
  const listings: Listing[] = [];
  const rejected: RejectedRow[] = [];
  for (const [index, {fields, raw, fault}] of rows.entries()) {
    const listing = fault === null ? listingOf(fields, list) : {reject: fault.reason, detail: fault.detail};
    if ("reject" in listing)
      rejected.push({reason: listing.reject, detail: listing.detail, ordinal: index + 1, raw});
    else listings.push(listing);
  }
  return {listings, rejected};
}
