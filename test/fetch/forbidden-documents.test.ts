import {afterEach, beforeEach, describe, expect, test} from "vitest";
import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {night} from "./fetched.ts";
import {evening, playPrintedReports, said, withTotal} from "./printed-reports.ts";
import type {ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
let texts: FetchSource[];
beforeEach(async () => {
  ({server, texts} = await playPrintedReports());
});
afterEach(() => server.stop());

describe("a document that is forbidden", () => {
  const lines = (day: number, numbers = [0, 1]) =>
    numbers.map(
      (n) =>
        `9940${n}  ams_9940${n} TXT  2026-11-${day} 12:00:00  2026-11-19  2026-11-19  Nowhere Cattle ${n}`,
    );
  const listed = (index: readonly string[]) =>
    server.on("/texts/listPublishedReports", said(withTotal(index)));
  const forbid = (path: RegExp) =>
    server.on(
      "/mnreports",
      (request, reply) => void reply.writeHead(path.test(request.path) ? 403 : 200).end("Nowhere Cattle"),
    );
  const askedNight = async (rawDir: string, day: string) => {
    server.forget();
    const [outcome] = await night(texts, {rawDir, now: evening(day)});
    return {outcome, asked: server.of("/mnreports").map(({path}) => path.slice(-5, -4))};
  };

  test("before others costs nothing but itself, and is asked again only when the list names a newer one", async () => {
    const rawDir = temporaryFolder();
    forbid(/99400/);
    listed(lines(19));
    const first = await askedNight(rawDir, "2026-11-20");
    expect(first.outcome).toMatchObject({status: "new", reason: null, files: 1});
    expect(first.outcome!.notes).toContain("absent: 99400 Nowhere Cattle 0 (status 403)");
    expect((await askedNight(rawDir, "2026-11-21")).asked).toEqual([]);
    listed(lines(21));
    expect((await askedNight(rawDir, "2026-11-22")).asked).toEqual(["0", "1"]);
  });

  test("behind all others is asked again, until one that came before and is asked last shows that it is alone", async () => {
    const rawDir = temporaryFolder();
    forbid(/99401/);
    listed(lines(19));
    expect((await askedNight(rawDir, "2026-11-20")).outcome).toMatchObject({
      status: "partial",
      reason: expect.stringMatching(/^1 of 2 failed, .*ams_99401\.txt: status 403/),
      files: 1,
    });
    listed(lines(20));
    const second = await askedNight(rawDir, "2026-11-21");
    expect(second.asked).toEqual(["1", "0"]);
    expect(second.outcome).toMatchObject({reason: null});
    expect(second.outcome!.notes).toContain("absent: 99401 Nowhere Cattle 1 (status 403)");
    expect((await askedNight(rawDir, "2026-11-22")).asked).toEqual([]);
  });

  test("alone makes a night partial, not failed, and one that came before is asked again", async () => {
    const rawDir = temporaryFolder();
    forbid(/nothing/);
    listed(lines(19, [1, 2]));
    await askedNight(rawDir, "2026-11-20");
    forbid(/99401/);
    listed([...lines(20, [1]), ...lines(19, [2])]);
    expect((await askedNight(rawDir, "2026-11-21")).outcome).toMatchObject({
      status: "partial",
      reason: expect.stringContaining("ams_99401.txt: status 403"),
    });
    listed([...lines(20), ...lines(20, [2])]);
    expect((await askedNight(rawDir, "2026-11-22")).outcome).toMatchObject({status: "new", reason: null});
    expect((await askedNight(rawDir, "2026-11-23")).asked).toEqual(["1"]);
  });
});
