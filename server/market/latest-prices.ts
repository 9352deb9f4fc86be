import {z} from "zod";
import {countyAt} from "../../lib/geography/counties.ts";
import {limitations} from "../../lib/limitations.ts";
import {LatestPriceAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import {marketAnswer, marketOf} from "./envelope.ts";
import {degreesParameter} from "./parameters.ts";
import {contextOf, withDistance} from "./places.ts";
import type {LatestKey, RecordTable} from "./record-tables.ts";

const most = {miles: 300, venues: 25};

const parameters = z
  .strictObject({
    lat: degreesParameter(90, "Latitude in decimal degrees, WGS 84; with `lon`"),
    lon: degreesParameter(180, "Longitude in decimal degrees, WGS 84; with `lat`"),
  })
  .superRefine(({lat, lon}, context) => {
    if ((lat === undefined) === (lon === undefined)) return;
    const absent = lat === undefined ? "lat" : "lon";
    context.addIssue({code: "custom", path: [absent], message: "is required with the other coordinate"});
  });

/** Latest price rows of each venue, around a point or of every venue. */
export const latestPrices = defineEndpoint({
  path: "/latest-prices",
  operationId: "latestPrices",
  summary: "Latest price records",
  description:
    "With a point: all rows of the at most 25 nearest venues within 300 miles. Without: headline cells of every venue.",
  family: "market",
  scope: "market",
  parameters,
  unspoken: ["lat", "lon"],
  response: LatestPriceAnswer,
  answer(call) {
    const market = marketOf(call);
    const {lat, lon} = call.query;
    const point = lat === undefined || lon === undefined ? null : {lat, lon};
    const chosen = point === null ? headlines(market.latest.keys) : market.venuesNear.nearest(point, most);
    const county = point === null ? undefined : countyAt(point);
    return marketAnswer(call, market, {
      records: chosen.map(({key, miles}) => ({
        text: withDistance(market.latest.record(key.row), miles),
        evidenceId: market.latest.evidenceId(key.row),
      })),
      total: chosen.length,
      limit: null,
      applied: call.query,
      resolution: point === null ? {} : {radius_mi: most.miles, venues_limit: most.venues},
      limitations: point === null ? [] : [limitations.L16],
      lastKnown: market.lastKnown("latest-prices", county?.fips ?? ""),
      context: county === undefined ? [] : contextOf(market, [county.state], [county.fips]),
    });
  },
});

/** The headline rows of every venue, in the order of the table; no place is given from which they have a distance. */
function headlines(keys: RecordTable<LatestKey>["keys"]) {
  return keys.filter((key) => key.headline).map((key) => ({key, miles: null}));
}
