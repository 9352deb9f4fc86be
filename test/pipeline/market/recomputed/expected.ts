import {expectedState} from "./expected-state.ts";
import {
  ageOf,
  agreement,
  freshnessOf,
  type Named,
  pooled,
  roundedChanges,
  type Served,
  scoreOf,
} from "./figures.ts";
import {besides, changes, isThin, type Pool, windowPool} from "./pools.ts";
import {cellOf, milesSql, type Published} from "./published.ts";
import {rounded} from "./rounded.ts";

/** Numeric members of the record, computed independently. */
export async function expectedOf(published: Published, served: Served): Promise<Named> {
  const makers: Record<string, (published: Published, served: Served) => Promise<Named>> = {
    "/price-by-county": expectedCounty,
    "/price-by-state": expectedState,
    "/latest-prices": expectedLatest,
    "/cattle-sale-barn-directory": expectedListing,
    "/barns": expectedBarn,
    "/dealers/stats": expectedDealers,
  };
  return makers[served.path]!(published, served);
}

async function expectedCounty(published: Published, served: Served): Promise<Named> {
  const {record} = served;
  const county = `venue_id IN (SELECT venue_id FROM barns WHERE county_fips = '${record["county_fips"]}')`;
  const found = await windowPool(published, record, county);
  const distance = await distanceAsked(published, served);
  if (found.head === null) return {...(await expectedEstimate(published, served)), ...distance};
  const score = scoreOf(served, {
    recency: found.recency,
    head: found.head,
    coverage: found.venues.length >= 2 ? 1 : 0.9,
  });
  return {
    price_basis: "observed_in_county",
    ...pooled(found, record, published.asOf),
    ...(await besides(published, record, found.where)),
    ...roundedChanges(
      await changes(
        published,
        record,
        found.venues.map((id) => ({column: "venue_id", id})),
      ),
    ),
    ...distance,
    ...score,
    first_sale_date: found.first,
    venues_reporting: found.venues.length,
    window_days: found.days,
    window_widened: found.days === 28,
    nearest_distance_mi: null,
    contributing_venues: [],
  };
}

type Near = {venue_id: string; distance_mi: number};

async function expectedEstimate(published: Published, served: Served): Promise<Named> {
  const {record} = served;
  const near = await published.db.rows<Near>(
    `SELECT venue_id, round(${milesSql("c", "b")}, 1) AS distance_mi
    FROM barns AS b, county_points AS c WHERE c.key = $county AND location_basis IN ('yard', 'city_centroid')
      AND ${milesSql("c", "b")} <= 150 ORDER BY distance_mi, venue_id`,
    {county: record["county_fips"] as string},
  );
  const contributors: (Near & Awaited<ReturnType<typeof windowPool>>)[] = [];
  for (const venue of near) {
    if (contributors.length === 3) break;
    const found = await windowPool(published, record, `venue_id = '${venue.venue_id}'`);
    if (found.head !== null && !isThin(record, found.head)) contributors.push({...venue, ...found});
  }
  if (contributors.length === 0) {
    const nothing = {
      rows: 0,
      rows_excluded: 0,
      weight_imputed_rows: 0,
      venues_reporting: 0,
      matched_cells: 0,
      matched_pens: 0,
    };
    const empty = {...nothing, price_basis: "none", price_avg: null, price_low: null, price_high: null};
    return {
      ...empty,
      window_days: 28,
      head_count: null,
      contributing_head: null,
      contributing_venues: [],
      ...scoreOf(served, null),
    };
  }
  const beside = await Promise.all(contributors.map(({where}) => besides(published, record, where)));
  const sum = (name: string) => beside.reduce((total, found) => total + Number(found[name]), 0);
  return {
    ...fromContributors(published, served, contributors),
    rows: contributors.reduce((total, one) => total + one.rows, 0),
    rows_excluded: sum("rows_excluded"),
    weight_imputed_rows: sum("weight_imputed_rows"),
    venues_reporting: contributors.length,
    matched_cells: 0,
    matched_pens: 0,
  };
}

