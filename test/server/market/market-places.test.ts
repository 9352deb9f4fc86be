import {expect, it} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {stateOfCounty, vintageLimitations} from "../../../server/market/place-context.ts";

it("says L19 for Connecticut's planning regions, which the county table lacks, and for nothing else", () => {
  expect(vintageLimitations(["09110"])).toEqual([limitations.L19]);
  expect(vintageLimitations(["40017", "09190"])).toEqual([limitations.L19]);
  expect(vintageLimitations(["09003", "40017", "40999"])).toEqual([]);
});

it("knows the state of a county code that is newer than the county table", () => {
  expect([stateOfCounty("09110"), stateOfCounty("40017"), stateOfCounty("99001")]).toEqual([
    "CT",
    "OK",
    undefined,
  ]);
});
