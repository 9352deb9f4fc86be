import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {dataFolder} from "../lib/storage/data-folder.ts";
import {planFetch} from "../pipeline/fetch/fetch-plan.ts";
import {registeredSources} from "../pipeline/fetch/jobs/known-sources.ts";
import {writeBuildMetrics, writeFetchMetrics, writeNightMetrics} from "../pipeline/report/build-metrics.ts";
import type {FetchState} from "../schemas/fetch-state.ts";
import {createCadastreMetrics} from "../server/cadastre/cadastre-metrics.ts";
import {createDeltaMetrics} from "../server/discoveries/delta-metrics.ts";
import {createMetrics} from "../server/system/metrics.ts";
import {metricNames} from "./runbook-claims.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const folder = join(packageRoot, "deploy/monitoring");
const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const alerts = read("deploy/monitoring/alerts.yml");
const promtool = spawnSync("promtool", ["--version"]).error === undefined;

/** The text of an alert. */
function ruleOf(name: string): string {
  return alerts.split("- alert: ").find((rule) => rule.startsWith(`${name}\n`)) ?? "";
}

/** Metric names in an expression or document: two or more words joined by underscores, before a brace, range or operator. */
function figuresIn(text: string): string[] {
  const names =
    text.match(
      /\b(?:http|owner_search|delta|cadastre|build|artifact|server|process|nodejs|cattle_build|cattle_fetch|cattle_nightly)_[a-z0-9_]+\b/g,
    ) ?? [];
  return [...new Set(names)].map((name) => name.replace(/_bucket$/, ""));
}

async function fetchFigures(): Promise<string> {
  const data = dataFolder(temporaryFolder());
  const at = new Date("2026-11-21T05:00:00Z");
  const state = (source: string, failures: number, last_good: string | null): FetchState => ({
    ...{
      source,
      losses: [],
      failures,
      nights_without_progress: failures,
      last_good,
      last_asked: at.toISOString(),
      last_new: null,
      reason: null,
      bytes: 1234,
    },
    status: failures > 0 ? "failed" : "unchanged",
  });
  await writeFetchMetrics(data, [state("usdm", 3, null), state("lmr", 0, "2026-11-21T04:00:00.000Z")], at);
  await writeNightMetrics(data, 3, at);
  const files = ["cattle_fetch.prom", "cattle_nightly.prom"];
  return files.map((file) => readFileSync(join(data.metrics, file), "utf8")).join("");
}

test("tells nothing of a source that failed and is asked no more, so that its alerts end", async () => {
  const data = dataFolder(temporaryFolder());
  const state = (source: string, last_asked: string, failures: number): FetchState => ({
    ...{source, last_asked, failures, nights_without_progress: failures, last_good: null, last_new: null},
    ...{status: failures > 0 ? "key refused" : "unchanged", reason: null, losses: [], bytes: 0},
  });
  const states = [
    state("ams-text", "2026-11-18T05:00:00Z", 3),
    state("mars", "2026-11-21T04:00:00Z", 1),
    state("nass", "2026-11-01T05:00:00Z", 0),
  ];
  await writeFetchMetrics(data, states, new Date("2026-11-21T05:00:00Z"));
  const text = readFileSync(join(data.metrics, "cattle_fetch.prom"), "utf8");
  expect(text).not.toContain("ams-text");
  expect(text).toContain('cattle_fetch_key_refused{source="mars"} 1');
  expect(text).toContain('cattle_fetch_failed_runs{source="nass"} 0');
});

test("a night in which every source that is due fails pages at once, though most are not due; one that brings something does not", async () => {
  const sources = registeredSources();
  const settings = {
    CATTLE_FUTURES_LICENSED: false,
    CATTLE_CONTACT: "you@example.org",
    CATTLE_FETCH_STATES: [],
  };
  const keys = {CATTLE_MARS_KEY: "k", CATTLE_QUICKSTATS_KEY: "k", CATTLE_EIA_KEY: "k"};
  const state = (source: string, last_asked: string, failures: number): FetchState => ({
    ...{
      source,
      last_asked,
      failures,
      nights_without_progress: failures,
      last_new: null,
      losses: [],
      bytes: 1,
    },
    ...{last_good: failures > 0 ? "2026-11-27T05:40:00Z" : last_asked, reason: null},
    status: failures > 0 ? "failed" : "unchanged",
  });
  const states = new Map(sources.map(({id}) => [id, state(id, "2026-11-27T05:40:00Z", 0)]));
  const now = new Date("2026-11-28T05:30:00Z");
  const facts = {settings: {...settings, ...keys}, states, now, areNamed: false};
  const due = planFetch(sources, facts).flatMap(({action, source}) => (action === "ask" ? [source.id] : []));
  expect([due.length > 1, due.length < sources.length / 2]).toEqual([true, true]);
  const figuresOfNight = async (failed: readonly string[]) => {
    for (const id of due) states.set(id, state(id, now.toISOString(), failed.includes(id) ? 1 : 0));
    const data = dataFolder(temporaryFolder());
    await writeFetchMetrics(data, states.values(), now);
    const text = readFileSync(join(data.metrics, "cattle_fetch.prom"), "utf8");
    return ["asked", "not_whole"].map((name) =>
      Number(new RegExp(`^cattle_fetch_${name} (\\d+)$`, "m").exec(text)?.[1]),
    );
  };
  expect(await figuresOfNight(due)).toEqual([due.length, due.length]);
  expect(await figuresOfNight(due.slice(1))).toEqual([due.length, due.length - 1]);
  expect(await figuresOfNight([])).toEqual([due.length, 0]);
  expect(ruleOf("NothingIsFetched")).toContain(
    "expr: cattle_fetch_asked > 1 and cattle_fetch_not_whole == cattle_fetch_asked\n",
  );
});

