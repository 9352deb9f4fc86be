import {join} from "node:path";
import {expect, it} from "vitest";
import {limitationId} from "../../../../lib/limitations.ts";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../../lib/storage/build-layout.ts";
import {makeAnswers} from "../../../../pipeline/market/answers/make-answers.ts";
import {
  event_pairs,
  price_pairs,
  readSecondSources,
} from "../../../../pipeline/market/answers/second-sources.ts";
import {gatherVenues} from "../../../../pipeline/market/answers/venue-places.ts";
import {loadMarketSources} from "../../../../pipeline/market/reference/market-sources.ts";
import {Evidence} from "../../../../schemas/market-evidence.ts";
import {
  Barn,
  CountyPrice,
  DirectoryRow,
  LatestPrice,
  StatePrice,
} from "../../../../schemas/market-records.ts";
import {marsAnswer, marsRow, withReading} from "../raw-folder.ts";
import {answersOf, countyRecord, evidenceWith, stateRecord, venueSaid} from "./answer-build.ts";
import {marketOf, type RowSaid, runOf} from "./workshop.ts";

const steers = "feeder-steers-ml1-0750-0799-cwt";
const ford = {countyFips: "20057", lat: 37.73, lon: -100.06, locationBasis: "city_centroid" as const};
const pratt = {countyFips: "20151", lat: 37.635, lon: -98.774, locationBasis: "yard" as const};
const venues = [
  venueSaid({venueId: "ks-dodge", ...ford}),
  venueSaid({venueId: "ks-pratt", ...pratt}),
  venueSaid({venueId: "ks-nowhere"}),
];
const ks = (said: Partial<RowSaid> & {price: number}): RowSaid => ({
  state: "KS",
  venue: "ks-dodge",
  head: 20,
  ...said,
});

/** Two equal pens, as a change needs at each of its dates. */
const twoPens = (said: Parameters<typeof ks>[0]): Parameters<typeof ks>[0][] => [said, said];

it("pools what the county's located venues sold, and says so in every place", async () => {
  const built = await answersOf(
    [
      ks({price: 300, head: 30, weight: 760}),
      ks({price: 310, head: 10, weight: 790, end: "2026-11-09"}),
      ks({price: 500, venue: "ks-nowhere"}),
    ],
    venues,
  );
  const record = countyRecord(built, "20057", steers)!;
  const pounds = 30 * 760 + 10 * 790;
  expect(record.price_avg).toBe(Math.round(((300 * 30 * 760 + 310 * 10 * 790) / pounds) * 100) / 100);
  expect([record.price_basis, record.head_count, record.rows, record.venues_reporting]).toEqual([
    "observed_in_county",
    40,
    2,
    1,
  ]);
  expect([record.first_sale_date, record.last_sale_date, record.age_days, record.window_days]).toEqual([
    "2026-11-09",
    "2026-11-16",
    5,
    14,
  ]);
  expect([record.change_week, record.change_week_reason]).toEqual([null, "too_few"]);
  const evidence = evidenceWith(built, record.evidence_id)!;
  expect(evidence.claim).toBe(
    "Medium and Large 1 feeder steers weighing 750-799 lb averaged 302.57 USD per cwt (pounds-weighted, 40 head) at 1 reporting venue located in Ford County, KS (20057), sales of 2026-11-09 to 2026-11-16.",
  );
  expect(evidence.sources).toEqual(["ams-lmr-datamart", "derived-aggregates", "mars"]);
  expect(evidence.entity_ids).toEqual([
    `cell:${steers}`,
    "county:20057",
    "report:ams-ks-dodge@2026-11-09",
    "report:ams-ks-dodge@2026-11-16",
    "state:KS",
    "venue:ks-dodge",
  ]);
});

it("widens a thin window to 28 days and says so, and never looks further back", async () => {
  const built = await answersOf(
    [
      ks({price: 300, head: 4}),
      ks({price: 320, head: 9, end: "2026-10-28"}),
      ks({price: 900, end: "2026-10-20"}),
    ],
    venues,
  );
  const record = countyRecord(built, "20057", steers)!;
  expect([record.head_count, record.window_days, record.window_widened, record.thin]).toEqual([
    13,
    28,
    true,
    false,
  ]);
  const ids = evidenceWith(built, record.evidence_id)!.limitations.map(limitationId);
  expect(ids).toContain("L06");
  expect(ids.at(-1)).toBe("L22");
});

