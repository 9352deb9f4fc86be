import {expect, test} from "vitest";
import {surveyedStates} from "../../pipeline/fetch/jobs/known-sources.ts";

test("are the 50 states and the District of Columbia, and no territory", () => {
  const names = surveyedStates.map(({state}) => state);
  expect(names).toHaveLength(51);
  expect(names).toEqual(expect.arrayContaining(["AL", "DC", "TX", "VT", "WI", "WY"]));
  expect(names.filter((name) => ["AS", "GU", "MP", "PR", "VI"].includes(name))).toEqual([]);
});
