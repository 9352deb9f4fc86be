import {type Asked, largestFirst} from "./sixty-questions.ts";

/** An agent's questions in its own words, with the tool and arguments that it chose from the list of tools alone. */
export const ofAgent: readonly {
  asks: string;
  tool: string;
  given: (asked: Asked) => Record<string, unknown>;
  says: (asked: Asked) => RegExp;
}[] = [
  {
    asks: "What are 750-lb steers bringing within 100 miles of 67801?",
    tool: "prices_near_zip",
    given: () => ({zip: "67801", radius: 100, class: "steers", weight: 750}),
    says: () =>
      /^The official Kansas summary for [^\n]*\nMedium and Large 1 steers of 750 lb were worth about \d+\.\d\d USD per cwt within 100 miles of 67801/,
  },
  {
    asks: "Ford County, Kansas, alone: 550-lb heifers?",
    tool: "county_prices",
    given: () => ({county: "Ford", state: "KS", class: "heifers", weight: 550}),
    says: () => /in Ford County, KS/,
  },
  {
    asks: "How have 500-lb steers gone in Kansas over twelve weeks, and against last year?",
    tool: "state_prices",
    given: () => ({state: "KS", class: "steers", weight: 500, history: 12}),
    says: () => /2026-08-08\|455\.22\/cwt\|21[\s\S]*Changes: no comparison with .*last year/,
  },
  {
    asks: "What did the last sale in Pratt bring?",
    tool: "latest_sales",
    given: () => ({venue: "pratt", limit: 5}),
    says: () => /^At Winter Livestock \(Pratt, KS\) on 2026-08-13/,
  },
  {
    asks: "When is its next sale?",
    tool: "sale_barns",
    given: () => ({venue: "winter pratt"}),
    says: () => /^Winter Livestock, Pratt, KS: next sale expected, [^.]* on Thursday 2026-08-27/,
  },
  {
    asks: "Which barns are within 75 miles of 37.7, -99.2?",
    tool: "sale_barns",
    given: () => ({lat: 37.7, lon: -99.2, radius: 75}),
    says: () => /^2 barns; .*\n[\s\S]*Pratt, KS/,
  },
  {
    asks: "Parcels from 40 to 160 acres around this point, the largest first?",
    tool: "parcels_near",
    given: largestFirst,
    says: () => /\|160\|/,
  },
  {
    asks: "All land of this company in Montana: parcels, acres, counties?",
    tool: "parcels_of_owner",
    given: ({owner}) => ({owner, state: "MT", exact: true}),
    says: () => /^[\d,]+ parcels, [\d,.]+ acres, in \d+ counties\./,
  },
  {
    asks: "What is there of Montana, and how fresh is it?",
    tool: "coverage",
    given: () => ({state: "MT"}),
    says: () => /^Montana: 6,062 parcels in 38 of 56 counties, from extracts/,
  },
  {
    asks: "Receipts of Clovis by year?",
    tool: "ask_sql",
    given: () => ({
      sql: "SELECT year(sale_date) AS year, count(*) AS sales, sum(receipts) AS receipts FROM sale_events WHERE venue_id = 'nm-clovis' GROUP BY 1 ORDER BY 1",
    }),
    says: () => /^year\|sales\|receipts\n-\|-\|-\n2017\|/,
  },
];
