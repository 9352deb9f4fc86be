import {readNarrative} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import type {MarketRecord} from "../../../server/text/market-record.ts";
import {reportersOf} from "../../../server/text/reporter-notes.ts";

/** The statements of a comment as a person reads them. */
function said(text: string): string[] {
  const reporter = readNarrative({text, notices: [], office: null}, "2026-09-01")!;
  return reportersOf([{reporter, report_url: "invented"} as unknown as MarketRecord])[0]!.trend;
}

test.each([
  [
    "Compared to last week: Feeder steers and stocker calves too light to test.",
    ["feeder steers not tested against last week", "feeder calves not tested against last week"],
  ],
  [
    "Compared to last week: Feeder heifers 750 lbs sold steady to 5.00 higher.",
    ["feeder heifers 750 lb steady to 5.00 higher against last week"],
  ],
  [
    "Compared to two weeks ago: Steers under 600 lbs from 10.00 lower to 8.00 higher.",
    ["feeder steers under 600 lb 10.00 lower to 8.00 higher against two weeks ago"],
  ],
])("the statements of a comment are told in plain words: %s", (text, statements) => {
  expect(said(text)).toEqual(statements);
});
