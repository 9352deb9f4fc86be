import {join} from "node:path";
import type {z} from "zod";
import {sourcesDir} from "../../../lib/paths.ts";
import {readRegistryFile} from "../../../lib/reference/registry-file.ts";
import type {FeedFetch} from "../../../schemas/fetch-source.ts";
import {type MarketSource, MarketSourceFile} from "../../../schemas/market-source.ts";

/** The fourteen sources of the registry, in registry order. Throws a ConfigError that names the fault in the file. */
export function loadMarketSources(path: string = join(sourcesDir, "market.json")): MarketSource[] {
  return readMarketFile(path).map(({feeds: _, ...source}) => source);
}

/** The feeds that `cattle fetch` asks, in registry order. Throws as `loadMarketSources` does. */
export function loadFeedFetches(path: string = join(sourcesDir, "market.json")): FeedFetch[] {
  return readMarketFile(path).flatMap(({feeds = []}) => feeds);
}

function readMarketFile(path: string): z.infer<typeof MarketSourceFile> {
  return readRegistryFile(MarketSourceFile, path);
}
