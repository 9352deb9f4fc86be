import {cityKey} from "../address/city-key.ts";

/** Gives the form in which names of places are looked up: as `cityKey`, without blanks (`DE KALB` is `DEKALB`). */
export function placeKey(city: string): string {
  return cityKey(city).replaceAll(" ", "");
}
