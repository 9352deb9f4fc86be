import {type CadastreRegistry, loadCadastreSources} from "../../lib/registry/cadastre-sources.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {mayBeAsked} from "../../lib/registry/terms.ts";
import type {CadastreSource, CadastreSpec, ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {AskedCounty} from "./asked-county.ts";

/** A registered layer with a query service: of a bulk source with its field map, or one that serves misses only. */
export type LayerSource = (ParcelSource | CadastreSource) & {readonly cadastre: CadastreSpec};

/** A layer chosen for a county. */
export type Layer = {
  readonly source: LayerSource;
  /** True when the layer has the whole state: its queries are narrowed to the county. */
  readonly statewide: boolean;
};

/** The registered layers. */
export type Layers = {
  /** Gives the layer of a county: its own before a statewide one, a bulk source's before others; null for none. */
  forCounty(county: AskedCounty): Layer | null;
};

/** Gives the layers of the registry in `data/sources`. The first use of a state throws `ConfigError` for a broken entry. */
export function registeredLayers(decisions: TermsDecisions): Layers {
  return layersOf({bulk: loadParcelSources(), cadastre: loadCadastreSources(), decisions});
}

type Registries = {
  bulk: readonly ParcelSource[];
  cadastre: Pick<CadastreRegistry, "of">;
  /** What the operator decided on terms. */
  decisions?: TermsDecisions;
};

/**
 * Gives the layers of these registries, without those of municipalities, whose limits are not known, and without those whose publisher
 * forbids programs to ask, unless the operator decided otherwise.
 */
export function layersOf({bulk, cadastre, decisions = {}}: Registries): Layers {
  const askable = bulk.filter(hasLayer);
  return {
    forCounty({country, state, key}) {
      const own = [...askable, ...cadastre.of(country, state)].filter(
        (source) =>
          source.coverage.country === country &&
          source.coverage.state === state &&
          mayBeAsked(source, decisions),
      );
      const county = own.find(({coverage: {counties, places}}) => {
        return places === undefined && counties !== "all" && counties.includes(key);
      });
      if (county !== undefined) return {source: county, statewide: county.coverage.counties.length > 1};
      const statewide = own.find(({coverage}) => coverage.counties === "all");
      return statewide === undefined ? null : {source: statewide, statewide: true};
    },
  };
}

function hasLayer(source: ParcelSource): source is ParcelSource & {cadastre: CadastreSpec} {
  return source.cadastre !== undefined;
}
