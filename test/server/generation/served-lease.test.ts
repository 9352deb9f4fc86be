import {mkdir, readdir, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, expect, test, vi} from "vitest";
import {readLeases} from "../../../lib/process/run-folder.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {openServedLease} from "../../../server/generation/served-lease.ts";
import {until} from "../../delta/delta-workshop.ts";
import {silentLog} from "../../silent-log.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const [first, second] = ["20261120-aaaaaa", "20261121-bbbbbb"];
const log = silentLog;
afterEach(() => {
  vi.useRealTimers();
});

test("a server sweeps the leases that killed ones left", async () => {
  const data = dataFolder(temporaryFolder());
  await mkdir(data.run);
  const dead = {build_id: first, process: {...ownIdentity(), startTicks: "1"}};
  await writeFile(join(data.run, "1-a.lease.json"), JSON.stringify(dead));
  const lease = await openServedLease(data, log);
  expect(await readdir(data.run)).toEqual([]);
  await lease.release();
});

test("a lease that cannot be written is told, and written once it can be", async () => {
  vi.useFakeTimers({toFake: ["setInterval", "clearInterval"]});
  const data = dataFolder(temporaryFolder());
  await writeFile(data.run, "in the way");
  const lease = await openServedLease(data, log);
  for (const build of [first, second]) lease.moveTo(build);
  await until(async () => lease.reasons().length > 0);
  expect(lease.reasons()).toEqual(["lease_not_written"]);
  await rm(data.run);
  vi.advanceTimersByTime(5_000);
  await until(async () => lease.reasons().length === 0);
  expect([...(await readLeases(data)).builds]).toEqual([second]);
  await lease.release();
});
