import type {FeedName} from "../../../schemas/market-feed.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {amsText} from "./ams-text.ts";
import {aphis} from "./aphis.ts";
import {dealers} from "./dealers.ts";
import {diesel} from "./diesel.ts";
import {directory} from "./directory.ts";
import {echo} from "./echo.ts";
import type {FeedDefinition} from "./feed.ts";
import {futures} from "./futures.ts";
import {geo} from "./geo.ts";
import {lmr} from "./lmr.ts";
import {mars} from "./mars.ts";
import {nass} from "./nass.ts";
import {nws} from "./nws.ts";
import {references} from "./references.ts";
import {usdm} from "./usdm.ts";

/** Every feed of the market. The order is that in which `cattle add` believes their readers: the most particular first. */
export const feeds = {
  nws,
  echo,
  diesel,
  usdm,
  nass,
  futures,
  aphis,
  "ams-text": amsText,
  mars,
  lmr,
  geo,
  directory,
  dealers,
  references,
} as const satisfies Readonly<Record<FeedName, FeedDefinition>>;

/** The definitions with their names, in that order. */
export const feedEntries = Object.entries(feeds) as readonly (readonly [FeedName, FeedDefinition])[];

/** The feeds of one kind with their names. */
export function feedsOfKind<Kind extends FeedDefinition["kind"]>(kind: Kind) {
  type Entry = readonly [FeedName, Extract<FeedDefinition, {kind: Kind}>];
  return feedEntries.filter((entry): entry is Entry => entry[1].kind === kind);
}

/** The feed of a name if it is of that kind; undefined for another and for a name that is no feed's. */
export function feedOf<Kind extends FeedDefinition["kind"]>(name: string, kind: Kind) {
  return feedsOfKind(kind).find(([own]) => own === name)?.[1];
}

/** The registry id of a feed's rows. Throws an Error for a feed without one: rows are not published without a source. */
export function sourceOfFeed(feed: string): MarketSourceId {
  const source = feedEntries.find(([name]) => name === feed)?.[1].source;
  if (source == null) throw new Error(`No source of the registry publishes the feed ${feed}.`);
  return source;
}
