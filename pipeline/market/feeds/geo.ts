import {readZips} from "../geo/zips.ts";
import {type GeographyFeed, sampleTable} from "./feed.ts";

/** ZIP areas and their counties. The sample has those near its barns: real numbers, coordinates to a hundredth of a degree. */
export const geo: GeographyFeed = {
  kind: "geography",
  source: null,
  read: readZips,
  sample: () =>
    sampleTable(
      "zcta,latitude,longitude",
      "76401,32.22,-98.23",
      "79045,34.82,-102.4",
      "85326,33.33,-112.65",
      "86301,34.57,-112.44",
      "73942,36.68,-101.48",
    ),
};
