import {distanceMiles, type Point} from "../../geography/distance.ts";
import type {Place} from "./place-table.ts";
import {postOffices} from "./places.ts";

/** Where a point lies to a place: of it, of another one, or too far for the one and too near for the other. */
export type Nearness = "here" | "elsewhere" | "unknown";

/** Miles within which a place is near whatever lies around it, and beyond which it may be far. */
const nearMiles = 6;
const farMiles = 12;

/**
 * Says whether a point may be of one of the places (`docs/design/parcels.md` section 7): rural routes reach far, so that distances
 * count by that to the nearest post office. Unknown without a point of the places.
 */
export function nearnessOf(point: Point, places: readonly Place[], state: string): Nearness {
  const toPlaces = places.flatMap(({point: middle}) =>
    middle === null ? [] : [distanceMiles(point, middle)],
  );
  if (toPlaces.length === 0) return "unknown";
  const miles = Math.min(...toPlaces);
  if (miles <= nearMiles) return "here";
  const toOffice = Math.min(...postOffices(state).map((office) => distanceMiles(point, office)));
  if (miles <= 2 * toOffice) return "here";
  return miles > Math.max(farMiles, 4 * toOffice) ? "elsewhere" : "unknown";
}
