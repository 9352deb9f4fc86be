import {cityKey} from "../address/fold-text.ts";

/** The name of a place in the forms in which it is compared. */
export type PlaceName = {
  /** As `cityKey` gives it: `DE KALB`. */
  readonly words: string;
  /** Without blanks, so that `DE KALB` is `DEKALB`. */
  readonly key: string;
};

/** Gives the forms of a place's name; empty ones for no name. */
export function placeName(city: string | null): PlaceName {
  const words = cityKey(city);
  return {words, key: words.replaceAll(" ", "")};
}