function fromContributors(
  {asOf}: Published,
  served: Served,
  contributors: readonly (Near & Pool & {days: number})[],
): Named {
  const inverse = contributors.map(({distance_mi}) => 1 / Math.max(distance_mi, 10) ** 2);
  const weights = inverse.reduce((a, b) => a + b);
  const price = contributors.reduce((sum, one, i) => sum + inverse[i]! * one.price!, 0) / weights;
  const prices = contributors.map((one) => one.price!);
  const last = contributors
    .map((one) => one.last!)
    .sort()
    .at(-1)!;
  const head = contributors.reduce((sum, one) => sum + one.head!, 0);
  const nearest = contributors[0]!.distance_mi;
  const coverage = nearest <= 25 ? 0.6 : nearest <= 50 ? 0.5 : nearest <= 100 ? 0.3 : 0.15;
  return {
    price_basis: "nearest_market_estimate",
    price_avg: rounded(price, 2),
    price_low: rounded(Math.min(...prices), 2),
    price_high: rounded(Math.max(...prices), 2),
    head_count: null,
    contributing_head: head,
    last_sale_date: last,
    age_days: ageOf(last, asOf),
    nearest_distance_mi: nearest,
    distance_band: nearest <= 25 ? "near" : nearest <= 50 ? "local" : nearest <= 100 ? "regional" : "distant",
    window_days: Math.max(...contributors.map(({days}) => days)),
    contributing_venues: contributors.map((one) => ({
      venue_id: one.venue_id,
      distance_mi: one.distance_mi,
      price_avg: rounded(one.price, 2),
      head_count: one.head,
      report_end_date: one.last,
    })),
    ...scoreOf(served, {
      recency: contributors.reduce((sum, one) => sum + one.head! * one.recency, 0) / head,
      head,
      coverage,
    }),
  };
}

async function distanceAsked({db}: Published, {asked, record}: Served): Promise<Named> {
  const zip = asked.get("zip");
  if (zip === null) return {};
  const [row] = await db.rows<Named>(
    `SELECT round(${milesSql("z", "c")}, 1) AS distance_mi FROM zip_points AS z, county_points AS c
    WHERE z.key = $zip AND c.key = $county`,
    {zip, county: record["county_fips"] as string},
  );
  return row!;
}

async function expectedLatest(published: Published, served: Served): Promise<Named> {
  const {record, asked} = served;
  const [row] = await published.db.rows<Named & {age: number; head: number; price: number}>(
    `WITH sale AS (
      SELECT *, max(report_end_date) OVER (PARTITION BY report_slug) AS latest FROM r
      WHERE venue_id = $venue AND report_scope IN ('venue', 'video_internet') AND age BETWEEN 0 AND 60
    ), numbered AS (SELECT *, row_number() OVER (ORDER BY issue_id, row_ordinal) AS n FROM sale WHERE report_end_date = latest)
    SELECT n.cell, n.price_avg::DOUBLE AS price, n.price_min::DOUBLE AS price_min, n.price_max::DOUBLE AS price_max, n.head_count,
      n.avg_weight_lb, n.weight_min_lb, n.weight_max_lb, n.report_end_date::VARCHAR AS report_end_date, n.age::INTEGER AS age,
      n.outlier, (NOT n.usable)::INTEGER AS rows_excluded,
      (n.avg_weight_lb IS NULL AND n.w IS NOT NULL AND n.price_unit = 'per_cwt')::INTEGER AS weight_imputed_rows, e.receipts, (SELECT coalesce(sum(head_count), 0)::INTEGER FROM numbered AS o WHERE o.cell = n.cell AND o.report_end_date = n.report_end_date) AS head
    FROM numbered AS n LEFT JOIN sale_events AS e USING (issue_id) WHERE n = $ordinal`,
    {venue: record["venue_id"] as string, ordinal: record["row_ordinal"] as number},
  );
  const {cell, age, head, price, ...members} = row!;
  const recency = age <= 10 ? 1 : age <= 21 ? 0.8 : age <= 35 ? 0.5 : 0.25;
  const weight = members["avg_weight_lb"] as number | null;
  const market = {
    column: "venue_id",
    id: String(record["venue_id"]),
    date: String(record["report_end_date"]),
  } as const;
  return {
    ...members,
    ...roundedChanges(await changes(published, record, [market])),
    ...(await latestDistance(published, record, asked)),
    ...scoreOf(served, {recency, head, coverage: 0.9}),
    rows: 1,
    venues_reporting: 1,
    price_avg: price,
    price_low: members["price_min"] ?? price,
    price_high: members["price_max"] ?? price,
    age_days: age,
    freshness: freshnessOf(age),
    value_per_head:
      record["price_unit"] === "per_cwt" && weight !== null ? rounded((price * weight) / 100, 2) : null,
    thin: members["head_count"] !== null && isThin(record, members["head_count"] as number),
    ...(cell === cellOf(record) ? {} : {cell_id: `rows of ${cell}`}),
  };
}

