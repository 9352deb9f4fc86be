import {expect, test} from "vitest";
import {sampleLicences} from "../../../../pipeline/market/samples/sample-barns.ts";

test("the sample of a state's licences has 24 numbered licensees, all active, the same each time", () => {
  const [head, ...lines] = sampleLicences("TX", "2026-11-21").trimEnd().split("\n");
  expect(head).toBe("Licensee,License Type,State,Bonded,Status,List As Of");
  expect(lines.map((line) => line.split(",")[0])).toEqual(
    Array.from({length: 24}, (_, i) => `Sample Licensee ${i + 1}`),
  );
  expect(lines.filter((line) => !/,TX,(?:Yes|No),Active,2026-11-21$/.test(line))).toEqual([]);
  expect(new Set(lines.map((line) => line.split(",")[3]))).toEqual(new Set(["Yes", "No"]));
  expect(sampleLicences("TX", "2026-11-21")).toBe([head, ...lines, ""].join("\n"));
});