async function buildFigures(): Promise<string> {
  const data = dataFolder(temporaryFolder());
  await writeBuildMetrics(data, 4, new Date("2026-11-21T05:00:00Z"));
  return readFileSync(join(data.metrics, "cattle_build.prom"), "utf8");
}

test("reports a build that published nothing, with the free space", async () => {
  const text = await buildFigures();
  expect(text).toContain("cattle_build_last_run_exit_code 4");
  expect(text).toContain(
    `cattle_build_last_run_timestamp_seconds ${Date.parse("2026-11-21T05:00:00Z") / 1000}`,
  );
  expect(text).toMatch(/^cattle_build_free_bytes \d+$/m);
  expect(text).not.toContain("cattle_build_published");
});

test("reports a failed source with its consecutive failures, and a night with its exit code", async () => {
  const text = await fetchFigures();
  expect(text).toContain('cattle_fetch_failed_runs{source="usdm"} 3');
  expect(text).toContain('cattle_fetch_failed_runs{source="lmr"} 0');
  expect(text).toContain(
    `cattle_fetch_last_good_timestamp_seconds{source="lmr"} ${Date.parse("2026-11-21T04:00:00Z") / 1000}`,
  );
  expect(text).not.toContain('last_good_timestamp_seconds{source="usdm"}');
  expect(text).toContain('cattle_fetch_last_bytes{source="usdm"} 1234');
  expect(text).toContain("cattle_nightly_last_run_exit_code 3");
});

test("alerts and dashboard use only metrics of a server or a build", async () => {
  const source = read("pipeline/report/build-metrics.ts");
  const ofBuilds = [...source.matchAll(/figures\.(?:one|each)\(\s*"([a-z_]+)"/g)].map(
    ([, name]) => `cattle_build_${name}`,
  );
  const known = new Set([
    ...(await metricNames()),
    ...ofBuilds,
    ...[...(await fetchFigures()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!),
    "process_start_time_seconds",
    "cattle_build",
    "cattle_fetch",
    "cattle_nightly",
  ]);
  const expressions = [
    ...alerts.split("\n").filter((line) => /expr:|^ {10}(?!summary|runbook)/.test(line)),
    ...[...read("deploy/monitoring/dashboard.json").matchAll(/"expr": "(.*)",?$/gm)].map(([, text]) => text!),
  ];
  const named = figuresIn(expressions.join("\n").replaceAll(/"[^"]*"/g, ""));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("a dead server, three failed nights of a source, a late night and each code of a night but 0 and 3 alert", () => {
  expect(ruleOf("ServerIsDown")).toContain('expr: up{job="cattle"} == 0\n');
  expect(ruleOf("FetchFailedThreeNights")).toContain("expr: cattle_fetch_nights_without_progress >= 3\n");
  expect(ruleOf("NightIsLate")).toContain("time() - cattle_nightly_last_run_timestamp_seconds > 36 * 3600");
  expect(ruleOf("BuildFailed")).toContain(
    "(cattle_nightly_last_run_exit_code != 0 and cattle_nightly_last_run_exit_code != 3)",
  );
});

test("answers of 503 alert but for those of a county, one refused owner search does, and damage that was cured does not", () => {
  expect(ruleOf("ServerErrors")).toContain(
    'sum by (instance) (rate(http_errors_total{problem!="cadastre-unavailable"}[5m]))',
  );
  const quota = ruleOf("OwnerSearchQuotaHit");
  expect([
    quota.includes("expr: increase(owner_search_refused_total[1h]) > 0\n"),
    quota.includes(" for:"),
  ]).toEqual([true, false]);
  const [, reasons] = /server_degraded\{reason=~"(.+)"\} > 0\n/.exec(ruleOf("ArtifactDamaged"))!;
  const isDamage = (reason: string) => new RegExp(`^(?:${reasons})$`).test(reason);
  const named = [
    "build_refused:20261121-3f9c1a",
    "file_damaged:a.arrow",
    "file_missing:b",
    "file_changed:c",
    "keys_file_bad",
  ];
  expect(named.map(isDamage)).toEqual([true, true, true, true, false]);
  expect(ruleOf("ArtifactDamaged")).not.toContain("artifact_verify_failures_total > 0");
});

test("each line of the runbook's table has an alert that names its pages", () => {
  const [, table = ""] = read("docs/runbook/README.md").split("What deserves an alert");
  const lines = table.split("\n").filter((line) => /\| [\d, ]+ \|$/.test(line));
  expect(lines.length).toBeGreaterThan(10);
  const pages = lines.flatMap((line) => /\| ([\d, ]+) \|$/.exec(line)![1]!.split(", "));
  expect(pages.filter((page) => !alerts.includes(`docs/runbook/${page.padStart(2, "0")}-`))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual([...alerts.matchAll(/- alert:/g)].length);
});

test.skipIf(!promtool)("promtool accepts the rules, the configuration and the metric names", async () => {
  const check = (words: string[], input = "") => {
    const {status, stdout, stderr} = spawnSync("promtool", ["check", ...words], {
      cwd: folder,
      input,
      encoding: "utf8",
    });
    return status === 0 ? "" : `${stdout}${stderr}`;
  };
  expect(check(["rules", "alerts.yml"])).toBe("");
  expect(check(["config", "prometheus.yml"])).toBe("");
  const {registry} = createMetrics();
  createDeltaMetrics(registry);
  createCadastreMetrics(registry);
  expect(check(["metrics"], await registry.metrics())).toBe("");
  expect(check(["metrics"], await buildFigures())).toBe("");
  expect(check(["metrics"], await fetchFigures())).toBe("");
});
