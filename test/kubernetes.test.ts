import {execFile} from "node:child_process";
import {mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {currentBuildId, dataFolder} from "../lib/storage/data-folder.ts";
import {readManifest} from "../lib/storage/manifest-file.ts";
import {writeSample} from "../pipeline/sample/write-sample.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const folder = join(packageRoot, "deploy", "kubernetes");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const run = promisify(execFile);
const asOf = "2026-11-21";

/** The script of a container, the block below `args`. */
function scriptOf(name: string): string {
  const [, indent, block] = /\n( +)- \|\n((?:\1 {2}.*\n|\n)+)/.exec(read(name))!;
  return block!.replaceAll(new RegExp(`^${indent} {2}`, "gm"), "");
}

/** Runs a script as its pod would, with this test's folders in place of the cluster's. */
async function pod(name: string, places: Record<string, string>, env: Record<string, string>): Promise<void> {
  let script = scriptOf(name);
  for (const [there, here] of Object.entries({...places, "/opt/cattle": packageRoot}))
    script = script.replaceAll(there, here);
  await run("sh", ["-euc", script], {env: {...process.env, ...env}});
}

test("the job has one index per part, and both jobs use the same day", () => {
  const text = read("build-parts.yaml");
  const parts = /name: PARTS\n +value: (.*)/.exec(text)![1]!.split(" ");
  expect(Number(/completions: (\d+)/.exec(text)![1])).toBe(parts.length);
  expect(new Set(parts).size).toBe(parts.length);
  const days = [text, read("assemble.yaml")].map((each) => /name: AS_OF\n +value: (.*)/.exec(each)![1]);
  expect(days[0]).toBe(days[1]);
});

test("probes ask paths that the server answers without a key", () => {
  const paths = [...read("readers.yaml").matchAll(/path: (\/\S+)/g)].map(([, path]) => path);
  expect(new Set(paths)).toEqual(new Set(["/readyz", "/healthz"]));
});

test("limits are divided by the number of readers, and the keys are mounted as a folder, which follows a revocation", () => {
  const text = read("readers.yaml");
  expect(/name: CATTLE_PROCESSES\n +value: "(\d+)"/.exec(text)![1]).toBe(/replicas: (\d+)/.exec(text)![1]);
  const [mount] = /- name: keys\n +mountPath:(?:.*\n)+?(?= +- name)/.exec(text)!;
  expect(mount).toContain("mountPath: /etc/cattle/keys\n");
  expect(mount).not.toContain("subPath");
});

test("the pod scripts build the parts, one of them twice concurrently, publish them, and copy the build to a reader", async () => {
  const [shared, home] = [temporaryFolder(), temporaryFolder()];
  await writeSample(join(shared, "raw"), asOf);
  // A reader without discoveries; the sample accepts none.
  mkdirSync(join(shared, "delta", "cattle-readers-1"), {recursive: true});
  const env = {PARTS: "MARKET AZ TX", AS_OF: asOf};
  const index = (number: string) =>
    pod("build-parts.yaml", {"/shared": shared}, {...env, JOB_COMPLETION_INDEX: number});
  await Promise.all(["0", "1", "1", "2"].map(index));
  expect(readdirSync(join(shared, "parts", asOf)).sort()).toEqual(["AZ", "MARKET", "TX"]);
  writeFileSync(join(shared, "parts", "notes.txt"), "of another night");
  await pod("assemble.yaml", {"/shared": shared}, {AS_OF: asOf, CATTLE_ALLOW_NETWORK_FS: "1"});
  const published = dataFolder(join(shared, "data"));
  const buildId = (await currentBuildId(published))!;
  const {market, states} = await readManifest(join(published.builds, buildId));
  expect([market?.status, Object.keys(states).sort()]).toEqual(["built", ["AZ", "TX"]]);
  expect(readdirSync(join(shared, "parts"))).toEqual(["notes.txt"]);
  // A container that is started again runs its script again.
  for (const _ of [1, 2]) await pod("readers.yaml", {"/shared": shared, "/var/lib/cattle": home}, {});
  expect(await currentBuildId(dataFolder(home))).toBe(buildId);
  expect(readlinkSync(join(home, "keys.json"))).toBe("/etc/cattle/keys/keys.json");
});
