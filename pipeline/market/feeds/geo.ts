import {readZips} from "../geo/zips.ts";
import type {GeographyFeed} from "./feed.ts";

/** ZIP areas and their counties. The sample has those near its barns: real numbers, coordinates to a hundredth of a degree. */
export const geo: GeographyFeed = {
  kind: "geography",
  source: null,
  read: readZips,
  sample: () => [
    {
      name: "sample-zip-areas.csv",
      text: "zcta,latitude,longitude\n76401,32.22,-98.23\n79045,34.82,-102.4\n85326,33.33,-112.65\n86301,34.57,-112.44\n73942,36.68,-101.48\n",
    },
  ],
};
