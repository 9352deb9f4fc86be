import {afterEach, beforeEach, expect, test} from "vitest";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {night} from "./fetched.ts";
import {marketWorld, playMarket} from "./market-world.ts";
import {playedSources} from "./played-sources.ts";
import {type Answer, changed, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
  playMarket(server, marketWorld("2026-11-19"));
});
afterEach(() => server.stop());

const facilities = "/echo/cwa_rest_services.get_facilities";
const rows = /"QueryRows":"\d+"/;
const status = (code: number) => (): Answer => (_, reply) => void reply.writeHead(code).end();
const text = (from: RegExp, to: string) => (answer: Answer) =>
  changed(answer, (body) => body.replace(from, to));

test.each<[given: string, id: string, path: string, change: (answer: Answer) => Answer, expected: RegExp]>([
  ["counts nothing", "echo", facilities, text(rows, '"QueryRows":"0"'), /no facility in any state/],
  ["renames its count", "echo", facilities, text(/QueryRows/, "Rows"), /no number of QueryRows/],
  ["counts null", "echo", facilities, text(rows, '"QueryRows":null'), /no number of QueryRows/],
  ["refuses all", "nass", "/nass/api_GET", status(400), /^each query was answered with status 400/],
  ["says 304 at once", "nws", "/nws/alerts/active", status(304), /304 for a file that is not here/],
])("a source that %s has failed: it is no night without news", async (_, id, path, change, expected) => {
  server.on(path, change(server.answerOf(path)));
  const [outcome] = await night(playedSources(server.origin, id), {
    ...{rawDir: temporaryFolder(), now: new Date("2026-11-20T05:30:00Z")},
    ...{environment: {CATTLE_QUICKSTATS_KEY_FILE: "nass"}, secrets: {nass: marketWorld("").keys.nass}},
  });
  expect(outcome).toMatchObject({status: "failed", files: 0, reason: expect.stringMatching(expected)});
});

test("the newest alerts of a state are all that are in force: they replace those before", async () => {
  const rawDir = temporaryFolder();
  await night(playedSources(server.origin, "nws"), {rawDir, now: new Date("2026-11-20T05:30:00Z")});
  const answers = await listRawFiles(rawDir);
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.filter(({meta}) => meta?.complete !== true)).toEqual([]);
});

test.each([
  ["as many", "1", true, "new"],
  ["not as many", "500", undefined, "partial"],
])(
  "a list of facilities with %s rows as counted is complete or not",
  async (_, counted, complete, outcome) => {
    server.on(facilities, text(rows, `"QueryRows":"${counted}"`)(server.answerOf(facilities)));
    const rawDir = temporaryFolder();
    const now = new Date("2026-11-20T05:30:00Z");
    const [result] = await night(playedSources(server.origin, "echo"), {rawDir, now});
    expect(result).toMatchObject({status: outcome});
    const [first] = await listRawFiles(rawDir);
    expect(first!.meta!.complete).toBe(complete);
  },
);
