import {states} from "@open-cattle/us-address";
import {UsageError} from "../../../lib/errors.ts";
import {withDecision} from "../../../lib/registry/layer-terms.ts";
import {loadParcelSources, registeredCadastreSource} from "../../../lib/registry/parcel-sources.ts";
import type {FetchState} from "../../../schemas/fetch-state.ts";
import type {TermsDecisions} from "../../../schemas/terms.ts";
import {loadFeedFetches} from "../../market/reference/market-sources.ts";
import {loadVenues} from "../../market/reference/venues.ts";
import {loadListSources} from "../../market/signals/lists/list-sources.ts";
import type {DeltaInputs} from "../../parts/delta-inputs.ts";
import {type FetchSource, sourceOfList, sourceOfMarketFeed, sourceOfParcels} from "./source-address.ts";

/** The 50 states and DC, by FIPS code; territories have neither markets nor layers here. */
export const surveyedStates = states.filter(({fips}) => fips <= "56");

/** Cadastre layers that a run fetches in addition to the entries, with the reasons by id. */
type WantedLayers = {readonly sources: FetchSource[]; readonly reasons: ReadonlyMap<string, string>};

/** A town with a venue, to the four decimals that the weather service accepts. */
export type VenueTown = {readonly state: string; readonly lat: string; readonly lon: string};

/** The registry's sources that have a URL, market first, with the operator's decisions on terms applied. */
export function registeredSources(decisions: TermsDecisions = {}): FetchSource[] {
  const entries = loadParcelSources().map((entry) => sourceOfParcels(withDecision(entry, decisions)));
  const listsAndEntries = [...loadListSources().map(sourceOfList), ...entries];
  return [
    ...loadFeedFetches().map(sourceOfMarketFeed),
    ...listsAndEntries.filter((source) => source !== null),
  ];
}

/**
 * Returns the sources with these ids: feeds, feed folders, lists, parcel entries or cadastre layers. Throws a `UserError` for an id that is
 * unknown or has no URL.
 */
export function namedSources(ids: readonly string[], decisions: TermsDecisions = {}): FetchSource[] {
  const registry = registeredSources(decisions);
  return ids.flatMap((id) => {
    const matches = registry.filter(
      (source) => source.id === id || (source.kind === "market" && source.folder.split("/")[0] === id),
    );
    if (matches.length > 0) return matches;
    const layer = registeredCadastreSource(id);
    const source = layer === undefined ? null : sourceOfParcels(withDecision(layer, decisions));
    if (source !== null) return [source];
    const list = loadListSources().find((each) => each.id === id);
    if (list !== undefined)
      throw new UsageError(
        `--source ${id}: its map names no download. Bring the file: cattle add --list ${id} FILE`,
      );
    throw new UsageError(
      layer !== undefined || loadParcelSources().some((entry) => entry.id === id)
        ? `--source ${id}: the registry has no address of it. Put its files into parcels/${id}/ of the raw folder.`
        : `--source ${id}: no such source. "cattle sources ls" lists them.`,
    );
  });
}

/** Returns the located towns of the venues, without duplicates, in the order of the venue table. */
export function venueTowns(): VenueTown[] {
  const towns = new Map<string, VenueTown>();
  for (const {state, lat, lon} of loadVenues()) {
    if (lat === null || lon === null || state === null) continue;
    const town = {state, lat: shortNumber(lat), lon: shortNumber(lon)};
    towns.set(`${town.lat},${town.lon}`, town);
  }
  return [...towns.values()];
}

/** Returns the states with venues, sorted. */
export function venueStates(): string[] {
  return [...new Set(loadVenues().flatMap(({state}) => state ?? []))].sort();
}

/** The service redirects numbers with more than four decimals or trailing zeros. */
function shortNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}

/**
 * Returns the cadastre layers to pull as a whole: those in which a parcel was found on a miss, so that its county becomes live
 * (`docs/design/parcels.md` section 9), and those pulled before, so that they stay current. An entry with a URL takes precedence over the
 * layer with its id.
 */
export function wantedLayers(
  delta: Pick<DeltaInputs, "states">,
  states: ReadonlyMap<string, FetchState>,
  registry: readonly FetchSource[],
  decisions: TermsDecisions = {},
): WantedLayers {
  const layersOfMisses = [...delta.states.values()].flatMap(({records}) =>
    records.map(({record}) => record.provenance.sourceId),
  );
  const registryIds = new Set(registry.map(({id}) => id));
  const layersBefore = [...states.values()].filter(({source}) => !registryIds.has(source));
  const reasons = new Map(
    layersBefore.map(({source, last_new}) => [source, last_new === null ? "asked before" : "pulled before"]),
  );
  for (const id of layersOfMisses) reasons.set(id, "a parcel of it was found on a miss");
  const ids = [...reasons.keys()].filter((id) => !registryIds.has(id)).sort();
  const layers = ids.map((id) => registeredCadastreSource(id));
  const sources = layers.map((layer) =>
    layer === undefined ? null : sourceOfParcels(withDecision(layer, decisions)),
  );
  return {sources: sources.filter((source) => source !== null), reasons};
}
