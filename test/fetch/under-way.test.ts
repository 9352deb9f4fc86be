import {afterEach, beforeEach, expect, test} from "vitest";
import {linesToMend} from "../../pipeline/commands/fetch-output.ts";
import {inOrder, type PlannedSource} from "../../pipeline/fetch/fetch-plan.ts";
import {exitCodeOf, FetchStates} from "../../pipeline/fetch/fetch-states.ts";
import {type FetchSource, sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {layer} from "./arcgis-world.ts";
import {fileSource, night, quickRate} from "./fetched.ts";
import {ReplayServer} from "./replay-server.ts";
import {countyEntry} from "./world-registry.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const gib = 2 ** 30;
const day = (n: number, hour = 5) => new Date(Date.UTC(2026, 10, n, hour));
const county = (): FetchSource => sourceOfParcels(ParcelSource.parse(countyEntry(server.origin, quickRate)))!;
const stateIn = async (rawDir: string, id: string) => (await new FetchStates(rawDir).all()).get(id)!;

test("a pull of several nights that brings pages each night is under way, and no failure", async () => {
  server.on("/county/FeatureServer/0", layer({rows: 1000, maxRecordCount: 100}));
  const rawDir = temporaryFolder();
  const [whole] = await night([county()], {rawDir: temporaryFolder()});
  const limits = {CATTLE_FETCH_GIB: (whole!.bytes * 0.4) / gib};
  const said: (string | null)[] = [];
  for (const n of [1, 2, 3, 4]) {
    const [outcome] = await night([county()], {rawDir, now: day(n), limits});
    said.push(`${outcome!.status}: ${outcome!.reason}`);
    expect(exitCodeOf([outcome!])).toBe(0);
    const {failures, nights_without_progress} = await stateIn(rawDir, "us-az-cochise");
    expect([failures, nights_without_progress]).toEqual([0, 0]);
    if (outcome!.status === "new") break;
  }
  expect(said.at(-1)).toBe("new: null");
  expect(said.slice(0, 2)).toEqual([
    expect.stringMatching(/^under way: night 1 of \d, [234]\d %$/),
    expect.stringMatching(/^under way: night 2 of [34], [67]\d %$/),
  ]);
});

test("nights without progress are counted by day, and end with the first that brings something", async () => {
  let isSick = true;
  server.on("/list.csv", (_, reply) => {
    if (isSick) reply.writeHead(403).end();
    else reply.writeHead(200, {"content-type": "text/csv"}).end("name,city\nInvented Stock Yard,Nowhere\n");
  });
  const rawDir = temporaryFolder();
  const source = fileSource(`${server.origin}/list.csv`);
  const counted: number[] = [];
  for (const at of [day(1), day(1, 9), day(2), day(3)]) {
    await night([source], {rawDir, now: at});
    counted.push((await stateIn(rawDir, source.id)).nights_without_progress);
  }
  expect(counted).toEqual([1, 1, 2, 3]);
  isSick = false;
  await night([source], {rawDir, now: day(4)});
  expect((await stateIn(rawDir, source.id)).nights_without_progress).toBe(0);
});

test("a run asks the market first, then what will be whole tonight, by wave, and the nearly done first", () => {
  const planned = (id: string, wave: number | null, secondsLeft: number) =>
    ({source: {id}, wave, secondsLeft}) as unknown as PlannedSource;
  const plan = [
    planned("us-tx-long", 1, 9 * 3600),
    planned("us-wv-small", 2, 60),
    planned("lmr", null, 400),
    planned("us-fl-nearly-done", 1, 7000),
    planned("us-ut-small", 1, 900),
    planned("us-az-small", 1, 900),
    planned("us-ny-longer", 1, 10 * 3600),
    planned("nws", null, 20),
  ];
  expect(inOrder(plan, 4).map(({source}) => source.id)).toEqual([
    ...["lmr", "nws"],
    ...["us-az-small", "us-ut-small", "us-fl-nearly-done", "us-wv-small"],
    ...["us-tx-long", "us-ny-longer"],
  ]);
});

test("a refused key, a layer that moved and a lost fact are a line each, with the cure", () => {
  const nothing = {fault: null, notes: [], files: 0, unchanged: 0, requests: 1, seconds: 0, bytes: 0};
  const cure = "status 403: put a valid key into the file that CATTLE_MARS_KEY_FILE names";
  const moved = 'moved: the layer has no field "PIN" (ids.raw); correct the entry';
  const lines = linesToMend([
    {source: "mars", status: "key refused", reason: cure, losses: [], ...nothing},
    {source: "us-wi-statewide", status: "failed", ...nothing, reason: moved, fault: "moved", losses: []},
    {source: "us-az-cochise", status: "new", reason: null, losses: ["fields.owner_raw: gone"], ...nothing},
    {source: "us-fl-service", status: "under way", reason: "night 1 of 3, 40 %", losses: [], ...nothing},
    {source: "usdm", status: "failed", reason: "status 500", losses: [], ...nothing},
  ]);
  expect(lines).toEqual([
    `mars: ${cure}`,
    `us-wi-statewide: ${moved}`,
    "us-az-cochise lacks fields.owner_raw: gone",
  ]);
});
