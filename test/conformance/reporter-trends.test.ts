import {existsSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {parsePrintedReport} from "../../pipeline/market/ams-text/print-reader.ts";
import {readNarrative} from "../../pipeline/market/narrative/read-narrative.ts";
import type {Reporter} from "../../schemas/vocabulary/reporter.ts";
import {corpus} from "./corpus.ts";

/**
 * What a person read in each report of the corpus, beside the output of the parser: class or `*`, use, what narrows it, weights, direction,
 * range. A report that says nothing of a trend has an empty list. The day is that with which the comment compares.
 */
const readByHand: Readonly<Record<string, readonly string[]>> = {
  "market/ams-text/ams_1889_2026-07-15.txt": [
    "steers/feeder not_tested",
    "heifers/feeder not_tested",
    "cows/slaughter/boner steady",
    "cows/slaughter/boner undertone_higher",
    "cows/slaughter/lean higher 0..8",
  ],
  "market/ams-text/ams_1889_2026-07-22.txt": [
    "steers/feeder not_tested",
    "heifers/feeder not_tested",
    "*/feeder/calves not_tested",
    "cows/slaughter/boner steady",
    "cows/slaughter/boner undertone_lower",
    "cows/slaughter/lean lower 12..12",
    "cows/*/feeding steady",
  ],
  "market/ams-text/ams_1889_2026-08-05.txt": [
    "steers/feeder not_tested",
    "heifers/feeder not_tested",
    "*/feeder/calves not_tested",
    "cows/slaughter/boner steady",
    "cows/slaughter/boner undertone_lower",
    "cows/slaughter/lean higher 0..9",
  ],
  "market/ams-text/ams_1889_2026-08-12.txt": [
    "steers/feeder not_tested",
    "*/feeder/calves not_tested",
    "heifers/feeder 750-750 higher 0..5",
    "steers/feeder 1000- steady",
    "cows/slaughter lower 5..5",
  ],
  "market/ams-text/ams_1891_2026-07-09.txt": [
    "steers/feeder 650-950 higher 10..25",
    "steers/feeder -650 not_tested",
    "heifers/feeder 700-925 not_tested",
    "heifers/feeder 700-925 undertone_higher",
    "heifers/feeder -700 not_tested",
    "cows/slaughter steady",
    "bulls/slaughter steady",
  ],
  "market/ams-text/ams_1891_2026-07-23.txt": [
    "steers/feeder 550-900 not_tested",
    "heifers/feeder 550-900 not_tested",
    "steers/feeder 550-900 undertone_lower",
    "heifers/feeder 550-900 undertone_lower",
    "cows/slaughter lower 0..3",
    "bulls/slaughter lower 0..3",
  ],
  "market/ams-text/ams_1891_2026-08-06.txt": [
    "steers/feeder 700-975 not_tested",
    "heifers/feeder 700-975 not_tested",
    "steers/feeder 700-975 higher",
    "heifers/feeder 700-975 higher",
    "steers/feeder -700 not_tested",
    "heifers/feeder -700 not_tested",
    "cows/slaughter not_tested",
    "bulls/slaughter not_tested",
    "cows/slaughter undertone_higher",
    "bulls/slaughter undertone_higher",
  ],
  "market/ams-text/ams_1891_2026-08-13.txt": [
    "steers/feeder 700-950 not_tested",
    "heifers/feeder 700-950 not_tested",
    "steers/feeder 700-950 undertone_lower",
    "heifers/feeder 700-950 undertone_lower",
    "steers/feeder -700 not_tested",
    "heifers/feeder -700 not_tested",
    "cows/slaughter lower 2..5",
    "bulls/slaughter lower 2..5",
  ],
  "market/ams-text/ams_1895_2026-07-11.txt": ["*/* not_tested"],
  "market/ams-text/ams_1895_2026-07-18.txt": ["steers/feeder lower 0..15", "heifers/feeder lower 0..15"],
  "market/ams-text/ams_1895_2026-08-08.txt": [
    "steers/feeder higher 7..15",
    "heifers/feeder higher 0..5",
    "cows/slaughter not_tested",
    "bulls/slaughter not_tested",
  ],
  "market/ams-text/ams_1895_2026-08-22.txt": [
    "steers/feeder/calves -600 undertone_higher",
    "heifers/feeder/calves -600 undertone_higher",
    "steers/feeder/yearlings 600- lower 10..20",
    "heifers/feeder/yearlings 600- lower 10..20",
    "cows/slaughter lower 2..6",
    "bulls/slaughter lower 2..6",
  ],
  "market/mars/ams_1777_billings_2026-04-30.json": [
    "*/feeder not_tested",
    "*/feeder undertone_higher",
    "cows/*/feeding not_tested",
    "cows/slaughter not_tested",
    "cows/*/feeding undertone_higher",
    "cows/slaughter undertone_higher",
    "bulls/slaughter not_tested",
    "bulls/slaughter undertone_steady",
    "cows/*/young undertone_lower",
  ],
  "market/mars/ams_1778_montana_weekly_2026-05-04.json": [
    "*/feeder not_tested",
    "*/feeder undertone_higher",
    "cows/*/feeding higher 1..3",
    "cows/slaughter/breaker not_tested",
    "cows/slaughter/boner not_tested",
    "cows/slaughter/lean not_tested",
    "cows/slaughter/breaker undertone_steady",
    "cows/slaughter/boner undertone_steady",
    "cows/slaughter/lean undertone_steady",
    "bulls/slaughter lower 0..null",
    "bulls/*/feeding steady",
    "cows/*/young steady",
  ],
  "new-market/ams_1772_sheep_goat.txt": [],
  "new-market/ams_1778_mt.txt": [],
  "new-market/ams_1907_co.txt": [],
  "new-market/ams_1976_indiana.txt": [],
  "new-market/ams_2709_se_direct.txt": [],
  "new-market/ams_2710_tx_direct.txt": ["steers/feeder higher 1..9", "heifers/feeder higher 1..9"],
  "new-market/ams_2713_superior_video.txt": ["steers/feeder higher 15..25"],
  "new-market/ams_2770_mt_direct.txt": ["*/* not_tested"],
  "new-market/ams_2940_sw_direct.txt": [],
  "new-market/dtn_AMS_1933_ga.txt": ["cows/slaughter higher 2..6", "bulls/slaughter higher 2..6"],
  "new-market/dtn_AMS_1963_sc.txt": [
    "steers/feeder steady",
    "bulls/feeder steady",
    "heifers/feeder higher 5..5",
    "cows/slaughter higher 2..2",
    "bulls/slaughter higher 4..4",
  ],
  "new-market/dtn_AMS_2026_worthing.txt": ["steers/feeder higher 0..4", "heifers/feeder higher 0..4"],
  "cases/market/duplicate-lot/ams_1889.txt": [
    "steers/feeder not_tested",
    "*/feeder/calves not_tested",
    "heifers/feeder 750-750 higher 0..5",
    "steers/feeder 1000- steady",
    "cows/slaughter lower 5..5",
  ],
};

/** Demand and supply, read by hand in the same reports; a report that is not named says neither in a form of its own. */
const demandByHand: Readonly<Record<string, string>> = {
  "market/ams-text/ams_1889_2026-08-05.txt": "good; light to moderate",
  "market/ams-text/ams_1889_2026-08-12.txt": "good; light to moderate",
  "cases/market/duplicate-lot/ams_1889.txt": "good; light to moderate",
  "market/ams-text/ams_1891_2026-07-09.txt": "good; null",
  "market/ams-text/ams_1891_2026-07-23.txt": "moderate; null",
  "market/ams-text/ams_1891_2026-08-06.txt": "good; null",
  "market/ams-text/ams_1891_2026-08-13.txt": "moderate; null",
  "market/ams-text/ams_1895_2026-08-08.txt": "good; null",
  "market/ams-text/ams_1895_2026-08-22.txt": "moderate; null",
  "market/mars/ams_1777_billings_2026-04-30.json": "very_good; null",
  "market/mars/ams_1778_montana_weekly_2026-05-04.json": "good to very_good; null",
  "new-market/ams_2770_mt_direct.txt": "good; null",
  "new-market/dtn_AMS_2026_worthing.txt": "very_good; null",
};

function reporterOf(file: string): Reporter | null {
  const content = readFileSync(join(corpus!, file), "utf8");
  if (file.endsWith(".json")) {
    const {narrative: text, sale_date} = JSON.parse(content) as {narrative: string; sale_date: string};
    return readNarrative({text, notices: [], office: null}, sale_date);
  }
  const {
    narrative: text,
    notices = [],
    office = null,
    report_end_date,
  } = parsePrintedReport(content, file).header;
  return readNarrative({text, notices, office}, report_end_date);
}

function statements({trend}: Reporter): string[] {
  return trend.map((entry) => {
    const {class: kindOfCattle, commodity, kind, grade, weight_low_lb: from, weight_high_lb: to} = entry;
    const {direction, low, high} = entry;
    const cattle = [kindOfCattle ?? "*", commodity?.split("_")[0] ?? "*", kind, grade];
    const weights = from === null && to === null ? null : `${from ?? ""}-${to ?? ""}`;
    const range = low === null && high === null ? null : `${low}..${high}`;
    const parts = [cattle.filter((part) => part !== null).join("/"), weights, direction, range];
    return parts.filter((part) => part !== null).join(" ");
  });
}

/** All printed reports of the corpus; those that the table does not name have no comment at all. */
function printedReports(): string[] {
  const folders = ["market/ams-text", "new-market"];
  const cases = readdirSync(join(corpus!, "cases/market")).map((name) => `cases/market/${name}`);
  return [...folders, ...cases]
    .filter((folder) => existsSync(join(corpus!, folder)))
    .flatMap((folder) =>
      /\.md$/.test(folder) ? [] : readdirSync(join(corpus!, folder)).map((name) => `${folder}/${name}`),
    )
    .filter((file) => file.endsWith(".txt"));
}

describe.skipIf(corpus === null)("what reporters say in the reports of the corpus", () => {
  const files = corpus === null ? [] : [...new Set([...Object.keys(readByHand), ...printedReports()])].sort();

  test.each(files)("is read as a person reads it: %s", (file) => {
    const reporter = reporterOf(file);
    expect(reporter === null ? [] : statements(reporter)).toEqual(readByHand[file] ?? []);
    const range = (from: string | null, to: string | null) => (to === null ? from : `${from} to ${to}`);
    const said =
      reporter === null
        ? "null; null"
        : `${range(reporter.demand, reporter.demand_to)}; ${range(reporter.supply, reporter.supply_to)}`;
    expect(said).toBe(demandByHand[file] ?? "null; null");
  });

  test("are all there, and none has a direction that no form fits", () => {
    expect(files.length).toBeGreaterThanOrEqual(50);
    expect(files.reduce((sum, file) => sum + (reporterOf(file)?.trend_unparsed ?? 0), 0)).toBe(0);
  });

  test("have shares of supply that add up to a hundred, as they are rounded", () => {
    for (const file of files) {
      const shares = reporterOf(file)?.supply_shares;
      if (shares?.feeder == null || file.includes("1976")) continue;
      const all = (shares.feeder_pct ?? 0) + (shares.slaughter_pct ?? 0) + (shares.replacement_pct ?? 0);
      const feeders = Object.values(shares.feeder).reduce((sum, percent) => sum + percent, 0);
      expect([file, Math.abs(all - 100) <= 1, Math.abs(feeders - 100) <= 1]).toEqual([file, true, true]);
    }
  });
});
