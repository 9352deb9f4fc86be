import {expect, test} from "vitest";
import {applyAcceptances, gateText, judge, judgeFaults, loss, skipped} from "../../../pipeline/parts/gate.ts";
import type {Acceptance} from "../../../schemas/manifest.ts";

const limits = {warnAt: 0.01, failAt: 0.02};

test.each([
  [0.01, limits, "pass"],
  [0.0101, limits, "warn"],
  [0.02, limits, "warn"],
  [0.0201, limits, "fail"],
  [9, {warnAt: 0.01, failAt: null}, "warn"],
  [9, {warnAt: null, failAt: null}, "pass"],
  [0, {warnAt: null, failAt: 0}, "pass"],
  [-1, limits, "pass"],
])("judges a figure of %d within %j beyond its bounds, not at them: %s", (figure, bounds, status) => {
  expect(judge("TX", "rows", figure, {...bounds, detail: "why"})).toEqual({
    ...{part: "TX", gate: "rows", status, figure, warn_at: bounds.warnAt, fail_at: bounds.failAt},
    detail: status === "pass" ? null : "why",
  });
});

test("shows a figure with six decimals, but judges its full precision", () => {
  expect(judge("TX", "rows", 0.0200000004, limits)).toMatchObject({
    status: "fail",
    figure: 0.02,
    detail: null,
  });
});

test("a single fault fails its gate", () => {
  expect([0, 1].map((count) => judgeFaults("TX", "nulls", count, "row 3"))).toMatchObject([
    {status: "pass", detail: null},
    {status: "fail", figure: 1, fail_at: 0, detail: "row 3"},
  ]);
});

test.each([
  [100, 98, 0.02],
  [100, 103, -0.03],
  [100, 0, 1],
  [0, 5, 0],
])("computes the loss from %d to %d as %d", (before, now, expected) => {
  expect(loss(before, now)).toBeCloseTo(expected, 12);
});

const failed = judge("TX", "rows", 0.031, limits);
const acceptance = (part: string, gate: string) => ({part, gate, reason: "seen"}) as unknown as Acceptance;

test("lets a person accept the failure of one gate of one part, but of no absolute gate", () => {
  const results = [
    failed,
    judge("OK", "rows", 1, limits),
    judge("TX", "rows", 0.015, limits),
    judgeFaults("TX", "read-back", 1),
  ];
  const statuses = (...acceptances: Acceptance[]) =>
    applyAcceptances(results, acceptances).map(({status}) => status);
  expect(statuses(acceptance("TX", "rows"), acceptance("TX", "read-back"))).toEqual([
    "accepted",
    "fail",
    "warn",
    "fail",
  ]);
  expect(statuses(acceptance("TX", "drops"), acceptance("OK", "other"))).toEqual([
    "fail",
    "fail",
    "warn",
    "fail",
  ]);
  for (const gate of ["duplicates", "delta-merged", "sources-registered"])
    expect(applyAcceptances([judgeFaults("TX", gate, 1)], [acceptance("TX", gate)])[0]!.status).toBe("fail");
});

test("prints a result on one line: figure, bound and, for a failure, what to do next", () => {
  expect(gateText(failed)).toMatch(/^TX rows: 0\.031 \(fails above 0\.02\)\. .*--accept TX:rows/);
  expect(gateText({...failed, detail: "county 48453"})).toMatch(
    /^TX rows: 0\.031 \(fails above 0\.02\): county 48453\. /,
  );
  expect(gateText({...failed, status: "accepted"})).toBe("TX rows: 0.031 (fails above 0.02)");
  expect(gateText(skipped("TX", "rows", "no earlier build"))).toBe("TX rows: -: no earlier build");
  expect(gateText(judgeFaults("TX", "duplicates", 2))).toBe(
    "TX duplicates: 2 (fails above 0). No acceptance overrides this gate.",
  );
});
