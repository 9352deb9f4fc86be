import {expect, test} from "vitest";
import {placeSignals, Signal} from "../../../server/text/place-signals.ts";

const cutout = Signal.parse({
  ...{signal: "mandatory_prices", source_id: "ams-lmr-datamart", key_type: "state", key: "KS"},
  source_date: "2026-11-18",
  values: {
    ...{
      report_scope: "mandatory",
      report_title: "Invented Cutout",
      section: "Values",
      report_date: "2026-11-18",
    },
    ...{
      labels: {class_description: "STEER"},
      measures: {choice_600_900_usd_per_cwt_carcass: 371.5, head_count: 1250},
    },
  },
});

test("a mandatory report is told in plain words, one line a report, at most six", () => {
  expect(placeSignals([cutout])).toEqual([
    [
      "Packers",
      "Invented Cutout, Values, STEER: choice 600-900 USD per cwt carcass 371.50; head count 1,250 (2026-11-18, ams-lmr-datamart)",
    ],
  ]);
  const line = {class: "STEER", grade: "Total all grades", price_basis_live: "live", delivery: "fob"};
  const priced = {
    ...line,
    price_avg: 228.3,
    change_week: -1.5,
    change_week_from: "2026-11-11",
    head_count: 1250,
  };
  const told = (...lines: object[]) => placeSignals([{...cutout, values: {...cutout.values, lines}}])[0]![1];
  expect(told(priced, {...line, price_avg: null})).toBe(
    "Invented Cutout, Values: steer, total all grades, live, fob 228.30 USD per cwt, -1.50 since 2026-11-11, 1,250 head; steer, total all grades, live, fob without a price (2026-11-18, ams-lmr-datamart)",
  );
  expect(placeSignals(Array.from({length: 9}, () => cutout))).toHaveLength(6);
  expect(placeSignals([{...cutout, values: {report_title: "Invented Cutout"}}])).toEqual([]);
});
