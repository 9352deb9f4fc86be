import {expect, test} from "vitest";
import {completedWords} from "../../../server/commands/question-commands.ts";
import {endpoints} from "../../../server/routes/routes.ts";

const words = (path: string, name: string) =>
  completedWords(name, endpoints.find((each) => each.path === path)!.parameters.shape[name]!);

test("a shell completes states, classes, statuses, uses and orders, and nothing for a number or a name", () => {
  expect(words("/price-by-county", "class")).toEqual(expect.arrayContaining(["steers", "cow_calf_pairs"]));
  expect(words("/barns", "state")).toContain("KS");
  expect(words("/barns", "status")).toEqual(["active", "seasonal", "inactive", "closed", "unverified"]);
  expect(words("/public/land-agent/property/location-search", "use")).toContain("utility_exempt");
  expect(words("/public/land-agent/property/owner-search", "sort")).toEqual(["score", "acres", "value"]);
  expect([words("/price-by-county", "weight"), words("/barns", "venue")]).toEqual([[], []]);
});
