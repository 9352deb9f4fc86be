import type {CadastreSource, CadastreSpec, ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {mayBeQueried} from "./layer-terms.ts";
import {allCadastreSources, loadParcelSources} from "./parcel-sources.ts";

/** A registered layer with a query service: a bulk source with its field map, or a layer that only serves misses. */
export type LayerSource = (ParcelSource | CadastreSource) & {readonly cadastre: CadastreSpec};

/** True for a bulk source that has a query service, too. */
export function hasLayer(source: ParcelSource): source is ParcelSource & {cadastre: CadastreSpec} {
  return source.cadastre !== undefined;
}

/**
 * All layers that a miss may ask, bulk sources first, then state by state; without those whose publisher forbids automated queries, unless
 * the operator has decided otherwise. Of a bulk source and a layer with one id, which share their marks, it is the bulk source. Throws a
 * `ConfigError` if an entry is broken.
 */
export function layersOnMiss(decisions: TermsDecisions): LayerSource[] {
  const all: LayerSource[] = [...loadParcelSources().filter(hasLayer), ...allCadastreSources()];
  const byId = Map.groupBy(
    all.filter((source) => mayBeQueried(source, decisions)),
    ({id}) => id,
  );
  return [...byId.values()].map(([first]) => first!);
}
