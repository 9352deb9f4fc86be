import {expect, test} from "vitest";
import printed from "../data/printed-bands.json" with {type: "json"};
import {knownReports, reportKinds} from "../src/report-kind.ts";
import {commodities, priceUnits} from "../src/report-words.ts";

test("each known report has a number, a kind, letters of a state and the lists that name it", () => {
  const wrong = [...knownReports.values()].filter(
    ({slug, kind, state, source}) =>
      !/^\d{1,6}$/.test(slug) ||
      !reportKinds.includes(kind) ||
      !/^[A-Z]{2}$/.test(state ?? "XX") ||
      source === "",
  );
  expect(knownReports.size).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});

test("each range of printed prices is of a commodity and unit of the reports", () => {
  const wrong = printed.bands.filter(
    ({price_unit, commodity, min, max}) =>
      !priceUnits.includes(price_unit as (typeof priceUnits)[number]) ||
      !commodities.includes(commodity as (typeof commodities)[number]) ||
      !(0 < min && min < max),
  );
  expect(wrong).toEqual([]);
});
