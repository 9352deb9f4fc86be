import type {FeedName} from "../../../schemas/market-feed.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {readPrintedReport} from "../ams-text/print-reader.ts";
import {readMars} from "../mars/json-reader.ts";
import {sampleBarns, sampleLicences, sampleVenues} from "../samples/sample-barns.ts";
import {printedReports, servedReports} from "../samples/sample-reports.ts";
import {aphis} from "./aphis.ts";
import {diesel} from "./diesel.ts";
import {echo} from "./echo.ts";
import type {FeedDefinition} from "./feed.ts";
import {futures} from "./futures.ts";
import {lmr} from "./lmr.ts";
import {nass} from "./nass.ts";
import {nws} from "./nws.ts";
import {references} from "./references.ts";
import {usdm} from "./usdm.ts";
import {readZips} from "./zips.ts";

/** Every market feed. `cattle add` tries their readers in this order, the most specific first. */
export const feeds = {
  nws,
  echo,
  diesel,
  usdm,
  nass,
  futures,
  aphis,
  /** Printed auction reports of USDA AMS, as text or PDF. */
  "ams-text": {kind: "prices", source: "ams-lmr-datamart", read: readPrintedReport, sample: printedReports},
  /** Auction reports of USDA My Market News, as the service or third parties publish them. */
  mars: {kind: "prices", source: "mars", read: readMars, sample: servedReports},
  lmr,
  /** ZIP areas and their counties. The sample has the real ZIPs near its barns, with coordinates rounded to 0.01 degrees. */
  geo: {kind: "geography", source: null, read: readZips, sample: ["sample.csv"]},
  /** Rosters of sale barns. */
  directory: {
    kind: "lists",
    source: "ams-lmr-datamart",
    sign: /\b(sale.?days?|auctions?|stock.?yards?|sale.?barns?|livestock market|slug)\b/i,
    takesAnyTable: true,
    sample: (asOf: string) => [
      {name: "sample-venues.json", text: `${JSON.stringify(sampleVenues(sampleBarns, asOf), null, 1)}\n`},
    ],
  },
  /** Federal registrants: market agencies that sell on commission. */
  psd: {
    kind: "lists",
    source: "ams-lmr-datamart",
    sign: /selling\W*on\W*commission/i,
    takesAnyTable: true,
    sample: [],
  },
  /** Licence lists of states. */
  dealers: {
    kind: "lists",
    source: "state-agriculture-reference-pages",
    sign: /\b(licen[cs]e+s?|permit|bond(ed)?|surety|registration|expir\w*|dealers?)\b/i,
    takesAnyTable: true,
    sample: (asOf: string) => [{name: "sample-licences.csv", text: sampleLicences("TX", asOf)}],
  },
  references,
} as const satisfies Readonly<Record<FeedName, FeedDefinition>>;

/** All feeds with their names, in that order. */
export const feedEntries = Object.entries(feeds) as readonly (readonly [FeedName, FeedDefinition])[];

/** The feeds of one kind with their names. */
export function feedsOfKind<Kind extends FeedDefinition["kind"]>(kind: Kind) {
  type Entry = readonly [FeedName, Extract<FeedDefinition, {kind: Kind}>];
  return feedEntries.filter((entry): entry is Entry => entry[1].kind === kind);
}

/** The feed with this name if it is of that kind; else undefined. */
export function feedOf<Kind extends FeedDefinition["kind"]>(name: string, kind: Kind) {
  return feedsOfKind(kind).find(([own]) => own === name)?.[1];
}

/**
 * The registry id of a feed's rows. Throws an Error for a feed without one, because rows are never published without a source.
 */
export function sourceOfFeed(feed: string): MarketSourceId {
  const source = feedEntries.find(([name]) => name === feed)?.[1].source;
  if (source == null) throw new Error(`No source of the registry publishes the feed ${feed}.`);
  return source;
}
