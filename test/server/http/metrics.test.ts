import {once} from "node:events";
import {afterEach, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {privateKib} from "../../../lib/system/process-figures.ts";
import {createMetrics, listenForMetrics} from "../../../server/system/metrics.ts";
import {freePort} from "../../free-port.ts";

let close = async () => {};
afterEach(() => close());

async function served(reasons: () => readonly string[] = () => []) {
  const metrics = createMetrics();
  const port = await freePort();
  const settings = {...readSettings({CATTLE_METRICS_PORT: String(port - 1)}), CATTLE_PROCESS_NUMBER: 1};
  const server = (await listenForMetrics(metrics.registry, settings, reasons))!;
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  const ask = async (path = "/metrics", method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {method});
    return {status: response.status, text: await response.text()};
  };
  return {metrics, ask};
}

const figureIn = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);

it("answers GET /metrics at the port of the settings plus the process number, and nothing else", async () => {
  const {ask} = await served();
  expect((await ask()).text).toContain("process_cpu_seconds_total");
  for (const [path, method] of [
    ["/", "GET"],
    ["/metrics?x=1", "GET"],
    ["/metrics", "POST"],
  ] as const)
    expect(await ask(path, method)).toEqual({status: 404, text: ""});
});

it("listens nowhere where the port is 0", async () => {
  const settings = readSettings({CATTLE_METRICS_PORT: "0"});
  expect(await listenForMetrics(createMetrics().registry, settings, () => [])).toBeNull();
});

it.runIf(process.platform === "linux")("tells the private memory of the process in bytes", async () => {
  const {ask} = await served();
  const bytes = figureIn((await ask()).text, "process_rss_anon_bytes");
  const kib = privateKib(process.pid);
  expect(bytes / 1024).toBeGreaterThan(kib / 2);
  expect(bytes / 1024).toBeLessThan(kib * 2);
});

it("names the faults of this moment alone", async () => {
  let reasons = ["delta", "keys"];
  const {ask} = await served(() => reasons);
  const named = async () =>
    [...(await ask()).text.matchAll(/^server_degraded\{reason="(\w+)"\} (\d)$/gm)].map(
      ([, reason, value]) => `${reason} ${value}`,
    );
  expect(await named()).toEqual(["delta 1", "keys 1"]);
  reasons = ["keys"];
  expect(await named()).toEqual(["keys 1"]);
});

it("tells the served build alone, its instant, and what was counted", async () => {
  const {metrics, ask} = await served();
  metrics.swapped({buildId: "20261120-aaaaaa", builtAt: "2026-11-20T00:00:00Z", seconds: 2});
  metrics.swapped({buildId: "20261121-bbbbbb", builtAt: "1970-01-01T00:01:40Z", seconds: 0.5});
  metrics.shed("loop");
  metrics.limited("key-test");
  metrics.verifyFailed();
  metrics.inFlightIs(() => 7);
  metrics.requestDone({route: null, status: 404, seconds: 0.01});
  const {text} = await ask();
  expect(text.match(/^build_info\{.*$/gm)).toEqual(['build_info{build_id="20261121-bbbbbb"} 1']);
  expect(
    ["build_timestamp_seconds", "generation_swaps_total", "generation_swap_seconds"].map((name) =>
      figureIn(text, name),
    ),
  ).toEqual([100, 2, 0.5]);
  expect(figureIn(text, "artifact_verify_failures_total")).toBe(1);
  expect(text).toMatch(/^http_limited_total\{key="key-test"\} 1$/m);
  expect(text).toMatch(/\{reason="loop"\} 1$/m);
  // Whoever reads twice counts nothing twice.
  for (const {text: again} of [await ask(), await ask()])
    expect(again.match(/^http_requests_total.*$/gm)).toEqual([
      'http_requests_total{route="unknown",status="404"} 1',
    ]);
  expect(figureIn(text, "http_requests_in_flight")).toBe(7);
});

it("begins with 0 errors of each kind from 500 on, and with 0 refusals at a key's first owner search", async () => {
  const {metrics, ask} = await served();
  metrics.ownerSearch({keyId: "key-test", refused: false});
  const {text} = await ask();
  const kinds = [...text.matchAll(/^http_errors_total\{problem="([a-z-]+)"\} 0$/gm)].map(([, kind]) => kind!);
  expect(kinds.sort()).toEqual([
    "build-unavailable",
    "cadastre-unavailable",
    "deadline-exceeded",
    "internal",
    "overloaded",
  ]);
  expect(text).toMatch(/^owner_search_refused_total\{key="key-test"\} 0$/m);
  metrics.ownerSearch({keyId: "key-test", refused: true});
  metrics.failed("overloaded");
  const {text: after} = await ask();
  expect(after).toMatch(/^owner_search_refused_total\{key="key-test"\} 1$/m);
  expect(after).toMatch(/^http_errors_total\{problem="overloaded"\} 1$/m);
});
