import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {roundedMiles} from "../../lib/geography/distance-band.ts";
import type {NearestMarket} from "../../schemas/market-answer.ts";
import type {NearbyBarn} from "../../schemas/market-barn-price.ts";
import type {Barn} from "../../schemas/market-records.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {BarnKey, Keyed, KindTest} from "../tables/record-tables.ts";

type Wanted = {state: string | undefined; test: KindTest | null};

/**
 * Finds the market nearest to a point with a reported sale of the requested kinds in the days of the latest prices or, if no kinds are requested, the
 * nearest one that ever reported a sale. Null without such a market.
 */
export function nearestMarket(
  market: MarketArtifacts,
  from: Point,
  {state, test}: Wanted,
): NearestMarket | null {
  const [recent] = market.venuesNear.nearest(from, {
    miles: Number.POSITIVE_INFINITY,
    venues: 1,
    test: (key) => (state === undefined || key.state === state) && (test === null || test(key)),
  });
  if (recent !== undefined)
    return nearestMarketOf(market.latest.record(recent.key.row), recent.miles, recent.key.reportEndDate);
  // Older sales are not known by kind: such a market may never have sold these cattle.
  if (test !== null) return null;
  const known = market.barns.keys.filter((barn) => state === undefined || barn.state === state);
  return lastKnownMarket(market, known, from);
}

/** Number of barns that an answer about a ZIP names. */
const fewBarns = 5;

/** The barns nearest to a point but for closed ones, whether or not they sold anything; nearest first. */
export function nearestBarns(market: MarketArtifacts, from: Point): NearbyBarn[] {
  const measured = market.barns.keys.flatMap((key) =>
    key.point === null || key.status === "closed" ? [] : {key, miles: distanceMiles(from, key.point)},
  );
  return measured
    .sort((a, b) => a.miles - b.miles)
    .slice(0, fewBarns)
    .map(({key, miles}) => {
      const barn = JSON.parse(market.barns.record(key.row)) as Barn;
      return {
        ...{venue_id: barn.venue_id, venue_name: barn.venue_name, city: barn.city, state: barn.state},
        ...{distance_mi: roundedMiles(miles), sale_days: barn.sale_days},
        ...{last_sale_date: barn.last_reported_sale_date, next_sale_date: barn.next_sale_date},
        phone: barn.phone,
      };
    });
}

function lastKnownMarket(
  market: MarketArtifacts,
  barns: readonly Keyed<BarnKey>[],
  from: Point,
): NearestMarket | null {
  const measured = barns.flatMap((barn) =>
    barn.point === null || barn.lastSaleDate === null
      ? []
      : [{barn, lastSaleDate: barn.lastSaleDate, miles: distanceMiles(from, barn.point)}],
  );
  if (measured.length === 0) return null;
  const nearest = measured.reduce((best, one) => (one.miles < best.miles ? one : best));
  return nearestMarketOf(
    market.barns.record(nearest.barn.row),
    roundedMiles(nearest.miles),
    nearest.lastSaleDate,
  );
}

/** The market's members, taken from its record, which is that of a latest price or of a barn. */
function nearestMarketOf(record: string, miles: number, lastSaleDate: string): NearestMarket {
  const {venue_id, venue_name, city, state, county_fips, no_sale_on, schedule} = JSON.parse(
    record,
  ) as NearestMarket & Partial<Pick<Barn, "schedule">>;
  const exceptions =
    schedule?.exceptions.filter(({kind, date}) => kind === "no_sale" && date > lastSaleDate) ?? [];
  const unheld = no_sale_on ?? exceptions.map(({date}) => date);
  return {
    ...{venue_id, venue_name, city, state, county_fips},
    ...{distance_mi: miles, last_sale_date: lastSaleDate},
    ...(unheld.length === 0 ? {} : {no_sale_on: unheld}),
  };
}
