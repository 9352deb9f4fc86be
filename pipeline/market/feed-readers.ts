import {readPrintedReport} from "./ams-text/reader.ts";
import type {FeedReader} from "./feed-reader.ts";
import {readMars} from "./mars/reader.ts";

/** Readers of price reports by feed. A feed without one is reported as `no_reader`, never passed over in silence. */
export const priceReaders: Readonly<Record<string, FeedReader>> = {
  "ams-text": readPrintedReport,
  mars: readMars,
};
