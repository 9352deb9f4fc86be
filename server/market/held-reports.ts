import {milesTo, type PenArea} from "../tables/area-pens.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";

/** The place of a question, and its words: `in Oklahoma`. */
type Place = PenArea & {readonly words: string};

/**
 * The words of a place of which the build holds no report of a sale, nor a summary of its state; undefined where it holds one, and for no
 * place. That nothing is found there says nothing of the sales held.
 */
export function placeWithoutReport(market: MarketArtifacts, place: Place | null): string | undefined {
  if (place === null) return undefined;
  const {state, counties, around} = place;
  const isState = counties === undefined && around === undefined;
  const isKnownState = () =>
    market.states.keys.some((key) => key.state === state) ||
    ["price-by-state", "latest-prices"].some((path) => market.lastKnown(path, state ?? "") !== null);
  const isHeld =
    market.barns.keys.some((venue) => venue.lastSaleDate !== null && milesTo(venue, place) !== undefined) ||
    (isState && isKnownState());
  return isHeld ? undefined : place.words;
}
