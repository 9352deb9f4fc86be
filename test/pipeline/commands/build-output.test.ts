import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeEach, describe, expect, test} from "vitest";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {printBuildResult, printKeptBack, printPlan} from "../../../pipeline/commands/build-output.ts";
import type {BuildPlan} from "../../../pipeline/parts/build-plan.ts";
import type {BuildResult} from "../../../pipeline/publish/build.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import {keptOutput} from "../../kept-output.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const buildId = "20261121-3f9c1a";
let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

/** What is printed, with what the function gives. */
function printed<T>(work: () => T): {lines: string[]; code: T} {
  using written = keptOutput();
  const code = work();
  return {lines: written.stdout.trimEnd().split("\n"), code};
}

const file = (path: string, changes: Partial<FileReport> = {}): FileReport => ({
  ...fileWithoutRows(path, "mars", "read", null),
  ...changes,
});
const good = file("market/mars/b.json", {
  rowsIn: 1200,
  accepted: 1100,
  rejected: {no_price: 90, x: 3},
  merged: 7,
});
const noted = file("market/mars/a.json", {rowsIn: 5, accepted: 5, reason: "two  of its\ncounties are new"});
const failed = file("market/mars/c.json", {
  status: "failed",
  reason: `market/mars/c.json: ${"x".repeat(350)}`,
});
const partial = file("market/mars/d.json", {
  rowsIn: 2,
  accepted: 1,
  rejected: {partial_issue: 1},
  reason: "a page is missing",
});
const quiet = file("market/mars/e.json", {status: "joined", reason: "a table of others"});

const gate = {part: "TX", gate: "G1", figure: 0.4, warn_at: 0.2, fail_at: 0.5, detail: "fewer rows"};
const result = (changes: Partial<BuildResult> = {}): BuildResult => ({
  ...{buildId, outcome: "published", heldBack: [], gates: [], delta: []},
  report: {as_of_date: "2026-11-21", sample: true, parts: {MARKET: [good]}, left_out: []},
  ...changes,
});
const withFiles = (...files: FileReport[]) => ({
  report: {as_of_date: "2026-11-21", sample: true, parts: {MARKET: files}, left_out: []},
});
const show = (changes: Partial<BuildResult> = {}, options = {}) =>
  printed(() => printBuildResult(result(changes), dataFolder(root), options));

describe("the result of a build", () => {
  test("ends with totals over its files, its report if any, and its outcome", () => {
    expect(show()).toEqual({
      lines: ["1 file: 1,200 rows in, 1,100 accepted, 93 rejected, 7 merged", `published ${buildId}`],
      code: 0,
    });
    const folder = dataFolder(root).builds;
    mkdirSync(join(folder, buildId), {recursive: true});
    writeFileSync(join(folder, buildId, "report.html"), "");
    expect(show().lines.at(-2)).toBe(`report: ${join(folder, buildId, "report.html")}`);
  });

  test.each([
    ["adopted", `published (built before from the same inputs) ${buildId}`, 0],
    ["part", `written, not published: ${buildId}`, 0],
    ["nothing", `nothing published; would have been ${buildId}`, 4],
  ] as const)("that is %s says %j", (outcome, words, code) => {
    const shown = show({outcome});
    expect([shown.lines.at(-1), shown.code]).toEqual([words, code]);
  });

  test("names unread files, truncated to a line, and notes on others", () => {
    const {lines, code} = show(withFiles(noted, failed, partial, quiet, good));
    expect(code).toBe(3);
    expect(lines.slice(0, -2)).toEqual([
      `not read: market/mars/c.json: ${"x".repeat(280)} …`,
      "not read: market/mars/d.json: a page is missing",
      "note: market/mars/a.json: two of its counties are new",
    ]);
    expect(lines.at(-2)).toBe("5 files: 1,207 rows in, 1,106 accepted, 94 rejected, 7 merged");
  });

  test("shows each file in a table on request, and then names none separately", () => {
    const {lines} = show(withFiles(good, failed), {files: true});
    expect(lines).toEqual([
      expect.stringMatching(/^file +status +rows in +accepted +rejected +merged +reasons$/),
      expect.stringMatching(/^market\/mars\/b\.json +read +1,200 +1,100 +93 +7 +no_price 90, x 3$/),
      expect.stringMatching(/^market\/mars\/c\.json +failed +0 +0 +0 +0 +market\/mars\/c\.json: x{280} …$/),
      expect.stringMatching(/^2 files +1,200 +1,100 +93 +7 +rows in = accepted \+ rejected \+ merged$/),
      "2 files: 1,200 rows in, 1,100 accepted, 93 rejected, 7 merged",
      `published ${buildId}`,
    ]);
  });

  test("has a line per delta folder, counting records from the future separately", () => {
    const counts = {
      folder: "delta",
      segments: 1,
      rowsIn: 1500,
      accepted: 1400,
      rejected: 30,
      fromTheFuture: 0,
      merged: 70,
    };
    const delta = [counts, {...counts, folder: "other", segments: 2, fromTheFuture: 10}];
    expect(show({delta}).lines.slice(0, 2)).toEqual([
      "delta, 1 segment: 1,500 discoveries in, 1,400 accepted, 30 damaged, 70 merged",
      "other, 2 segments: 1,500 discoveries in, 1,400 accepted, 20 damaged, 70 merged, 10 rejected from_the_future",
    ]);
  });

  test("is complete as JSON", () => {
    const heldBack = [{part: "TX", because: "too few rows"}];
    const {lines, code} = show({heldBack}, {json: true});
    const {report: _, buildId: __, heldBack: ___, ...rest} = result();
    expect(JSON.parse(lines.join(""))).toEqual({
      ...{...rest, build_id: buildId, held_back: heldBack, files: [good], exit_code: 3},
    });
    expect(code).toBe(3);
  });
});

