import {mkdirSync, truncateSync} from "node:fs";
import {join} from "node:path";
import {isTransient} from "@open-cattle/safe-files";
import {expect, test} from "vitest";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {verifyBuild} from "../../../server/generation/verify-build.ts";
import {childProcesses} from "../../child-processes.ts";
import {until} from "../../delta/delta-workshop.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {writeBuild} from "../build-fixture.ts";

const none = async () => childProcesses(process.pid).length === 0;

test("names the files that differ, rejects for a manifest that there is not, and leaves no process", async () => {
  const build = await writeBuild(temporaryFolder(), "20261120-aaaaaa");
  expect(await verifyBuild(build, {depth: "full"})).toEqual([]);
  const file = join(marketServing, "barns.arrow");
  truncateSync(join(build, file), 10);
  expect(await verifyBuild(build, {depth: "blocks"})).toEqual([expect.objectContaining({path: file})]);
  const refusal = await verifyBuild(temporaryFolder(), {depth: "sizes"}).catch((error: unknown) => error);
  expect([String(refusal), isTransient(refusal)]).toEqual([expect.stringContaining("manifest.json"), false]);
  if (process.platform === "linux") await until(none);
});

test.runIf(process.platform === "linux")("a check whose process is killed may be made again", async () => {
  const build = join(temporaryFolder(), "endless");
  mkdirSync(build);
  // It is killed while it starts, before it can tell anything.
  const checked = verifyBuild(build, {depth: "full"}).catch((error: unknown) => error);
  await until(async () => !(await none()));
  for (const pid of childProcesses(process.pid)) process.kill(pid, "SIGKILL");
  const failure = await checked;
  expect([String(failure), isTransient(failure)]).toEqual([
    expect.stringContaining("ended with SIGKILL"),
    true,
  ]);
});
