import {mayBeQueried} from "../../lib/registry/layer-terms.ts";
import {hasLayer, type LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {
  type CadastreRegistry,
  loadCadastreSources,
  loadParcelSources,
} from "../../lib/registry/parcel-sources.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {AskedCounty} from "./asked-county.ts";

/** Layers that one question may ask. */
const maxDoors = 2;

/** A layer chosen for a county. */
export type Layer = {
  readonly source: LayerSource;
  /** True when the layer covers more than the county, so that queries must be narrowed to it. */
  readonly statewide: boolean;
};

/** A layer among those that may be asked for one county. */
export type Door = Layer & {
  /** True when another layer comes before it: its empty answer proves something only of counties of which it has given a row. */
  readonly isNext: boolean;
};

/** The registered layers. */
export type Layers = {
  /**
   * Returns the layers that may be asked for a county, best first: its own before those of the state, a bulk source before a query-only
   * one, and at most two, because a question has no time for more.
   */
  forCounty(county: AskedCounty): readonly Door[];
};

/** Returns the layers of the registry in `data/sources`. The first use of a state throws a `ConfigError` if an entry is broken. */
export function registeredLayers(decisions: TermsDecisions): Layers {
  return layersOf({bulk: loadParcelSources(), cadastre: loadCadastreSources(), decisions});
}

type Registries = {
  bulk: readonly ParcelSource[];
  cadastre: Pick<CadastreRegistry, "of">;
  /** The operator's decisions on terms. */
  decisions?: TermsDecisions;
};

/**
 * Returns the layers of these registries. Left out are municipal layers, whose boundaries we do not know, and layers whose publisher
 * forbids automated queries, unless the operator has decided otherwise.
 */
export function layersOf({bulk, cadastre, decisions = {}}: Registries): Layers {
  const askable = bulk.filter(hasLayer);
  return {
    forCounty({country, state, key}) {
      const countyLayers = [...askable, ...cadastre.of(country, state)].filter(
        (source) =>
          source.coverage.country === country &&
          source.coverage.state === state &&
          mayBeQueried(source, decisions),
      );
      const county = countyLayers.find(({coverage: {counties, places}}) => {
        return places === undefined && counties !== "all" && counties.includes(key);
      });
      const statewide = countyLayers.filter(({coverage}) => coverage.counties === "all");
      const doors = [county, ...statewide]
        .filter((source) => source !== undefined)
        .filter(({cadastre: {url}}, i, all) => all.findIndex((other) => other.cadastre.url === url) === i);
      return doors.slice(0, maxDoors).map((source, i) => ({
        source,
        statewide: source.coverage.counties === "all" || source.coverage.counties.length > 1,
        isNext: i > 0,
      }));
    },
  };
}
