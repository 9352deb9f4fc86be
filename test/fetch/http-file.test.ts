import {execFileSync} from "node:child_process";
import {readFileSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:https";
import type {AddressInfo} from "node:net";
import {join} from "node:path";
import {brotliCompressSync, deflateSync, gzipSync} from "node:zlib";
import {afterEach, beforeEach, expect, test} from "vitest";
import {sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {RawMeta} from "../../schemas/raw-meta.ts";
import {expiredCertificate} from "../server/cadastre/expired-certificate.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {layer} from "./arcgis-world.ts";
import {fileSource, filesIn, night} from "./fetched.ts";
import {file, ReplayServer, tagOf} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const firstNight = new Date("2026-11-20T05:30:00Z");
const secondNight = new Date("2026-11-21T05:31:00Z");
const list = Buffer.from(`name,city\n${"Invented Stock Yard,Nowhere\n".repeat(5000)}`);

test("stores a file with a meta on its origin, and revalidates it by its ETag the next night", async () => {
  const rawDir = temporaryFolder();
  server.on(
    "/list.csv",
    file(() => list),
  );
  const source = fileSource(`${server.origin}/list.csv`);
  expect((await night([source], {rawDir, now: firstNight}))[0]).toMatchObject({
    status: "new",
    files: 1,
    requests: 1,
  });
  expect(filesIn(rawDir)).toEqual([
    ".fetch/dealers-test.json",
    ".fetch/paces/dealers-test.json",
    "market/dealers/list_20261120T053000Z.csv",
    "market/dealers/list_20261120T053000Z.csv.meta.json",
  ]);
  const meta = join(rawDir, "market/dealers/list_20261120T053000Z.csv.meta.json");
  expect(RawMeta.parse(JSON.parse(readFileSync(meta, "utf8")))).toMatchObject({
    url: `${server.origin}/list.csv`,
    retrieved_at: "2026-11-20T05:30:00Z",
    complete: true,
  });
  server.forget();
  expect((await night([source], {rawDir, now: secondNight}))[0]).toMatchObject({
    status: "unchanged",
    requests: 1,
  });
  expect(server.seen.map(({status}) => status)).toEqual([304]);
  expect(JSON.parse(readFileSync(meta, "utf8"))).toMatchObject({verified_at: "2026-11-21T05:31:00Z"});
});

test.each([
  ["is cut off", (path: string) => writeFileSync(path, '{"url":')],
  ["is a named pipe", (path: string) => void execFileSync("mkfifo", [path])],
])("requests a file whose meta %s as if for the first time", async (_, replace) => {
  const rawDir = temporaryFolder();
  server.on(
    "/list.csv",
    file(() => list),
  );
  const source = fileSource(`${server.origin}/list.csv`);
  await night([source], {rawDir, now: firstNight});
  for (const name of ["market/dealers/list_20261120T053000Z.csv.meta.json", ".fetch/dealers-test.json"]) {
    rmSync(join(rawDir, name));
    replace(join(rawDir, name));
  }
  server.forget();
  expect((await night([source], {rawDir, now: secondNight}))[0]).toMatchObject({status: "new", files: 1});
  expect(server.seen.map(({status}) => status)).toEqual([200]);
});

test("skips a source that is not due, unless it is named", async () => {
  const rawDir = temporaryFolder();
  server.on(
    "/list.csv",
    file(() => list),
  );
  const source = fileSource(`${server.origin}/list.csv`);
  await night([source], {rawDir, now: firstNight});
  const later = new Date("2026-11-20T09:00:00Z");
  expect((await night([source], {rawDir, now: later}))[0]).toMatchObject({status: "not due", requests: 0});
  expect((await night([source], {rawDir, now: later, areNamed: true}))[0]).toMatchObject({
    status: "unchanged",
  });
});

test("stores no new file for the same bytes without an ETag, and a second one for other bytes", async () => {
  const rawDir = temporaryFolder();
  let content = list;
  server.on("/list.csv", (_, reply) => void reply.end(content));
  const source = fileSource(`${server.origin}/list.csv`);
  const statuses = [];
  for (const now of [firstNight, secondNight])
    statuses.push((await night([source], {rawDir, now}))[0]!.status);
  content = Buffer.concat([list, Buffer.from("Another Yard,Elsewhere\n")]);
  statuses.push((await night([source], {rawDir, now: new Date("2026-11-23T05:30:00Z")}))[0]!.status);
  expect(statuses).toEqual(["new", "unchanged", "new"]);
  expect(filesIn(join(rawDir, "market/dealers")).filter((name) => name.endsWith(".csv"))).toHaveLength(2);
});

test("resumes an interrupted transfer from its last byte", async () => {
  const rawDir = temporaryFolder();
  const large = Buffer.from(`name,city\n${"Invented Stock Yard,Nowhere\n".repeat(200_000)}`);
  server.on("/list.csv", (request, reply) => {
    if (server.seen.length > 1) return file(() => large)(request, reply);
    reply.writeHead(200, {etag: tagOf(large), "content-length": large.length});
    reply.write(large.subarray(0, 3_000_000), () => setTimeout(() => reply.destroy(), 200));
  });
  const source = fileSource(`${server.origin}/list.csv`);
  expect((await night([source], {rawDir, now: firstNight}))[0]).toMatchObject({status: "new", requests: 2});
  expect(server.seen[1]!.headers["range"]).toMatch(/^bytes=\d+-$/);
  expect(readFileSync(join(rawDir, "market/dealers/list_20261120T053000Z.csv")).equals(large)).toBe(true);
});

test.each([
  ["an HTML page with 200", (reply: Reply) => reply.end("<!DOCTYPE html><html>Sorry</html>"), /HTML page/],
  ["an empty file", (reply: Reply) => reply.end(), /empty/],
  [
    "a redirect to a foreign host",
    (reply: Reply) => reply.writeHead(302, {location: "https://elsewhere.example.org/x.csv"}).end(),
    /elsewhere\.example\.org/,
  ],
  [
    "a redirect to a file of this machine",
    (reply: Reply) => reply.writeHead(302, {location: "file:///etc/passwd"}).end(),
    /not named/,
  ],
  ["404", (reply: Reply) => reply.writeHead(404).end("gone"), /status 404/],
])("fails for %s with its reason after one request, leaving no file", async (_, misbehave, reason) => {
  const rawDir = temporaryFolder();
  server.on("/list.csv", (_request, reply) => void misbehave(reply));
  const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight});
  expect(outcome).toMatchObject({status: "failed", requests: 1, reason: expect.stringMatching(reason)});
  expect(filesIn(rawDir)).toEqual([".fetch/dealers-test.json"]);
});

