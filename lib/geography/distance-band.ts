import {roundHalfAway} from "../rounding.ts";

/** Distance band, as answers name it. */
type DistanceBand = "in_county" | "near" | "local" | "regional" | "distant" | "out_of_range";

/** Miles with one decimal, as shown in answers. */
export function roundedMiles(miles: number): number {
  return roundHalfAway(miles, 1);
}

/** The band of a distance: up to 25 miles near, 50 local, 100 regional, 150 distant, else out of range. */
export function distanceBand(miles: number): DistanceBand {
  if (miles <= 25) return "near";
  if (miles <= 50) return "local";
  if (miles <= 100) return "regional";
  return miles <= 150 ? "distant" : "out_of_range";
}
