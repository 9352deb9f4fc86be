import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {FetchPaces, FetchStates} from "../../pipeline/fetch/fetch-states.ts";
import type {RunOptions} from "../../pipeline/fetch/run.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {fileSource, night, quickRate} from "./fetched.ts";
import {type Answer, file, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
let rawDir: string;
beforeEach(async () => {
  server = await ReplayServer.start();
  rawDir = temporaryFolder();
});
afterEach(() => server.stop());

const now = new Date("2026-11-20T05:30:00.000Z");
const list = Buffer.from("name,city\nInvented Stock Yard,Nowhere\n");
const whole = file(() => list);
const gone: Answer = (_, reply) => void reply.writeHead(404).end();

/** A source in its own folder whose server gives this answer. */
function source(name: string, answer: Answer, facts: Parameters<typeof fileSource>[1] = {}) {
  server.on(`/${name}.csv`, answer);
  const own = {id: `dealers-${name}`, folder: `dealers/${name}`, rate: {...quickRate, atOnce: 20}};
  return fileSource(`${server.origin}/${name}.csv`, {...own, ...facts});
}

test("returns outcomes in plan order, each with its cost", async () => {
  const sources = [
    source("new", whole),
    source("refused", whole, {bulkRefusal: "its publisher says no"}),
    source("gone", gone),
    source("late", (request, reply) => void setTimeout(() => whole(request, reply), 30)),
  ];
  const nothing = {files: 0, unchanged: 0, bytes: 0, notes: []};
  const outcomes = await night(sources, {rawDir, now});
  expect(outcomes).toMatchObject([
    {
      ...nothing,
      source: "dealers-new",
      status: "new",
      reason: null,
      files: 1,
      requests: 1,
      bytes: list.length,
    },
    {...nothing, status: "not allowed", reason: "its publisher says no", requests: 0, seconds: 0},
    {...nothing, status: "failed", reason: expect.stringContaining("status 404"), requests: 1},
    {...nothing, status: "new", files: 1, requests: 1, bytes: list.length},
  ]);
  expect(outcomes[3]!.seconds).toBeGreaterThan(0.02);
  expect(outcomes[3]!.seconds).toBeLessThan(20);
  const [again] = await night(sources.slice(0, 1), {rawDir, now, areNamed: true});
  expect(again).toMatchObject({...nothing, status: "unchanged", reason: null, unchanged: 1, requests: 1});
});

describe("the recorded state of a source", () => {
  const at = now.toISOString();
  const earlier = "2026-11-12T05:30:00.000Z";
  const before = {
    last_asked: earlier,
    last_good: earlier,
    last_new: earlier,
    failures: 2,
    reason: "cut",
    bytes: 9,
  };

  test.each<[string, Answer, Partial<FetchState> | null, Partial<FetchState>]>([
    [
      "a new file",
      whole,
      before,
      {status: "new", reason: null, last_good: at, last_new: at, failures: 0, bytes: list.length},
    ],
    [
      "a refusal",
      gone,
      before,
      {status: "failed", last_good: earlier, last_new: earlier, failures: 3, bytes: 0},
    ],
    [
      "a refusal of the first night",
      gone,
      null,
      {status: "failed", last_good: null, last_new: null, failures: 1},
    ],
    ["a refusal after one at this moment", gone, {...before, last_good: at}, {last_good: at, failures: 3}],
  ])("after %s", async (_, answer, known, expected) => {
    const states = new FetchStates(rawDir);
    const asked = source("list", answer);
    if (known !== null) await states.note({...(known as FetchState), source: asked.id, status: "failed"});
    await night([asked], {rawDir, now, areNamed: true});
    expect((await states.all()).get(asked.id)).toMatchObject({...expected, source: asked.id, last_asked: at});
  });

  test("without anything new has the time of the last new file", async () => {
    const asked = source("list", whole);
    await night([asked], {rawDir, now: new Date(earlier)});
    await night([asked], {rawDir, now});
    const known = (await new FetchStates(rawDir).all()).get(asked.id);
    expect(known).toMatchObject({status: "unchanged", last_good: at, last_new: earlier, failures: 0});
  });

  test("is absent for a source that is not fetched", async () => {
    await night([source("refused", whole, {bulkRefusal: "no"})], {rawDir, now});
    expect(await new FetchStates(rawDir).all()).toEqual(new Map());
  });
});

/** A source of two files, only the first of which exists. */
function halfThere() {
  const counties = ["a", "b"];
  server.on("/half-a.csv", whole);
  const entry = {coverage: {counties}} as unknown as ParcelSource;
  return source("half", gone, {url: `${server.origin}/half-{county}.csv`, feed: null, entry});
}

test("measures a source's time if anything arrived, and its bytes if everything did", async () => {
  const [some, half] = [source("some", whole), halfThere()];
  const outcomes = await night([some, half, source("gone", gone)], {rawDir, now});
  expect(outcomes[1]).toMatchObject({status: "partial", files: 1, requests: 2, bytes: list.length});
  const paces = await new FetchPaces(rawDir).all();
  const unknown = {rows: null, page_rows: null, bytes_per_row: null};
  const measured = {...unknown, by: "run", measured_at: now.toISOString()};
  expect(Object.fromEntries(paces)).toEqual({
    [some.id]: expect.objectContaining({...measured, requests: 1, bytes: list.length}),
    [half.id]: expect.objectContaining({...measured, requests: 2, bytes: null}),
  });
  expect(paces.get(half.id)!.seconds_per_request * 2).toBeLessThanOrEqual(outcomes[1]!.seconds * 1.01);
  expect(paces.get(half.id)!.seconds_per_request * 2).toBeGreaterThan(outcomes[1]!.seconds * 0.5);
  expect((await new FetchStates(rawDir).all()).get(half.id)).toMatchObject({
    ...{status: "partial", failures: 1, last_good: null, last_new: now.toISOString()},
  });
});

test("removes a key that a service repeats in its refusal", async () => {
  const secret = "k-invented-7731";
  const said = Buffer.from(JSON.stringify({error: `the key ${secret} is not known`}));
  const [outcome] = await night(
    [
      source(
        "list",
        file(() => said),
        {key: "CATTLE_EIA_KEY"},
      ),
    ],
    {
      ...{rawDir, now, environment: {CATTLE_EIA_KEY_FILE: "/key"}, secrets: {"/key": secret}},
    },
  );
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("the key (key) is not known"),
  });
});