test.each(["gzip", "br", "deflate"])(
  "stores a body decompressed that came compressed with %s unasked",
  async (coding) => {
    const rawDir = temporaryFolder();
    const pack = {gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync}[coding]!;
    server.on(
      "/list.csv",
      (_, reply) => void reply.writeHead(200, {"content-encoding": coding}).end(pack(list)),
    );
    expect(
      (await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight}))[0]!.status,
    ).toBe("new");
    expect(readFileSync(join(rawDir, "market/dealers/list_20261120T053000Z.csv")).equals(list)).toBe(true);
  },
);

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])(
  "counts a body of %s by the bytes that are written: a small reply is not a large file",
  async (coding, pack) => {
    const rawDir = temporaryFolder();
    const bomb = pack(Buffer.alloc(64 * 2 ** 20));
    server.on(
      "/list.csv",
      (_, reply) => void reply.writeHead(200, {"content-encoding": coding, etag: '"1"'}).end(bomb),
    );
    const sources = [fileSource(`${server.origin}/list.csv`)];
    const [large] = await night(sources, {
      rawDir,
      now: firstNight,
      limits: {CATTLE_FETCH_FILE_GIB: 1 / 1024},
    });
    expect(large).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/larger than 1048576 bytes/),
    });
    const [spent] = await night(sources, {rawDir, now: firstNight, limits: {CATTLE_FETCH_GIB: 1 / 1024}});
    expect(spent).toMatchObject({status: "partial", reason: expect.stringMatching(/CATTLE_FETCH_GIB/)});
    expect(filesIn(rawDir)).toEqual([".fetch/dealers-test.json"]);
  },
);

test("fails for a JSON error in place of a file, quoting it", async () => {
  const rawDir = temporaryFolder();
  server.on(
    "/list.csv",
    (_, reply) => void reply.end('{"error": {"code": 498, "message": "Invalid token."}}'),
  );
  const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight});
  expect(outcome).toMatchObject({status: "failed", reason: expect.stringMatching(/Invalid token/)});
  expect(filesIn(rawDir)).toEqual([".fetch/dealers-test.json"]);
});

