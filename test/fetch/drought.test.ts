import {expect, test} from "vitest";
import {temporaryFolder} from "../temporary-folder.ts";
import {night} from "./fetched.ts";
import {playedSources} from "./played-sources.ts";
import {file, ReplayServer} from "./replay-server.ts";

test("a map that is out late is asked for each night until it comes, and then no more until the next release", async () => {
  await using server = await ReplayServer.start();
  const sources = playedSources(server.origin, "usdm");
  const publish = (...days: readonly string[]) =>
    server.on(
      "/usdm",
      file(() => Buffer.from(JSON.stringify(days.map((mapdate) => ({mapdate, FIPS: "01001", D0: 1}))))),
    );
  const rawDir = temporaryFolder();
  // Thursday 2026-11-26 is a holiday; the release is due at 14:00.
  const on = async (day: string) => (await night(sources, {rawDir, now: new Date(`${day}T05:30:00Z`)}))[0]!;
  publish("20261117");
  const late = {status: "partial", reason: "the map of 2026-11-24 is not out yet"};
  expect(await on("2026-11-27")).toMatchObject({...late, files: 51});
  expect(await on("2026-11-28")).toMatchObject({...late, files: 0, unchanged: 51});
  publish("2026-11-17T00:00:00", "2026-11-24T00:00:00");
  expect(await on("2026-11-29")).toMatchObject({status: "new", reason: null, files: 51});
  expect(await on("2026-11-30")).toMatchObject({status: "not due"});
  expect(await on("2026-12-03")).toMatchObject({status: "not due"});
  publish("20261124", "20261201");
  expect(await on("2026-12-04")).toMatchObject({status: "new", reason: null});
});
