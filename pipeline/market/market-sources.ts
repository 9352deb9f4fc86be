import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../lib/errors.ts";
import {sourcesDir} from "../../lib/paths.ts";
import type {MarketFeed} from "../../schemas/fetch-source.ts";
import {type MarketSource, MarketSourceFile, type MarketSourceId} from "../../schemas/market-source.ts";

/** The fourteen sources of the registry, in registry order. Throws a ConfigError that names what is wrong with the file. */
export function loadMarketSources(path: string = join(sourcesDir, "market.json")): MarketSource[] {
  return readMarketFile(path).map(({feeds: _, ...source}) => source);
}

/** The feeds that `cattle fetch` asks, in registry order. Throws as `loadMarketSources` does. */
export function loadMarketFeeds(path: string = join(sourcesDir, "market.json")): MarketFeed[] {
  return readMarketFile(path).flatMap(({feeds = []}) => feeds);
}

function readMarketFile(path: string): z.infer<typeof MarketSourceFile> {
  const parsed = MarketSourceFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new ConfigError(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** The registry id of each raw feed whose rows have one; `geo` is reference geography without an id. */
const sources = new Map<string, MarketSourceId>(
  Object.entries({
    mars: "mars",
    "ams-text": "ams-lmr-datamart",
    lmr: "ams-lmr-datamart",
    nass: "nass-quickstats",
    usdm: "us-drought-monitor",
    nws: "nws",
    diesel: "diesel",
    futures: "futures",
    aphis: "aphis",
    echo: "echo",
    directory: "ams-lmr-datamart",
    dealers: "state-agriculture-reference-pages",
    references: "editorial-market-reference-sources",
  } as const),
);

/** The registry id of a raw feed. Throws an Error for a feed without one: rows are not published without a source. */
export function sourceOfFeed(feed: string): MarketSourceId {
  const source = sources.get(feed);
  if (source === undefined) throw new Error(`No source of the registry publishes the feed ${feed}.`);
  return source;
}

/** The citation boundaries of the given sources as one text, in registry order. */
export function legalBoundary(registry: readonly MarketSource[], ids: readonly string[]): string {
  return registry
    .filter((source) => ids.includes(source.id))
    .map((source) => source.citationBoundary)
    .join(" ");
}
