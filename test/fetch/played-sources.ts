import {type FetchSource, sourceOfMarketFeed} from "../../pipeline/fetch/jobs/source-address.ts";
import {loadFeedFetches} from "../../pipeline/market/reference/market-sources.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {writeWorldRegistry} from "./world-registry.ts";

/** The market sources of a registry that leads to a played server: all of them, or the one with an id. */
export function playedSources(origin: string, onlyId?: string): FetchSource[] {
  const registry = temporaryFolder();
  writeWorldRegistry(registry, origin);
  return loadFeedFetches(`${registry}/market.json`)
    .filter(({id}) => onlyId === undefined || id === onlyId)
    .map(sourceOfMarketFeed);
}
