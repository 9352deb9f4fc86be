import type {RosterSource} from "../../../../schemas/list-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import type {ListContent} from "../lists/list-tables.ts";
import {readList, requireAccepted} from "../lists/read-list.ts";
import {readEach, reading, reject, type SignalReading} from "../reading.ts";
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
  const {path} = file;
  const {accepted: listings, rejected} = readEach(
    read.rows,
    ({fields, fault}) => (fault === null ? listingOf(fields, read.list) : reject(fault.reason, fault.detail)),
    {rawOf: ({raw}) => raw},
  );
  if (read.rows.length > 0)
    requireAccepted(read, {path, accepted: listings.length, rejected: rejected.length});
  const remark = read.rows.length === 0 ? `${path}: a roster without lines` : null;
  const odd = listings.filter(({isPointOdd}) => isPointOdd).length;
  const notes: Record<string, number> = odd === 0 ? {} : {point_outside: odd};
  return {...reading({rejected, otherAccepted: listings.length, remark, notes}), listings, list: read.list};
}