it("estimates other counties from the nearest markets, never from thin cells, and makes no record out of reach", async () => {
  const built = await answersOf(
    [ks({price: 350}), ks({price: 360, venue: "ks-pratt"}), ks({price: 100, venue: "ks-nowhere"})],
    venues,
  );
  const between = countyRecord(built, "20097", steers)!;
  expect(between.price_basis).toBe("nearest_market_estimate");
  expect(between.contributing_venues.map((venue) => venue.venue_id)).toEqual(["ks-pratt", "ks-dodge"]);
  const [near, far] = between.contributing_venues.map((venue) => venue.distance_mi) as [number, number];
  const expected = (360 / near ** 2 + 350 / far ** 2) / (1 / near ** 2 + 1 / far ** 2);
  expect(between.price_avg).toBe(Math.round(expected * 100) / 100);
  expect([between.head_count, between.contributing_head, between.price_low, between.price_high]).toEqual([
    null,
    40,
    350,
    360,
  ]);
  const evidence = evidenceWith(built, between.evidence_id)!;
  expect(evidence.claim).toBe(
    "No reporting venue is located in Kiowa County, KS (20097); an inverse-distance estimate from 2 venues 28.5 to 44 miles away puts Medium and Large 1 feeder steers weighing 750-799 lb at 357.04 USD per cwt (contributors 350.00 to 360.00), sale of 2026-11-16.",
  );
  expect(evidence.limitations.map(limitationId)).toEqual(["L03", "L01", "L16", "L22"]);
  expect(countyRecord(built, "23003", steers)).toBeUndefined();
  expect(built.answers.counties.every(({record}) => record.price_avg !== null)).toBe(true);
  const basis = (county: string) => countyRecord(built, county, steers)!.price_basis;
  expect([basis("20057"), basis("20151")]).toEqual(["observed_in_county", "observed_in_county"]);
});

it("names one market and one day of an estimate in the singular", async () => {
  const built = await answersOf([ks({price: 350})], venues);
  const record = countyRecord(built, "20097", steers)!;
  expect(evidenceWith(built, record.evidence_id)!.claim).toContain(
    "an inverse-distance estimate from 1 venue 44 miles away puts Medium and Large 1 feeder steers weighing 750-799 lb at 350.00 USD per cwt (contributors 350.00 to 350.00), sale of 2026-11-16.",
  );
});

it("gives only a state's official summary, even if venues sold a cell that it lacks", async () => {
  const summary = {scope: "state_summary", begin: "2026-11-08", end: "2026-11-14"};
  const built = await answersOf(
    [
      ks({...summary, price: 400, head: 200}),
      ks({price: 300, end: "2026-11-11", head: 200}),
      ks({price: 280, class: "heifers", head: 50}),
      ks({price: 290, class: "heifers", head: 50, venue: "ks-pratt"}),
    ],
    venues,
  );
  const official = stateRecord(built, "KS", steers)!;
  expect([official.price_basis, official.price_avg, official.head_count, official.window_days]).toEqual([
    "official_state_summary",
    400,
    200,
    null,
  ]);
  expect([official.week_begin_date, official.week_end_date]).toEqual(["2026-11-08", "2026-11-14"]);
  const evidence = evidenceWith(built, official.evidence_id)!;
  expect(evidence.contradictions!.map((found) => [found.kind, found.difference])).toEqual([
    ["rollup_vs_summary", -100],
  ]);
  expect(evidence.confidence.score).toBe(0.4);
  expect(evidence.actionability).toBe("verify_before_acting");
  expect(stateRecord(built, "KS", "feeder-heifers-ml1-0750-0799-cwt")).toBeUndefined();
});

it("gives a commodity that the state's summary does not have at all the roll-up of its venues", async () => {
  const summary = {scope: "state_summary", begin: "2026-11-08", end: "2026-11-14"};
  const cow = {
    ...{commodity: "slaughter_cattle", class: "cows", frame: null, grade: null, weight: 1250},
    ...{quality: "boner", dressing: "average"},
  };
  const basisOfCows = async (...more: RowSaid[]) => {
    const rows = [ks({...summary, price: 400, head: 200}), ks({...cow, price: 140, head: 50}), ...more];
    const built = await answersOf(rows, venues);
    return stateRecord(built, "KS", "slaughter-cows-boner-average-cwt")?.price_basis;
  };
  expect(await basisOfCows()).toBe("derived_rollup");
  // With one cell of the commodity, those that it does not name were not reported.
  expect(await basisOfCows(ks({...summary, ...cow, quality: "lean", price: 120}))).toBeUndefined();
});

