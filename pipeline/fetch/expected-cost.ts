import type {FetchPace} from "../../schemas/fetch-pace.ts";
import type {FetchSource} from "./fetch-source.ts";
import {venueTowns} from "./known-sources.ts";
import {addressesOf} from "./protocols/county-files.ts";

/** What a source takes when everything is new. */
export type Cost = {
  readonly requests: number;
  /** Seconds, its requests one after the other. */
  readonly seconds: number;
  /** Bytes on the disk; null where nobody knows. */
  readonly bytes: number | null;
  /** True where rows, page and pace were measured by a run or a probe. */
  readonly measured: boolean;
};

/** Reports of auctions that the market-news service lists, about. */
const auctionReports = 350;
const states = 50;
const arcgisPage = 2000;
/** Rows of a layer of which the registry does not say how many it has: those of a middling county. */
const layerRows = 30_000;
/** Packed bytes of a row with its outline, and seconds of a page, where none was measured. */
const rowBytes = 400;
const pageSeconds = 3;

/** Gives what a source takes, from what was measured of it, else from what the registry tells. */
export function expectedCost(source: FetchSource, pace: FetchPace | undefined): Cost {
  const {protocol, entry, rate} = source;
  const least = 1 / rate.perSecond;
  if (protocol !== "arcgis") {
    const requests = fileRequests(source);
    const seconds = requests * Math.max(least, pace?.seconds_per_request ?? 0);
    return {requests, seconds: Math.ceil(seconds), bytes: pace?.bytes ?? null, measured: pace !== undefined};
  }
  const rows = pace?.rows ?? Math.max(entry?.accept?.minRows ?? 0, layerRows);
  const page = Math.min(entry?.pageSize ?? arcgisPage, pace?.page_rows ?? arcgisPage);
  // The layer, its count, the empty page at the end, and the layer again.
  const requests = 4 + Math.ceil(rows / page);
  const seconds = requests * Math.max(least, pace?.seconds_per_request ?? pageSeconds);
  const bytes = Math.ceil(rows * (pace?.bytes_per_row ?? rowBytes));
  const isMeasured = pace?.rows != null && pace.page_rows !== null;
  return {requests, seconds: Math.ceil(seconds), bytes, measured: isMeasured};
}

function fileRequests(source: FetchSource): number {
  const {feed} = source;
  switch (feed?.protocol) {
    case "mars":
    case "ams-text":
      return 2 + auctionReports;
    case "datamart":
      return feed.slugs.length;
    case "quickstats":
      return 2 * Object.keys(feed.queries).length;
    case "drought":
      return states;
    case "nws":
      return feed.ask === "alerts" ? states : 2 * venueTowns().length;
    case "echo":
      return 2 * states;
    default:
      return addressesOf(source).length;
  }
}