test("does not append the rest of another file to an interrupted one", async () => {
  const rawDir = temporaryFolder();
  const [old, present] = ["Invented Stock Yard", "Another Yard"].map((name) =>
    Buffer.from(`name,city\n${`${name},Nowhere\n`.repeat(200_000)}`),
  ) as [Buffer, Buffer];
  server.on("/list.csv", (request, reply) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers["range"] ?? "")?.[1] ?? -1);
    if (server.seen.length === 1) {
      reply.writeHead(200, {etag: '"old"', "content-length": old.length});
      reply.write(old.subarray(0, 3_000_000), () => setTimeout(() => reply.destroy(), 200));
    } else if (from >= 0) {
      const range = `bytes ${from}-${present.length - 1}/${present.length}`;
      reply.writeHead(206, {etag: '"present"', "content-range": range}).end(present.subarray(from));
    } else reply.writeHead(200, {etag: '"present"', "content-length": present.length}).end(present);
  });
  expect((await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight}))[0]!.status).toBe(
    "new",
  );
  expect(readFileSync(join(rawDir, "market/dealers/list_20261120T053000Z.csv")).equals(present)).toBe(true);
});

test("requests a body without length or end twice, and keeps it if both are equal", async () => {
  const half = list.subarray(0, 50_000);
  const bare = (bodies: readonly Buffer[]) => {
    let index = 0;
    return (_: unknown, reply: Reply) => {
      reply.useChunkedEncodingByDefault = false;
      reply.shouldKeepAlive = false;
      reply.end(bodies[Math.min(index++, bodies.length - 1)]);
    };
  };
  server.on("/same.csv", bare([list]));
  server.on("/cut.csv", bare([half, list]));
  const source = (name: string) => fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`});
  const rawDir = temporaryFolder();
  expect((await night([source("same")], {rawDir, now: firstNight}))[0]).toMatchObject({
    status: "new",
    requests: 2,
  });
  const [cut] = await night([source("cut")], {rawDir, now: firstNight});
  expect(cut).toMatchObject({status: "failed", reason: expect.stringMatching(/may have been cut/)});
  expect(filesIn(join(rawDir, "market/dealers")).filter((name) => /cut/.test(name))).toEqual([]);
});

test("requests a self-delimiting body without length once, and discards a truncated one", async () => {
  const whole = {
    "roll.json": Buffer.from('[{"name":"Invented Stock Yard"}]'),
    "roll.zip": Buffer.concat([
      Buffer.from("PK\u0003\u0004 invented "),
      Buffer.from("PK\u0005\u0006"),
      Buffer.alloc(18),
    ]),
  };
  for (const [name, bytes] of Object.entries(whole)) {
    const asked = (body: Buffer) => {
      server.on(`/${name}`, (_, reply) => {
        reply.useChunkedEncodingByDefault = false;
        reply.shouldKeepAlive = false;
        // Truncated elsewhere each time.
        reply.end(body.subarray(0, body.length - (body === bytes ? 0 : server.seen.length)));
      });
      server.forget();
      return night([fileSource(`${server.origin}/${name}`)], {rawDir: temporaryFolder(), now: firstNight});
    };
    expect((await asked(bytes))[0], name).toMatchObject({status: "new", requests: 1});
    const [cut] = await asked(bytes.subarray(0, bytes.length - 1));
    expect(cut, name).toMatchObject({status: "failed", reason: expect.stringMatching(/may have been cut/)});
  }
});

test("refuses half of an archive although its server states that length", async () => {
  server.on("/roll.zip", (_, reply) => void reply.end("PK\u0003\u0004 invented"));
  const [cut] = await night([fileSource(`${server.origin}/roll.zip`)], {
    rawDir: temporaryFolder(),
    now: firstNight,
  });
  expect(cut).toMatchObject({status: "failed", reason: expect.stringMatching(/the archive was cut/)});
});

test("repeats a request after a 304 for a file that we lack", async () => {
  const rawDir = temporaryFolder();
  server.on("/list.csv", (request, reply) => {
    if (request.headers["cache-control"] !== "no-cache") return void reply.writeHead(304).end();
    return file(() => list)(request, reply);
  });
  expect((await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight}))[0]!.status).toBe(
    "new",
  );
});

test("fails for a refused certificate with its reason, without retries and without a file", async () => {
  const rawDir = temporaryFolder();
  const foreign = createServer(expiredCertificate(), (_, reply) => void reply.end(list));
  let connections = 0;
  foreign.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  const {port} = foreign.address() as AddressInfo;
  const [outcome] = await night([fileSource(`https://localhost:${port}/list.csv`)], {
    rawDir,
    now: firstNight,
  });
  foreign.close();
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/^localhost:\d+\/list\.csv: certificate refused \([A-Z_]+\)/),
  });
  expect([connections, filesIn(rawDir)]).toEqual([1, [".fetch/dealers-test.json"]]);
});