it.each([
  ["one week", ["11/08/2026", "11/14/2026"], ["11/08/2026", "11/14/2026"], "ams-2187"],
  ["one week that ends a day apart", ["11/08/2026", "11/13/2026"], ["11/08/2026", "11/14/2026"], "ams-2187"],
  ["a week apart", ["11/08/2026", "11/14/2026"], ["11/15/2026", "11/20/2026"], "ams-2187"],
  ["14 days old", ["11/01/2026", "11/07/2026"], ["11/15/2026", "11/20/2026"], "ams-2187"],
  ["15 days old", ["10/31/2026", "11/06/2026"], ["11/15/2026", "11/20/2026"], "ams-2148"],
] as const)(
  "gives the summary with the most receipts if a state has two, and never adds them: %s",
  async (_, auctions, board, report_slug) => {
    const summary = (
      slug_id: number,
      [report_begin_date, report_end_date]: readonly [string, string],
      change: object,
    ) => {
      const period = {report_begin_date, report_end_date, market_location_state: "VA"};
      return marsAnswer([marsRow({...period, slug_id, slug_name: `AMS_${slug_id}`, ...change})]);
    };
    const files = {
      "mars/board.json": summary(2148, board, {
        ...{report_title: "Virginia Weekly Feeder Cattle Board Sale Summary", avg_price: 350, receipts: 900},
      }),
      "mars/auctions.json": summary(2187, auctions, {
        ...{report_title: "Virginia Weekly Cattle Auction Summary", avg_price: 345, receipts: 4000},
      }),
    };
    await withReading({files}, async ({db, run}) => {
      const all = await gatherVenues(db, [], false);
      const context = {asOf: "2026-11-21", sample: false, registry: loadMarketSources()};
      await makeAnswers(run, {context, venues: all, previousDir: null});
      const served = await db.rows<{record: string}>("SELECT record FROM state_prices");
      expect(served.map(({record}) => JSON.parse(record))).toMatchObject([
        {state: "VA", report_slug, price_avg: report_slug === "ams-2187" ? 345 : 350, head_count: 41},
      ]);
    });
  },
);

it("gives a state without a summary the roll-up of its venues", async () => {
  const summary = {scope: "state_summary", begin: "2026-10-25", end: "2026-10-31"};
  const built = await answersOf(
    [
      ks({...summary, price: 400, head: 200}),
      ks({price: 280, class: "heifers", head: 50}),
      ks({price: 290, class: "heifers", head: 50, venue: "ks-pratt"}),
    ],
    venues,
  );
  expect(stateRecord(built, "KS", steers)).toBeUndefined();
  const rolled = stateRecord(built, "KS", "feeder-heifers-ml1-0750-0799-cwt")!;
  expect([rolled.price_basis, rolled.price_avg, rolled.venues_reporting, rolled.venues_known]).toEqual([
    "derived_rollup",
    285,
    2,
    3,
  ]);
});

it("rolls a state up over one USDA week: the newest complete one, else the one before", async () => {
  const heifers = {class: "heifers", price: 280, venue: "ks-pratt"};
  const rows = [
    ...twoPens({price: 300, end: "2026-11-02"}).map(ks),
    ks({price: 310, end: "2026-11-09"}),
    ks({price: 320, end: "2026-11-12", venue: "ks-pratt"}),
    ks({...heifers, end: "2026-11-05"}),
    ...twoPens({price: 340, end: "2026-11-16"}).map(ks),
  ];
  const rolled = async (more: RowSaid[], date: string, cell = steers) => {
    const built = await answersOf([...rows, ...more], venues, {date});
    const record = stateRecord(built, "KS", cell);
    if (record === undefined) return undefined;
    const {price_avg, week_begin_date, week_end_date, window_widened, change_week, change_week_from} = record;
    const told = evidenceWith(built, record.evidence_id)!.claim.split("known venues ")[1];
    return {price_avg, week_begin_date, week_end_date, window_widened, change_week, change_week_from, told};
  };
  const before = {
    price_avg: 315,
    week_begin_date: "2026-11-08",
    week_end_date: "2026-11-14",
    window_widened: false,
    change_week: 15,
    change_week_from: "2026-11-07",
    told: "of Kansas in the week of 2026-11-08 to 2026-11-14, sales of 2026-11-09 to 2026-11-12.",
  };
  const now = {
    price_avg: 340,
    week_begin_date: "2026-11-15",
    week_end_date: "2026-11-21",
    window_widened: false,
    change_week: 25,
    change_week_from: "2026-11-14",
    told: "of Kansas in the week of 2026-11-15 to 2026-11-21, sale of 2026-11-16.",
  };
  // Pratt, which sold in the week before, has not yet sold in this one; with its sale, or on the Sunday after, the week is whole.
  expect(await rolled([], "2026-11-21")).toEqual(before);
  expect(await rolled([ks({...heifers, class: "bulls", end: "2026-11-19"})], "2026-11-21")).toEqual(now);
  expect(await rolled([], "2026-11-22")).toEqual(now);
  expect(await rolled([], "2026-11-22", "feeder-heifers-ml1-0750-0799-cwt")).toMatchObject({
    price_avg: 280,
    week_end_date: "2026-11-07",
    window_widened: true,
    change_week: null,
  });
  expect(await rolled([], "2026-12-15")).toBeUndefined();
});

