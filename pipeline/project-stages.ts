import {loadMarketSources} from "../lib/market-sources.ts";
import {loadParcelSources, loadWaves} from "../lib/parcel-sources.ts";
import type {ParcelSource} from "../schemas/parcel-source.ts";
import type {Stages} from "./build/stages.ts";
import {marketStage} from "./market-stage.ts";
import {buildState} from "./parcels/build-state.ts";

/** Folders below `<raw>/market/` that are input (`architecture.md` section 6). */
export const marketFeeds = [
  "mars",
  "ams-text",
  "lmr",
  "nass",
  "usdm",
  "nws",
  "diesel",
  "futures",
  "aphis",
  "echo",
  "directory",
  "dealers",
  "geo",
  "references",
] as const;

/** The stages and the registry of this project. Throws a `ConfigError` for a registry that is not valid. */
export function projectStages(): Stages<ParcelSource> {
  return {
    entries: loadParcelSources(),
    waves: loadWaves(),
    marketFeeds,
    marketSources: loadMarketSources(),
    buildMarket: marketStage,
    buildState,
  };
}