test("does not follow a redirect to another server on this machine", async () => {
  const rawDir = temporaryFolder();
  const other = await ReplayServer.start();
  other.on(
    "/",
    file(() => list),
  );
  server.on(
    "/list.csv",
    (_, reply) => void reply.writeHead(302, {location: `${other.origin}/list.csv`}).end(),
  );
  const [outcome] = await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight});
  await other.stop();
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/127\.0\.0\.1:\d+ is not named/),
  });
  expect([other.seen.length, filesIn(rawDir)]).toEqual([0, [".fetch/dealers-test.json"]]);
});

test("aborts and names a body larger than the limit", async () => {
  const rawDir = temporaryFolder();
  const block = Buffer.alloc(1 << 20, "x");
  server.on("/list.csv", async (_, reply) => {
    reply.on("error", () => undefined);
    while (!reply.destroyed) await new Promise((resolve) => reply.write(block, resolve));
  });
  const {RunBudget} = await import("../../pipeline/fetch/jobs/run-budget.ts");
  const {fetchHttpFile} = await import("../../pipeline/fetch/protocols/http-file.ts");
  const {PoliteClient} = await import("../../pipeline/fetch/client/polite-client.ts");
  const {SnapshotFolder} = await import("../../pipeline/fetch/snapshots/snapshot-folder.ts");
  const client = new PoliteClient({userAgent: "test"});
  const {signal} = new AbortController();
  const job = {
    ...{
      source: fileSource(`${server.origin}/list.csv`),
      client,
      key: null,
      now: () => firstNight,
      requests: 0,
    },
    folder: await SnapshotFolder.open(rawDir, new Date()),
    budget: new RunBudget({signal, fileBytes: 5 << 20, runBytes: 1e12, dir: rawDir}),
    say: () => undefined,
  };
  await expect(fetchHttpFile(job, {complete: false})).rejects.toThrow(/larger than 5242880 bytes/);
  await client[Symbol.asyncDispose]();
});

test("Retry-After is obeyed to the second", async () => {
  const rawDir = temporaryFolder();
  server.on("/list.csv", (request, reply) => {
    if (server.seen.length === 1) return void reply.writeHead(429, {"retry-after": "3"}).end();
    return file(() => list)(request, reply);
  });
  await night([fileSource(`${server.origin}/list.csv`)], {rawDir, now: firstNight});
  const [first, second] = server.seen.map(({at}) => at);
  expect(second! - first!).toBeGreaterThanOrEqual(2990);
});

test("paces retries, and the pages of a layer, by their host's rate", async () => {
  const rawDir = temporaryFolder();
  const rate = {perSecond: 5, atOnce: 2};
  let failed = 0;
  server.on("/list.csv", (request, reply) => {
    failed += 1;
    if (failed <= 2) return void reply.writeHead(503, {"retry-after": "0"}).end();
    return file(() => list)(request, reply);
  });
  server.on("/county/FeatureServer/0", layer({rows: 500, maxRecordCount: 100, lastEdit: () => 1_000}));
  const parcels = sourceOfParcels(
    CadastreSource.parse({
      ...{id: "us-az-test", name: "Test", authority: "county", licence: "invented", rate},
      coverage: {country: "US", state: "AZ", counties: ["04003"]},
      terms: {store: true, bulk: true},
      cadastre: {url: `${server.origin}/county/FeatureServer/0`, idField: "PARCEL_ID"},
    }),
  )!;
  const started = performance.now();
  const outcomes = await night([fileSource(`${server.origin}/list.csv`, {rate}), parcels], {
    rawDir,
    now: firstNight,
  });
  expect(outcomes.map(({status}) => status)).toEqual(["new", "new"]);
  expect(server.seen.length).toBeGreaterThanOrEqual(10);
  expect(earlyRequests(started, 200)).toEqual([]);
});

test("sends a host no request sooner than its rate allows", async () => {
  const rawDir = temporaryFolder();
  server.on(
    "/",
    file(() => list),
  );
  const rate = {perSecond: 10, atOnce: 2};
  const sources = Array.from({length: 8}, (_, i) =>
    fileSource(`${server.origin}/list${i}.csv`, {id: `dealers-${i}`, folder: `dealers${i}`, rate}),
  );
  const started = performance.now();
  await night(sources, {rawDir, now: firstNight});
  expect(server.seen).toHaveLength(8);
  expect(earlyRequests(started, 100)).toEqual([]);
});

/**
 * Requests that came sooner after the start than their gaps allow. A busy machine delays requests but never advances them; it
 * may shorten the time between two arrivals.
 */
function earlyRequests(started: number, gapMs: number): number[] {
  const times = server.seen.map(({at}) => at - started).sort((a, b) => a - b);
  return times.filter((at, i) => at < i * gapMs - 5);
}

type Reply = import("node:http").ServerResponse;
