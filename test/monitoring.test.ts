import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {dataFolder} from "../lib/storage/data-folder.ts";
import {writeBuildMetrics} from "../pipeline/report/build-metrics.ts";
import {createCadastreMetrics} from "../server/cadastre/cadastre-metrics.ts";
import {createDeltaMetrics} from "../server/delta/delta-metrics.ts";
import {createMetrics} from "../server/http/metrics.ts";
import {metricNames} from "./runbook-claims.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const folder = join(packageRoot, "deploy/monitoring");
const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const alerts = read("deploy/monitoring/alerts.yml");
const promtool = spawnSync("promtool", ["--version"]).error === undefined;

/** Names of figures in an expression or a document: two words or more, joined by underscores, before a brace, a range or an operator. */
function figuresIn(text: string): string[] {
  const names =
    text.match(/\b(?:http|delta|cadastre|build|artifact|server|process|nodejs|cattle_build)_[a-z0-9_]+\b/g) ??
    [];
  return [...new Set(names)].map((name) => name.replace(/_bucket$/, ""));
}

async function buildFigures(): Promise<string> {
  const data = dataFolder(temporaryFolder());
  await writeBuildMetrics(data, {exitCode: 4, at: new Date("2026-11-21T05:00:00Z")});
  return readFileSync(join(data.metrics, "cattle_build.prom"), "utf8");
}

test("a build that published nothing says so, with the free space", async () => {
  const text = await buildFigures();
  expect(text).toContain("cattle_build_last_run_exit_code 4");
  expect(text).toContain(
    `cattle_build_last_run_timestamp_seconds ${Date.parse("2026-11-21T05:00:00Z") / 1000}`,
  );
  expect(text).toMatch(/^cattle_build_free_bytes \d+$/m);
  expect(text).not.toContain("cattle_build_published");
});

test("alerts and dashboard name figures that a server or a build has", async () => {
  const source = read("pipeline/report/build-metrics.ts");
  const ofBuilds = [...source.matchAll(/figures\.(?:one|each)\(\s*"([a-z_]+)"/g)].map(
    ([, name]) => `cattle_build_${name}`,
  );
  const known = new Set([
    ...(await metricNames()),
    ...ofBuilds,
    "process_start_time_seconds",
    "cattle_build",
  ]);
  const expressions = [
    ...alerts.split("\n").filter((line) => /expr:|http_requests_total/.test(line)),
    ...[...read("deploy/monitoring/dashboard.json").matchAll(/"expr": "(.*)",?$/gm)].map(([, text]) => text!),
  ];
  const named = figuresIn(expressions.join("\n"));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("each line of the runbook's table has an alert that names its pages", () => {
  const [, table = ""] = read("docs/runbook/README.md").split("What deserves an alert");
  const lines = table.split("\n").filter((line) => /\| [\d, ]+ \|$/.test(line));
  expect(lines.length).toBeGreaterThan(10);
  const pages = lines.flatMap((line) => /\| ([\d, ]+) \|$/.exec(line)![1]!.split(", "));
  expect(pages.filter((page) => !alerts.includes(`docs/runbook/${page.padStart(2, "0")}-`))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual([...alerts.matchAll(/- alert:/g)].length);
});

test.skipIf(!promtool)("promtool finds no fault in rules, configuration and names of figures", async () => {
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
});