test("reports gates that did not pass, and parts that were held back", () => {
  const gates = (["pass", "skipped", "warn", "fail", "accepted"] as const).map((status) => ({
    ...gate,
    status,
  }));
  const heldBack = [{part: "TX", because: "G1 failed"}];
  const {lines} = printed(() => printKeptBack(result({gates, heldBack})));
  expect(lines).toEqual([
    "warn: TX G1: 0.4 (fails above 0.5): fewer rows",
    expect.stringMatching(/^fail: TX G1: 0\.4 .*If it is right all the same: cattle build --accept TX:G1/),
    "accepted: TX G1: 0.4 (fails above 0.5): fewer rows",
    "held back: TX: G1 failed",
  ]);
});

describe("a plan", () => {
  const part = {name: "TX", action: "build", because: "new files", files: [{sizeBytes: 5}, {sizeBytes: 7}]};
  const base = {manifest: {build_id: "20261120-aaaaaa"}};
  const leftOut = [file("x.csv", {status: "left_out", reason: "no such entry"})];
  const plan = (changes: object = {}) =>
    ({
      ...{buildId, adopts: false, sample: true, base: null, earlier: null, parts: [part], leftOut},
      ...changes,
    }) as unknown as BuildPlan;

  test.each([
    [false, `would build ${buildId}`],
    [true, `would publish ${buildId}, which already exists`],
  ])("that adopts a build, %s, ends with %j", (adopts, last) => {
    const {lines, code} = printed(() => printPlan(plan({adopts}), false));
    expect(lines).toEqual([
      expect.stringMatching(/^part +action +files +because$/),
      expect.stringMatching(/^TX +build +2 +new files$/),
      "left_out: x.csv: no such entry",
      last,
    ]);
    expect(code).toBe(0);
  });

  test("as JSON has the bytes of its parts and the builds that it rests on", () => {
    const read = (changes: object) =>
      JSON.parse(printed(() => printPlan(plan(changes), true)).lines.join(""));
    expect(read({base, earlier: {manifest: {build_id: "20261119-bbbbbb"}}})).toEqual({
      ...{
        build_id: buildId,
        adopts: false,
        sample: true,
        base: "20261120-aaaaaa",
        earlier: "20261119-bbbbbb",
      },
      parts: [{part: "TX", action: "build", because: "new files", files: 2, bytes: 12}],
      left_out: leftOut,
    });
    expect(read({})).toMatchObject({base: null, earlier: null});
  });
});
