/** A question of a rancher, a buyer or an economist, the tool and arguments that answer it, and what a right answer holds. */
export type MarketQuestion = {
  readonly number: number;
  readonly asks: string;
  readonly tool: string;
  readonly given: Readonly<Record<string, string | number>>;
  /** The words of the tool's answer. */
  readonly says: RegExp;
  /** Of the body that the same question has over HTTP; absent for `ask_sql`, which has no endpoint. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into freely by tests
  readonly holds?: (body: any) => boolean;
  /** Why the reports of the corpus cannot tell it; the answer then says so. */
  readonly unknown?: string;
};

const kansas = {state: "KS", class: "steers"};
const officialWeek = /The official Kansas summary for 2026-08-16 to 2026-08-22 reports/;

/**
 * The thirty questions of the shared cases by their numbers, over the reports to 2026-08-23. Where `unknown` says why, the corpus cannot tell.
 */
export const thirtyQuestions: readonly MarketQuestion[] = [
  {
    ...{number: 1, asks: "550-lb steers near 67801 today, a week and a year ago", tool: "prices_near_zip"},
    given: {zip: "67801", class: "steers", weight: 550},
    says: /409\.00 USD per cwt on 39 head[\s\S]*were worth about 412\.\d\d USD per cwt within 150 miles of 67801/,
    holds: ({summary}) => summary.change_week === null && summary.change_year_reason !== undefined,
  },
  {
    ...{number: 2, asks: "725-lb heifers near 64836", tool: "latest_sales"},
    given: {zip: "64836", class: "heifers", weight: 725},
    says: /This build holds no report of a sale within 150 miles of 64836\.[\s\S]*nearest barn with such a report is Winter Livestock, Pratt, KS/,
    holds: (body) => body.no_report_held !== undefined && body.nearest_market.distance_mi > 150,
    unknown: "no report of a barn within 150 miles is in the corpus for August",
  },
  {
    ...{number: 3, asks: "Which barn paid most for 700-lb steers, net of freight?", tool: "latest_sales"},
    given: {
      ...{zip: "67801", radius: 200, class: "steers", weight: 700, rate_per_mile: 5, load_lb: 50_000},
      ...{head: 70, shrink_pct: 3, commission_pct: 0},
    },
    says: /by what is left a head/,
    holds: ({barns}) =>
      barns.length > 1 &&
      barns.every(
        (barn: {net_per_head: number; price_avg: number; freight_hd: number}) =>
          Math.abs(barn.net_per_head - (barn.price_avg * 7 * 0.97 - barn.freight_hd)) < 0.02,
      ),
  },
  {
    ...{number: 4, asks: "The slide between 500 and 600 lb in Kansas", tool: "state_prices"},
    given: {...kansas, weight: 550},
    says: /slide 3\d\.\d\d USD from 50 lb lighter to 50 lb heavier/,
    holds: ({summary}) => summary.slide > 0,
  },
  {
    ...{number: 5, asks: "A pound of gain from 500 to 600 lb there", tool: "state_prices"},
    given: {...kansas, weight: 500},
    says: /a pound of gain to 600 lb 2\.\d\d USD/,
  },
  {
    ...{number: 6, asks: "What does a 525-lb steer bring per head?", tool: "prices_near_zip"},
    given: {zip: "67801", class: "steers", weight: 525},
    says: /2,2\d\d\.\d\d USD a head/,
    holds: ({summary}) => Math.abs(summary.value_per_head - summary.price_avg * 5.25) < 0.03,
  },
  {
    ...{number: 7, asks: "Heifers less than steers at 600 lb", tool: "state_prices"},
    given: {...kansas, weight: 600},
    says: /heifers -\d\d\.\d\d/,
    holds: ({summary}) => summary.heifer_spread.price_avg < 0 || summary.heifer_spread < 0,
  },
  {
    ...{number: 8, asks: "How much more do weaned calves bring than plain lots?", tool: "ask_sql"},
    // No lot of the weeks before the day is called weaned; the newest sale with such lots beside others is of 2019.
    given: {
      sql: "SELECT v.report_end_date, v.weight_bin_low_lb AS bin, v.price_avg AS value_added, v.head_count, p.price_avg AS without_comment, round(v.price_avg - p.price_avg, 2) AS more FROM price_rows AS v JOIN price_rows AS p USING (venue_id, report_end_date, class, frame, muscle_grade, weight_bin_low_lb, price_unit) WHERE v.lot_descriptors = ['value_added'] AND p.lot_descriptors = [] AND v.class = 'steers' AND v.muscle_grade = '1' AND v.head_count >= 10 AND p.head_count >= 10 ORDER BY ALL DESC LIMIT 1",
    },
    says: /2019-04-10\D+550\D+181\b[\s\S]*?10\.\d/,
  },
  {
    ...{number: 9, asks: "Is the market up, or were better cattle sold?", tool: "state_prices"},
    given: {...kansas, weight: 550},
    says: /Changes: no comparison with last week and last year/,
    unknown: "the reporters say that no market test was possible at either sale",
  },
  {
    ...{number: 10, asks: "What did the reporter say at Dodge City?", tool: "latest_sales"},
    given: {venue: "ks-dodge-city", limit: 1},
    says: /Reporter: Winter Livestock - Dodge City, KS 2026-08-12 \|/,
    holds: ({records: [record]}) => record.reporter.trend.length > 0 && record.reporter.text.length > 0,
  },
  {
    ...{number: 11, asks: "Enough 450-lb heifers at Pratt for a market test?", tool: "latest_sales"},
    given: {venue: "ks-pratt", class: "heifers", weight: 450},
    says: /Nothing is reported for this question/,
    holds: (body) => body.result_status === "no_rows",
  },
  {
    ...{number: 12, asks: "Bred cows of three to five years in Missouri", tool: "state_prices"},
    given: {state: "MO", class: "bred_cows"},
    says: /This build holds no report of a sale in Missouri/,
    unknown: "no Missouri report with bred cows is in the corpus for August",
  },
  {
    ...{number: 13, asks: "Pairs, by age of cow", tool: "ask_sql"},
    given: {
      sql: "SELECT age_class, sum(head_count) AS pairs, max(report_end_date) AS newest FROM price_rows WHERE class = 'cow_calf_pairs' AND report_scope = 'venue' GROUP BY 1 ORDER BY 2 DESC LIMIT 5",
    },
    says: />8\D+41\D[\s\S]*5-8\D+25\D/,
  },
  {
    ...{number: 14, asks: "Boner, breaker and lean cows in Kansas", tool: "state_prices"},
    given: {state: "KS", commodity: "slaughter_cattle", class: "cows"},
    says: /Boner slaughter cows, average dressing at 166\.55[\s\S]*Breaker [\s\S]*170\.00[\s\S]*Lean /,
  },
  {
    ...{number: 15, asks: "Bologna bulls", tool: "state_prices"},
    given: {state: "KS", commodity: "slaughter_cattle", class: "bulls"},
    says: /slaughter bulls, average dressing at 200\.79 USD per cwt on 12 head/,
  },
  {
    ...{number: 16, asks: "Five-area negotiated cash of live steers", tool: "ask_sql"},
    given: {sql: "SELECT count(*) AS lines FROM mandatory_prices WHERE region = '5 Area'"},
    says: /lines[^\d]+0\b/,
    unknown:
      "the corpus has no report of cattle from the Datamart; test/pipeline/market/answers/mandatory-prices.test.ts has invented ones",
  },
  {
    ...{number: 17, asks: "The Choice cutout", tool: "state_prices"},
    given: {state: "MT"},
    says: /choice 600-900\|cutout\|371\.31\|\+1\.66\|2026-08-11/,
    holds: ({records}) =>
      records.some(
        (line: {grade_printed: string; price_avg: number; change_week: number}) =>
          line.grade_printed === "choice 600-900" && line.price_avg === 371.31 && line.change_week === 1.66,
      ),
  },
  {
    ...{number: 18, asks: "Basis of 750-lb steers against the futures", tool: "ask_sql"},
    given: {
      sql: "SELECT DISTINCT reason FROM derived_measures WHERE measure = 'spread_to_feeder_futures' AND reason IS NOT NULL",
    },
    says: /Futures values are not redistributed in this deployment/,
    unknown:
      "settlements need a licence, and those of the corpus end in 2025, before the first Kansas report",
  },
  {
    ...{
      number: 19,
      asks: "The Kansas summary of 550-lb steers, and how complete is the week?",
      tool: "state_prices",
    },
    given: {...kansas, weight: 550},
    says: officialWeek,
    holds: ({records: [record]}) =>
      "completeness" in record && record.price_basis === "official_state_summary",
  },
  {
    ...{number: 20, asks: "Does the roll-up agree with the summary?", tool: "state_prices"},
    given: {...kansas, weight: 550},
    says: /The official Kansas summary [\s\S]*409\.00[\s\S]*were worth about 412\.\d\d/,
    holds: ({summary}) => summary.official.price_avg === 409,
  },
  {
    ...{number: 21, asks: "Which barns sell feeders on Mondays near 64836?", tool: "sale_barns"},
    given: {zip: "64836", radius: 150},
    says: /15 barns; no coming sale day is known/,
    unknown: "no calendar and no report of August tells the days of these barns",
  },
  {
    ...{number: 22, asks: "When is the next sale at Pratt?", tool: "sale_barns"},
    given: {venue: "ks-pratt"},
    says: /next sale expected, as its reported sales suggest, on Thursday 2026-08-27/,
  },
  {
    ...{number: 23, asks: "Was there a sale at Pratt on that day?", tool: "latest_sales"},
    given: {venue: "ks-pratt", from: "2026-08-13", to: "2026-08-13", limit: 1},
    says: /Pratt[\s\S]* on 2026-08-13, /,
    holds: ({result_status}) => result_status === "ok",
  },
  {
    ...{number: 24, asks: "What did a past sale bring, row by row?", tool: "latest_sales"},
    given: {venue: "ks-pratt", from: "2026-08-06", to: "2026-08-06", limit: 50},
    says: /1 to 49 of 49/,
    holds: ({records}) =>
      records.reduce(
        (sum: number, {head_count: head}: {head_count: number | null}) => sum + (head ?? 0),
        0,
      ) === 2360,
  },
  {
    ...{number: 25, asks: "750-lb steers in Kansas over twelve weeks and last year's", tool: "state_prices"},
    given: {...kansas, weight: 750, history: 64},
    says: /2026-08-08\|364\.57\/cwt\|204/,
  },
  {
    ...{number: 26, asks: "In which months are 500-lb steers dearest in New Mexico?", tool: "ask_sql"},
    given: {
      sql: "SELECT month, round(value, 3) AS index, years, months_missing, reason FROM derived_measures WHERE measure = 'seasonal_index' AND venue_id = 'nm-clovis' AND cell_id LIKE 'feeder-steers-ml1-0500%' ORDER BY value DESC NULLS LAST LIMIT 3",
    },
    says: /\b3\D+1\.046\D+7\b/,
  },
  {
    ...{number: 27, asks: "Video sales of the South Central region", tool: "ask_sql"},
    given: {
      sql: "SELECT count(*) AS lots FROM price_rows WHERE report_scope = 'video_internet'",
    },
    says: /lots[^\d]+0\b/,
    unknown: "the corpus has no video sale before that day",
  },
  {
    ...{number: 28, asks: "Drought, storm and diesel at the nearest barns", tool: "prices_near_zip"},
    given: {zip: "67801", limit: 1},
    says: /Nearest barns|Packers/,
    holds: ({nearest_barns, context}) => nearest_barns.length >= 3 && context.length > 0,
  },
  {
    ...{number: 29, asks: "Licensed dealers of a state", tool: "licensed_dealers"},
    given: {state: "KS"},
    says: /No public list of licensed dealers of KS is in this build; that is not a count of zero/,
    unknown: "no licence list is in the corpus",
  },
  {
    ...{number: 30, asks: "Montana's brand inspection rules", tool: "ask_sql"},
    given: {
      sql: "SELECT title, url FROM signals_references WHERE area = 'MT' AND source_id = 'state-brand-inspection-agencies'",
    },
    says: /https:/,
  },
];
