import {UserError} from "../../lib/errors.ts";
import {states} from "../../lib/geography/states.ts";
import {loadParcelSources, registeredCadastreSource} from "../../lib/registry/parcel-sources.ts";
import {withDecision} from "../../lib/registry/terms.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {loadFeedFetches} from "../market/market-sources.ts";
import {loadListSources} from "../market/signals/lists/list-sources.ts";
import {loadVenues} from "../market/venues.ts";
import type {DeltaInputs} from "../publish/delta-inputs.ts";
import {type FetchSource, sourceOfList, sourceOfMarketFeed, sourceOfParcels} from "./fetch-source.ts";

/** The 50 states and the District of Columbia, by FIPS code; territories have neither markets nor layers here. */
export const surveyedStates = states.filter(({fips}) => fips <= "56");

/** Layers of the cadastre registry that a run asks beside the entries, with the reason for each by its id. */
type WantedLayers = {readonly sources: FetchSource[]; readonly reasons: ReadonlyMap<string, string>};

/** A town with a venue, at the four decimals that the weather service takes. */
export type VenueTown = {readonly state: string; readonly lat: string; readonly lon: string};

/** The sources of the registry that have an address, the market first, with what the operator decided on their terms. */
export function registeredSources(decisions: TermsDecisions = {}): FetchSource[] {
  const entries = loadParcelSources().map((entry) => sourceOfParcels(withDecision(entry, decisions)));
  const listed = [...loadListSources().map(sourceOfList), ...entries];
  return [...loadFeedFetches().map(sourceOfMarketFeed), ...listed.filter((source) => source !== null)];
}

/**
 * Gives the sources with these ids: feeds, folders of feeds, lists, parcel entries or layers of the cadastre registry. Throws a
 * `UserError` for an id that the registry does not have, or that has no address.
 */
export function namedSources(ids: readonly string[], decisions: TermsDecisions = {}): FetchSource[] {
  const known = registeredSources(decisions);
  return ids.flatMap((id) => {
    const found = known.filter(
      (source) => source.id === id || (source.side === "market" && source.unit.split("/")[0] === id),
    );
    if (found.length > 0) return found;
    const layer = registeredCadastreSource(id);
    const source = layer === undefined ? null : sourceOfParcels(withDecision(layer, decisions));
    if (source !== null) return [source];
    const list = loadListSources().find((each) => each.id === id);
    if (list !== undefined)
      throw new UserError(
        `--source ${id}: its map names no download. Bring the file: cattle add --list ${id} FILE`,
      );
    throw new UserError(
      layer !== undefined || loadParcelSources().some((entry) => entry.id === id)
        ? `--source ${id}: the registry has no address of it. Put its files into parcels/${id}/ of the raw folder.`
        : `--source ${id}: no such source. "cattle sources ls" lists them.`,
    );
  });
}

/** Gives the towns of the venues that have a place, each one time, in the order of the venue table. */
export function venueTowns(): VenueTown[] {
  const towns = new Map<string, VenueTown>();
  for (const {state, lat, lon} of loadVenues()) {
    if (lat === null || lon === null || state === null) continue;
    const town = {state, lat: shortNumber(lat), lon: shortNumber(lon)};
    towns.set(`${town.lat},${town.lon}`, town);
  }
  return [...towns.values()];
}

/** Gives the states with venues, sorted. */
export function venueStates(): string[] {
  return [...new Set(loadVenues().flatMap(({state}) => state ?? []))].sort();
}

/** The service redirects numbers with more than four decimals, or with zeros at their end. */
function shortNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}

/**
 * Gives the layers of the cadastre registry that are wanted whole: those of which a parcel was found on a miss, so that its
 * county becomes live (`docs/design/parcels.md` section 9), and those that were pulled before, so that they stay current. An
 * entry with an address stands before the layer of its id, which is then not asked beside it.
 */
export function wantedLayers(
  delta: Pick<DeltaInputs, "states">,
  states: ReadonlyMap<string, FetchState>,
  registered: readonly FetchSource[],
  decisions: TermsDecisions = {},
): WantedLayers {
  const found = [...delta.states.values()].flatMap(({records}) =>
    records.map(({record}) => record.provenance.sourceId),
  );
  const reasons = new Map([...states.keys()].map((id) => [id, "pulled before"]));
  for (const id of found) reasons.set(id, "a parcel of it was found on a miss");
  const known = new Set(registered.map(({id}) => id));
  const ids = [...reasons.keys()].filter((id) => !known.has(id)).sort();
  const layers = ids.map((id) => registeredCadastreSource(id));
  const sources = layers.map((layer) =>
    layer === undefined ? null : sourceOfParcels(withDecision(layer, decisions)),
  );
  return {sources: sources.filter((source) => source !== null), reasons};
}