it("never adds regional, direct or video rows to a county or a state", async () => {
  const built = await answersOf(
    ["regional_summary", "national_summary", "direct", "video_internet"].map((scope) =>
      ks({scope, price: 300}),
    ),
    venues,
  );
  expect(built.answers.states).toEqual([]);
  expect(built.answers.counties.every(({record}) => record.price_basis === "none")).toBe(true);
});

it("keeps every row of each venue's latest sale, outliers among them, and no older sale", async () => {
  const prices = [345, 350, 352, 348, 351, 210, 349];
  const built = await answersOf(
    [...prices.map((price) => ks({price})), ks({price: 340, end: "2026-11-09"})],
    venues,
  );
  expect(built.answers.latest.map(({record}) => record.price_avg)).toEqual(prices);
  expect(
    built.answers.latest.filter(({record}) => record.outlier).map(({record}) => record.price_avg),
  ).toEqual([210]);
  const evidence = evidenceWith(built, `lp-ks-dodge-${steers}`)!;
  expect(evidence.contradictions!.map(({kind}) => kind)).toEqual(["outlier"]);
  expect([evidence.confidence.level, evidence.actionability]).toEqual(["low", "verify_before_acting"]);
});

it("says whom to ask what, depending on head, age, change and doubts of the record", async () => {
  const said = async (rows: Parameters<typeof ks>[0][]) => {
    const named = venues.map((venue) =>
      venue.venueId === "ks-dodge" ? {...venue, phone: "+16205550123"} : venue,
    );
    const built = await answersOf(rows.map(ks), named);
    return evidenceWith(built, `lp-ks-dodge-${steers}`)!.operational_implication;
  };
  const thin = await said([{price: 350, head: 6}]);
  expect(thin).toMatch(
    /^It rests on 6 head, sold 2026-11-16, 5 days ago: too few to price by; ask .+\(.+, \+16205550123\) how many/,
  );
  const moved = await said([
    ...twoPens({price: 350, head: 30}),
    ...twoPens({price: 340, head: 30, end: "2026-11-09"}),
  ]);
  expect(moved).toMatch(
    /^It rests on 60 head, .+, \+10.00 against 2026-11-09: compare weight, flesh, fill and weaning/,
  );
  const onePen = await said([
    {price: 350, head: 60, range: [345, 355]},
    ...twoPens({price: 340, head: 30, end: "2026-11-09"}),
  ]);
  expect(onePen).toMatch(
    /^It rests on 60 head, [^+]+: it cannot be compared with like pens of a week before; ask /,
  );
  expect(await said([{price: 350, head: 60, end: "2026-10-20"}])).toContain(
    "what this kind has brought since",
  );
});

it("leaves sales of more than 60 days to history", async () => {
  const built = await answersOf(
    [ks({price: 300, end: "2026-09-21"}), ks({price: 300, end: "2026-09-22", venue: "ks-pratt"})],
    venues,
  );
  expect(built.answers.latest.map(({record}) => record.venue_id)).toEqual(["ks-pratt"]);
  expect(built.answers.latest[0]!.record.freshness).toBe("stale");
});

