import {expect, test} from "vitest";
import {leastSeconds, linesOfNotAsked} from "../../../pipeline/commands/fetch-output.ts";

test("sources that are not asked for one reason stand together, and the reason is said once", () => {
  const lines = linesOfNotAsked([
    {source: "mars", status: "no key", reason: "set CATTLE_MARS_KEY_FILE"},
    {source: "us-ne", status: "not allowed", reason: "no terms"},
    {source: "us-ia", status: "not allowed", reason: "no terms"},
    {source: "futures", status: "not allowed", reason: "no licence"},
    {source: "usdm", status: "not due", reason: null},
  ]);
  expect(lines).toEqual([
    "no key: mars (set CATTLE_MARS_KEY_FILE)",
    "not allowed: us-ne, us-ia (no terms); futures (no licence)",
    "not due: usdm",
  ]);
});

test("a plan takes as long as its busiest host, or as all hosts four at a time", () => {
  const source = (host: string, seconds: number) => ({hosts: [host], seconds});
  expect(leastSeconds([])).toBe(0);
  expect(leastSeconds([source("a", 50), source("a", 50), source("b", 10)])).toBe(100);
  expect(leastSeconds("abcdefgh".split("").map((host) => source(host, 100)))).toBe(200);
});
