import {join} from "node:path";
import {expect, onTestFinished, test, vi} from "vitest";
import {writeLayerHealth} from "../../../lib/registry/layer-health-files.ts";
import {readDecisions} from "../../../lib/registry/layer-terms.ts";
import {layersOnMiss} from "../../../lib/registry/layers-on-miss.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {cattle} from "./run-cattle.ts";

const probe = (...words: string[]) => cattle("sources", "probe", ...words, "--out", temporaryFolder());

test("a probe takes the ids of layers, and asks none outside the states that are named", async () => {
  const {code, stdout, stderr} = await probe("us-ga-atkinson", "--state", "TX", "--json");
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([]);
});

test.each([
  [["us-ga-atkinson", "us-ga-nowhere"], "us-ga-nowhere: no layer that may be asked"],
  [["us-ga-atkinson", "--state", "ZZ"], "ZZ: no state or province."],
])("a probe refuses an id that no layer has, and a state that there is not: %j", async (words, said) => {
  const {code, stderr} = await probe(...words);
  expect(code).not.toBe(0);
  expect(stderr).toContain(said);
});

const now = new Date("2026-11-21T05:00:00Z");

/** Probes a layer that was asked so many milliseconds ago, without a network; returns the exit code and what is said. */
async function probed(ageMs: number) {
  vi.stubEnv("SOURCE_DATE_EPOCH", String(now.getTime() / 1000));
  vi.stubEnv("CATTLE_PROXY", "http://127.0.0.1:9");
  onTestFinished(() => void vi.unstubAllEnvs());
  const root = join(temporaryFolder(), "data");
  const data = dataFolder(root);
  const [layer] = layersOnMiss(readDecisions(data));
  const at = new Date(now.getTime() - ageMs).toISOString();
  const health = {mark: "good" as const, at, good: at, failed: null, failures: 0, counties: []};
  await writeLayerHealth(data, "probe", new Map([[layer!.id, health]]));
  const {code, stdout, stderr} = await cattle("sources", "probe", layer!.id, "--out", root);
  return {code, said: `${stdout}${stderr}`};
}

test("leaves out a layer that was asked within a day, and asks it a day later", async () => {
  const dayMs = 24 * 3_600_000;
  const fresh = await probed(dayMs - 1000);
  expect([fresh.code, fresh.said]).toEqual([0, expect.not.stringContaining("could be reached")]);
  expect((await probed(dayMs)).said).toContain("none of 1 layer could be reached");
});
