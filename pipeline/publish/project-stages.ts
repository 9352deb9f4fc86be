import {loadCadastreSources, registeredCadastreSource} from "../../lib/registry/cadastre-sources.ts";
import {loadParcelSources, loadWaves} from "../../lib/registry/parcel-sources.ts";
import {withDecision} from "../../lib/registry/terms.ts";
import {feedNames} from "../../schemas/market-feed.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {loadMarketSources} from "../market/market-sources.ts";
import {failedVectors} from "../market/vectors.ts";
import {buildState} from "../parcels/build-state.ts";
import {entryOfLayer} from "../parcels/propose/layer-entry.ts";
import {stageCodeDigest} from "./code-version.ts";
import {marketStage} from "./market-stage.ts";
import type {Stages} from "./stages.ts";

/** Gives the stages and the registry of this project. Throws a `ConfigError` for a registry that is not valid. */
export function projectStages({
  futuresLicensed = false,
  decisions = {},
}: {
  futuresLicensed?: boolean;
  /** What the operator decided on terms of sources. */
  decisions?: TermsDecisions;
} = {}): Stages<ParcelSource> {
  const layers = loadCadastreSources();
  return {
    entries: loadParcelSources().map((entry) => withDecision(entry, decisions)),
    layers: (country, state) => layers.of(country, state).map((layer) => withDecision(layer, decisions)),
    entryOfPull: (id, layer) => {
      const source = registeredCadastreSource(id);
      return source === undefined ? null : entryOfLayer(withDecision(source, decisions), layer);
    },
    waves: loadWaves(),
    marketFeeds: feedNames,
    marketSources: loadMarketSources(),
    futuresLicensed,
    codeDigest: stageCodeDigest,
    failedVectors,
    buildMarket: (input) => marketStage(input, {futuresLicensed}),
    buildState,
  };
}
