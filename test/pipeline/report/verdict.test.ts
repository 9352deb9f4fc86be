import {expect, test} from "vitest";
import type {BuildPlan} from "../../../pipeline/parts/build-plan.ts";
import {reportHtml} from "../../../pipeline/report/report-html.ts";
import type {BuildReport} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("the verdict names a file that was not read with its reason, of which it shows 160 letters", async () => {
  const path = "parcels/us-az-one/a.csv";
  const saidOf = async (reason: string) => {
    const plan = {asOf: "2026-11-21", sample: false, parts: [], gates: []} as unknown as BuildPlan;
    const file = {path, reason, status: "failed", rowsIn: 0, accepted: 0, merged: 0, rejected: {}, notes: {}};
    const report = {parts: {AZ: [file]}, left_out: []} as unknown as BuildReport;
    const html = await reportHtml(temporaryFolder(), plan, [], report);
    return /<li>([^<]*)<\/li><\/ul><\/div>/.exec(html.slice(0, html.indexOf("<nav")))?.[1];
  };
  expect(await saidOf(`${path}: cut\n off`)).toBe(`${path}: cut off`);
  expect(await saidOf("x".repeat(160))).toBe(`${path}: ${"x".repeat(160)}`);
  expect(await saidOf("x".repeat(161))).toBe(`${path}: ${"x".repeat(160)} …`);
});
