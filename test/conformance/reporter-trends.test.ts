import {existsSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {parsePrintedReport, readNarrative} from "@open-cattle/usda-reports";
import {describe, expect, test} from "vitest";
import type {Reporter} from "../../schemas/vocabulary/reporter.ts";
import {corpus} from "./corpus.ts";
import {comparedByHand, demandByHand, readByHand} from "./reporter-readings.ts";

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
    const {direction, low, high, unit, qualifier} = entry;
    const cattle = [kindOfCattle ?? "*", commodity?.split("_")[0] ?? "*", kind, grade];
    const weights = from === null && to === null ? null : `${from ?? ""}-${to ?? ""}`;
    const range =
      low === null && high === null ? null : `${low}..${high}${unit === "per_cwt" ? "" : ` ${unit}`}`;
    const parts = [cattle.filter((part) => part !== null).join("/"), weights, direction, range, qualifier];
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
    const compared = new Set(reporter?.trend.map(({compared_with}) => compared_with));
    expect([...compared]).toEqual(
      readByHand[file] === undefined || readByHand[file].length === 0
        ? []
        : [comparedByHand[file] === undefined ? "last_week" : comparedByHand[file]],
    );
    const range = (from: string | null, to: string | null) => (to === null ? from : `${from} to ${to}`);
    const said =
      reporter === null
        ? "null; null"
        : `${range(reporter.demand, reporter.demand_to)}; ${range(reporter.supply, reporter.supply_to)}`;
    expect(said).toBe(demandByHand[file] ?? "null; null");
  });

  // The corpus has 51 reports with room for a comment; 21 of them have a trend.
  test("are all there, and none has a direction that no form fits", () => {
    expect([files.length, Object.values(readByHand).filter((said) => said.length > 0).length]).toEqual([
      51, 21,
    ]);
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