async function latestDistance({db}: Published, record: Named, asked: URLSearchParams): Promise<Named> {
  if (!asked.has("lat")) return {};
  const [row] = await db.rows<Named>(
    `SELECT round(${milesSql("p", "b")}, 1) AS distance_mi
    FROM barns AS b, (SELECT $lat::DOUBLE AS lat, $lon::DOUBLE AS lon) AS p WHERE venue_id = $venue`,
    {venue: record["venue_id"] as string, lat: asked.get("lat")!, lon: asked.get("lon")!},
  );
  return row!;
}

/** Confidence of a directory claim: by the age of the last check and by where the coordinates come from. */
async function expectedListing({db, asOf}: Published, {record, evidence}: Served): Promise<Named> {
  const [row] = await db.rows<{age: number | null; yard: boolean}>(
    `SELECT greatest(0, date_diff('day', last_verified_at::DATE, $asOf::DATE))::INTEGER AS age, location_basis = 'yard' AS yard
    FROM barns WHERE venue_id = $venue AND last_verified_at IS NOT NULL`,
    {venue: record["venue_id"] as string, asOf},
  );
  if (row === undefined || row.age === null) return {"confidence.score": null};
  const recency = row.age <= 90 ? 1 : row.age <= 365 ? 0.5 : 0.2;
  const score = recency * (row.yard ? 0.9 : 0.6) * agreement(evidence.contradictions);
  return {"confidence.score": rounded(score, 4)};
}

async function expectedBarn(published: Published, served: Served): Promise<Named> {
  const {db, asOf} = published;
  const {record} = served;
  const venue = record["venue_id"] as string;
  const [row] = await db.rows<Named>(
    `SELECT min(sale_date)::VARCHAR AS first_reported_sale_date, max(sale_date)::VARCHAR AS last_reported_sale_date,
      (count(DISTINCT sale_date) FILTER (sale_date >= $asOf::DATE - 365))::INTEGER AS reports_last_365_days
    FROM sale_events WHERE venue_id = $venue AND sale_date <= $asOf::DATE`,
    {venue, asOf},
  );
  const receipts = await db.rows<{receipts: number}>(
    `SELECT receipts FROM sale_events WHERE venue_id = $venue AND receipts IS NOT NULL ORDER BY sale_date DESC, issue_id LIMIT 12`,
    {venue},
  );
  const sorted = receipts.map((sale) => sale.receipts).sort((a, b) => a - b);
  const middle =
    sorted.length === 0 ? null : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  const sold = await db.rows<{class: string}>(
    `SELECT DISTINCT class FROM r WHERE venue_id = $venue AND class IS NOT NULL AND age BETWEEN 0 AND 365 ORDER BY class`,
    {venue},
  );
  return {
    ...row,
    ...(await expectedListing(published, served)),
    median_receipts_last_12_sales: rounded(middle, 0),
    classes_reported: sold.map((found) => found.class),
  };
}

async function expectedDealers({db}: Published, {record}: Served): Promise<Named> {
  const [row] = await db.rows<Named>(
    `SELECT licensed_dealers, licensed_market_agencies, licensed_markets, bonded, other, total_entities,
      (SELECT count(DISTINCT state)::INTEGER FROM dealers) AS states_with_list, 50 AS states_in_all FROM dealers
    WHERE state = $state AND list_scope IS NOT DISTINCT FROM $scope`,
    {state: record["state"] as string, scope: record["list_scope"] as string | null},
  );
  return row!;
}
