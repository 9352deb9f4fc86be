import {readZips} from "../geo/zips.ts";
import type {GeographyFeed} from "./feed.ts";

/** ZIP areas and their counties. The sample has those near its barns: real numbers, coordinates to a hundredth of a degree. */
export const geo: GeographyFeed = {kind: "geography", source: null, read: readZips, sample: ["sample.csv"]};