test("fetches four folders concurrently, and the sources of a folder in sequence", async () => {
  const open = new Map<string, number>();
  let most = 0;
  const {promise: fourCame, resolve: go} = Promise.withResolvers<void>();
  const slow = (folder: string) => async (request: Parameters<Answer>[0], reply: Parameters<Answer>[1]) => {
    open.set(folder, (open.get(folder) ?? 0) + 1);
    const all = [...open.values()];
    expect(Math.max(...all)).toBe(1);
    const together = all.reduce((sum, n) => sum + n, 0);
    most = Math.max(most, together);
    // Answers nobody before four requests arrived and a fifth had time to.
    if (together === 4) setTimeout(go, 60);
    await fourCame;
    open.set(folder, open.get(folder)! - 1);
    await whole(request, reply);
  };
  const sources = Array.from({length: 12}, (_, i) => {
    const folder = `dealers/${i % 6}`;
    return source(`s${i}`, slow(folder), {folder});
  });
  const outcomes = await night(sources, {rawDir, now});
  expect(outcomes.map(({status, source}) => [source, status])).toEqual(sources.map(({id}) => [id, "new"]));
  expect(most).toBe(4);
});

/** A listener that records its events. */
function recorded() {
  const told: string[] = [];
  const progress: RunOptions["listener"] = {
    begins: ({id}) => void told.push(`begins ${id}`),
    says: () => undefined,
    ends: ({source: id, status}) => void told.push(`${status} ${id}`),
  };
  return {told, listener: progress};
}

test("asks a host that always demands a wait four times, and reports its failure once", async () => {
  const waiting: Answer = (_, reply) =>
    void reply.writeHead(503, {"retry-after": new Date(Date.now() + 40).toISOString()}).end();
  const {told, listener} = recorded();
  await using other = await ReplayServer.start();
  other.on("/", whole);
  const next = fileSource(`${other.origin}/next.csv`, {id: "dealers-next", folder: "dealers/sick"});
  const sources = [source("sick", waiting), next];
  const outcomes = await night(sources, {rawDir, now, retries: {maxWaitMs: 5}, listener});
  expect(outcomes).toMatchObject([
    {status: "failed", reason: expect.stringContaining("asks us to wait"), requests: 1},
    {status: "new"},
  ]);
  expect(server.of("/sick").length).toBe(4);
  expect(told).toEqual([
    ...Array.from({length: 4}, () => "begins dealers-sick"),
    ...["failed dealers-sick", "begins dealers-next", "new dealers-next"],
  ]);
});

test.each([
  [601, false],
  [599, true],
])(
  "when nobody else is asked, a wait of %i s is waited for: %s; then what the host said is told",
  async (seconds, isWaited) => {
    const over = new AbortController();
    const answer: Answer = (_, reply) => {
      reply.writeHead(503, {"retry-after": String(seconds)}).end();
      setTimeout(() => over.abort(), isWaited ? 300 : 30_000).unref();
    };
    const {told, listener} = recorded();
    const [outcome] = await night([source("sick", answer)], {
      rawDir,
      now,
      signal: over.signal,
      listener,
    });
    const reason = expect.stringMatching(/status 503.*asks us to wait/);
    expect(outcome).toMatchObject({status: "failed", reason, requests: 1});
    expect(told).toEqual(["begins dealers-sick", "failed dealers-sick"]);
    expect([over.signal.aborted, server.seen.length]).toEqual([isWaited, 1]);
  },
);
