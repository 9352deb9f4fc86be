import type {FetchSource} from "./fetch-source.ts";
import {venueTowns} from "./venue-towns.ts";

/** Reports of auctions that the market-news service lists, about. */
const auctionReports = 350;
const states = 50;
const arcgisPage = 2000;
/** Rows of a layer of which the registry does not say how many it has: those of a middling county. */
const layerRows = 30_000;

/** Gives the requests that a source takes when everything is new, as well as the registry tells. */
export function expectedRequests({protocol, feed, entry}: FetchSource): number {
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
      if (protocol !== "arcgis") return 1;
  }
  const rows = Math.max(entry?.accept?.minRows ?? 0, layerRows);
  return 3 + Math.ceil(rows / Math.min(entry?.pageSize ?? arcgisPage, arcgisPage));
}
