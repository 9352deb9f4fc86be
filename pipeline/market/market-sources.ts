import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../lib/errors.ts";
import {sourcesDir} from "../../lib/paths.ts";
import type {FeedFetch} from "../../schemas/fetch-source.ts";
import {type MarketSource, MarketSourceFile} from "../../schemas/market-source.ts";

/** The fourteen sources of the registry, in registry order. Throws a ConfigError that names the fault in the file. */
export function loadMarketSources(path: string = join(sourcesDir, "market.json")): MarketSource[] {
  return readMarketFile(path).map(({feeds: _, ...source}) => source);
}

/** The feeds that `cattle fetch` asks, in registry order. Throws as `loadMarketSources` does. */
export function loadFeedFetches(path: string = join(sourcesDir, "market.json")): FeedFetch[] {
  return readMarketFile(path).flatMap(({feeds = []}) => feeds);
}

function readMarketFile(path: string): z.infer<typeof MarketSourceFile> {
  const parsed = MarketSourceFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new ConfigError(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