it("shows only the sample's own venues in a sample build, under the sample notice", async () => {
  const built = await answersOf([ks({price: 300})], venues, {sample: true});
  expect(built.answers.barns).toEqual([]);
  expect(built.answers.evidence.every(({limitations}) => limitationId(limitations[0]!) === "L23")).toBe(true);
});

const contractFields = `claim entity_ids sources source_date ingested_at last_verified_at transformation confidence limitations
  operational_implication legal_boundary actionability contradictions change_status`;

it("gives records and evidence that fit their schemas, with all fourteen evidence fields and registered sources", async () => {
  const built = await answersOf([ks({price: 350}), ks({price: 360, venue: "ks-pratt"})], venues);
  for (const {record} of built.answers.counties.slice(0, 300)) CountyPrice.parse(record);
  for (const {record} of built.answers.states) StatePrice.parse(record);
  for (const {record} of built.answers.latest) LatestPrice.parse(record);
  for (const {barn, directory} of built.answers.barns) {
    Barn.parse(barn);
    DirectoryRow.parse(directory);
  }
  for (const evidence of built.answers.evidence) {
    if (!evidence.evidence_id.startsWith("pc-") || evidence.evidence_id.startsWith("pc-20"))
      Evidence.parse(evidence);
    expect(Object.keys(evidence).sort()).toEqual(["evidence_id", ...contractFields.split(/\s+/)].sort());
  }
  const ids = built.answers.evidence.map(({evidence_id}) => evidence_id);
  expect(new Set(ids).size).toBe(ids.length);
});

it("puts no number into a claim that its record does not have", async () => {
  const built = await answersOf([ks({price: 350}), ks({price: 360.5, venue: "ks-pratt", head: 33})], venues);
  const records = [...built.answers.counties, ...built.answers.states, ...built.answers.latest];
  for (const {record} of records.slice(0, 400)) {
    const claim = evidenceWith(built, record.evidence_id)!.claim;
    const said = JSON.stringify(record);
    const known = new Set((said.match(/\d+(\.\d+)?/g) ?? []).map(Number));
    const venueCount = record.contributing_venues.length;
    for (const number of claim.replaceAll(/(\d),(?=\d)/g, "$1").match(/\d+(\.\d+)?/g) ?? []) {
      expect(known.has(Number(number)) || Number(number) === venueCount, `${number} in ${claim}`).toBe(true);
    }
  }
});

it("writes the unrounded values beside the rounded ones, so that analysts can aggregate again", async () => {
  const built = await answersOf(
    [ks({price: 350, weight: 751}), ks({price: 361, weight: 797, head: 7})],
    venues,
    {write: true},
  );
  const db = await openDatabase();
  const [row] = await db.rows<{
    price_avg: number;
    price_avg_unrounded: number;
    avg_weight_lb_unrounded: number;
  }>(
    `SELECT price_avg, price_avg_unrounded, avg_weight_lb_unrounded FROM read_parquet(${sqlText(join(built.dir, tablePath("county_prices")))})
     WHERE county_fips = '20057' AND cell_id = '${steers}'`,
  );
  db.close();
  const pounds = 20 * 751 + 7 * 797;
  expect(row!.price_avg_unrounded).toBeCloseTo((350 * 20 * 751 + 361 * 7 * 797) / pounds, 10);
  expect(row!.avg_weight_lb_unrounded).toBeCloseTo(pounds / 27, 10);
});

it("checks a sale against a second source, but not against an earlier version from the same source", async () => {
  const told = async (source: string, price: number) => {
    const db = await marketOf([ks({price: 400, source: "mars"})]);
    await db.run(
      `INSERT INTO issue_versions SELECT * REPLACE (2 AS issue_no, 2 AS merged_into, false AS current, '${source}' AS source_id) FROM issue_versions;
      INSERT INTO measured_rows SELECT * REPLACE (2 AS issue_no, 2 AS row_no, ${price} AS price_avg) FROM measured_rows`,
    );
    const run = runOf(db);
    await run.make(price_pairs, event_pairs);
    return (await readSecondSources(run)).of("ks-dodge", "2026-11-16", {
      cell_id: steers,
      commodity: "feeder_cattle",
    });
  };
  expect(await told("ams-lmr-datamart", 400.5)).toEqual([]);
  expect((await told("ams-lmr-datamart", 405))!.map((found) => [found.kind, found.difference])).toEqual([
    ["same_cell_price", 5],
  ]);
  expect(await told("mars", 405)).toBeNull();
});
