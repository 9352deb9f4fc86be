import {hash} from "node:crypto";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {readNarrative} from "@open-cattle/usda-reports";
import {expect, it} from "vitest";
import {curveFigure, type SalePen} from "../../../lib/market/curve-figure.ts";
import {type RuleSet, ruleSetVersions, versionOf} from "../../../lib/market/rule-sets.ts";
import {packageRoot} from "../../../lib/paths.ts";
import type {KnownSale} from "../../../pipeline/market/answers/known-sales.ts";
import {linesOf, type ReportRow} from "../../../pipeline/market/answers/mandatory-lines.ts";
import {inferSchedule, nextSale} from "../../../pipeline/market/answers/next-sale.ts";
import {answersOf, venueSaid} from "./answers/answer-build.ts";
import type {RowSaid} from "./answers/workshop.ts";

/** Four invented barns around one county: two sell in two weeks, with pens of several weights, an outlier and a described lot. */
const venues = [
  venueSaid({
    venueId: "ks-one",
    countyFips: "20057",
    lat: 37.73,
    lon: -100.06,
    locationBasis: "yard",
    city: "One",
  }),
  venueSaid({
    venueId: "ks-two",
    countyFips: "20055",
    lat: 38.04,
    lon: -100.83,
    locationBasis: "yard",
    city: "Two",
  }),
];
const weeks = ["2026-11-09", "2026-11-16"];
const rows: RowSaid[] = ["ks-one", "ks-two"].flatMap((venue, at) =>
  weeks.flatMap((end, week): RowSaid[] => [
    ...[520, 580, 640, 710, 765, 780].map((weight, step) => ({
      ...{venue, state: "KS", end, weight, head: 12 + step},
      price: 460 - weight / 5 + 3 * at + 2 * week + (step % 3),
    })),
    {venue, state: "KS", end, weight: 770, head: 9, price: 290, descriptors: ["unweaned"]},
    {
      venue,
      state: "KS",
      end,
      commodity: "slaughter_cattle",
      class: "cows",
      frame: null,
      grade: null,
      quality: "boner",
      dressing: "average",
      weight: 1250,
      head: 11,
      price: 140 + at + week,
    },
    {
      venue,
      state: "KS",
      end,
      commodity: "replacement_cattle",
      class: "bred_cows",
      age: "2-4",
      stage: "t2",
      weight: null,
      bin: null,
      unit: "per_head",
      head: 14,
      price: 2600 + 10 * week,
    },
  ]),
);

/** An invented row of a mandatory report. */
const packerReport: ReportRow = {
  ...{key: "lm-ct139/detail/steer", report_date: "2026-11-16", report_slug: "ams-2469", section: "Detail"},
  report_title: "TX-OK-NM Weekly Direct Slaughter Cattle - Formula, Grid and Contract Purchases (LM_CT139)",
  labels: JSON.stringify({
    ...{purchase_type_code: "FORMULA NET", class_description: "STEER"},
    ...{selling_basis_description: "DRESSED DELIVERED", grade_description: "Total all grades"},
  }),
  measures: JSON.stringify({head_count: 900, weight_range_avg: 905, weighted_avg_price: 371.2}),
  ...{published_at_source: null, source_path: "a", ingested_at: "2026-11-16T20:00:00Z"},
};

/** What each set of rules computes of the inputs above, in few figures. */
async function outputs(): Promise<Record<RuleSet, unknown>> {
  const {answers} = await answersOf(rows, venues);
  const priced = (record: Record<string, unknown>) =>
    [
      "cell_id",
      "price_basis",
      "price_avg",
      "price_low",
      "price_high",
      "head_count",
      "avg_weight_lb",
      "value_per_head",
      "thin",
    ].map((name) => record[name]);
  const counties = answers.counties.map(({record}) => record as Record<string, unknown>);
  const states = answers.states.map(({record}) => record as Record<string, unknown>);
  const changes = "cell_id change_week change_week_from change_year matched_cells last_sale then_sale".split(
    " ",
  );
  const known = (day: string, report_slug: string, receipts: number): KnownSale => ({
    ...{venue_id: "ks-one", report_slug, day, basis: "reported", receipts},
    ...{special: false, classes: ["steers"], source_id: "mars"},
  });
  const sales = ["11-16", "11-09", "10-26", "10-12"].flatMap((day, at) => [
    known(`2026-${day}`, "ams-1", 900 + at),
    known(`2026-${day.replace(/\d$/, "8")}`, "ams-2", 80),
  ]);
  const schedule = inferSchedule(sales, "2026-11-21");
  const sale = {venueId: "ks-one", state: "KS", date: "2026-11-16"};
  const pens = rows.flatMap(({weight, head, price, class: kind, descriptors}): SalePen[] =>
    kind === undefined && descriptors === undefined
      ? [{grade: "1", weightLb: weight!, price: price!, head: head!, ageDays: 5, sale}]
      : [],
  );
  const figures = [525, 650, 775].map((weightLb) => {
    const {price, low, high, reasons} = curveFigure(pens, {weightLb, grade: "1"});
    return [price, low, high].map((value) => value?.toFixed(4)).concat(reasons);
  });
  const said = readNarrative(
    {
      text: "Compared to last week steers under 600 lbs sold 10.00-25.00 higher, heavier weights mostly steady. Demand was good on a moderate supply.",
      notices: ["No sale on November 26th"],
      office: "Invented office",
    },
    "2026-11-16",
  );
  return {
    cells: counties.filter(({price_basis}) => price_basis === "observed_in_county").map(priced),
    curve: figures,
    changes: [...counties, ...states].map((record) => changes.map((name) => record[name])),
    state_weeks: states.map((record) => [
      ...priced(record),
      record["week_begin_date"],
      record["week_end_date"],
      record["window_days"],
    ]),
    estimate: counties
      .filter(({price_basis}) => price_basis === "nearest_market_estimate")
      .map((record) => [
        record["county_fips"],
        ...priced(record),
        record["nearest_distance_mi"],
        record["contributing_head"],
      ]),
    schedule: [schedule?.rules, nextSale(schedule, "2026-11-21")],
    reporter: said,
    mandatory: linesOf(packerReport),
    directory: answers.barns.map(({directory}) => ({...directory, schedule: null, evidence_id: null})),
  };
}

it("keeps the version of each set of rules as long as it computes the same", async () => {
  const kept = readFileSync(join(packageRoot, "test/cases/rule-sets.txt"), "utf8").split("\n");
  const lines = Object.entries(await outputs()).map(
    ([name, output]) =>
      `${versionOf([name as RuleSet])} ${hash("sha256", JSON.stringify(output)).slice(0, 16)}`,
  );
  expect(Object.keys(ruleSetVersions).sort()).toEqual(
    lines.map((line) => line.replace(/-\d+ .*/, "")).sort(),
  );
  expect(
    lines.filter((line) => !kept.includes(line)),
    "computes something else of the same inputs: raise its number in lib/market/rule-sets.ts and add this line to test/cases/rule-sets.txt",
  ).toEqual([]);
  const numbered = kept.filter((line) => line !== "").map((line) => line.split(" ")[0]);
  expect(
    numbered.filter((line, at) => numbered.indexOf(line) !== at),
    "has two digests",
  ).toEqual([]);
});
