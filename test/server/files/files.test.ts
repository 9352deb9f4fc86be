import {readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {asyncBufferFromUrl, parquetReadObjects} from "hyparquet";
import {compressors} from "hyparquet-compressors";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {packageRoot} from "../../../lib/paths.ts";
import type {DataFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import {TermsStatements} from "../../../schemas/terms.ts";
import {byteRange} from "../../../server/files/byte-range.ts";
import {fileService} from "../../../server/files/file-service.ts";
import {fileTable} from "../../../server/files/file-table.ts";
import {ReaderBuilds} from "../../../server/files/reader-builds.ts";
import {Transfers} from "../../../server/files/transfers.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {sampleBuild} from "../../sample-build.ts";
import {type TestServer, testKey, testServer} from "../server-fixture.ts";
import {history, historyRows, OLDER, writeOlderBuild} from "./older-build.ts";

const table = "tables/county_prices.parquet";
const readers = ["one", "two", "three", "four"].map((id) => testKey({id}));
const narrow = testKey({id: "narrow", scopes: ["market"]});

let data: DataFolder;
let dir: string;
let manifest: Manifest;
let generation: Generation;
let server: TestServer;
let base: string;

beforeAll(async () => {
  ({data, dir} = await sampleBuild("2026-11-21"));
  manifest = await readManifest(dir);
  generation = await openGeneration(dir, {openState: openStateArtifacts, depth: "sizes"});
  await writeOlderBuild({dir, builds: data.builds});
  server = await testServer({
    generation: () => generation,
    records: [narrow.record, ...readers.map(({record}) => record)],
    services: () => [fileService(data, () => generation)],
  });
  base = `/files/${manifest.build_id}`;
});
afterAll(() => server?.close());

function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return server.get(path, {headers: {"X-API-Key": server.key, ...headers}, method});
}

describe("/files/", () => {
  it("lists the tables and documents with size and digest, and neither manifest nor serving files", async () => {
    const list = (await get("/files/")).json() as unknown as {
      build_id: string;
      files: {path: string; bytes: number; sha256: string}[];
      left_out: unknown[];
    };
    expect([list.build_id, list.left_out]).toEqual([manifest.build_id, []]);
    const paths = list.files.map(({path}) => path);
    expect(paths).toContain("FORMAT.md");
    expect(paths).toContain(table);
    expect(paths.filter((path) => !/^(tables\/|FORMAT|datapackage|croissant|report)/.test(path))).toEqual([]);
    expect(paths).not.toContain("manifest.json");
    for (const {path, bytes, sha256} of list.files) {
      const head = await get(`${base}/${path}`, {}, "HEAD");
      expect([head.status, head.headers["content-length"], head.headers.etag], path).toEqual([
        200,
        String(bytes),
        `"${sha256}"`,
      ]);
    }
  });

  it("sends whole files, ranges, open and suffix ranges, and 304 for a held digest", async () => {
    const bytes = readFileSync(join(dir, table));
    const whole = await get(`${base}/${table}`);
    expect(whole.raw.equals(bytes)).toBe(true);
    expect(whole.headers["cache-control"]).toBe("private, max-age=31536000, immutable");
    for (const [range, from, to] of [
      ["bytes=0-3", 0, 4],
      ["bytes=-8", bytes.length - 8, bytes.length],
      [`bytes=${bytes.length - 5}-`, bytes.length - 5, bytes.length],
      ["bytes=4-99999999", 4, bytes.length],
    ] as const) {
      const part = await get(`${base}/${table}`, {Range: range});
      expect([part.status, part.headers["content-range"]], range).toEqual([
        206,
        `bytes ${from}-${to - 1}/${bytes.length}`,
      ]);
      expect(part.raw.equals(bytes.subarray(from, to)), range).toBe(true);
    }
    expect((await get(`${base}/${table}`, {"If-None-Match": whole.headers.etag!})).status).toBe(304);
    const changed = await get(`${base}/${table}`, {Range: "bytes=0-3", "If-Range": '"other"'});
    expect([changed.status, changed.raw.length]).toEqual([200, bytes.length]);
  });

  it("refuses several ranges and one behind the end with 416 and the size", async () => {
    const {size} = manifest.market!.files.find(({path}) => path === table)!;
    for (const range of ["bytes=0-1,3-4", `bytes=${size}-`, "bytes=-0"]) {
      const refused = await get(`${base}/${table}`, {Range: range});
      expect([refused.status, refused.headers["content-range"]], range).toEqual([416, `bytes */${size}`]);
    }
  });

  it("redirects current to the build that serves, and has retained builds under their id", async () => {
    const moved = await get(`/files/current/${table}`);
    expect([moved.status, moved.headers.location, moved.headers["cache-control"]]).toEqual([
      307,
      `${base}/${table}`,
      "no-cache",
    ]);
    expect((await get(`/files/${OLDER}/${table}`)).status).toBe(200);
  });

  it("gives a reader that follows current anew for each range the bytes of one build, whatever is swapped meanwhile", async () => {
    const older = await openGeneration(join(data.builds, OLDER), {
      openState: openStateArtifacts,
      depth: "sizes",
    });
    let served = older;
    const swapping = await testServer({
      generation: () => served,
      services: () => [fileService(data, () => served)],
    });
    const url = `http://127.0.0.1:${swapping.port}/files/current/${table}`;
    const answers: string[] = [];
    const file = await asyncBufferFromUrl({
      url,
      requestInit: {headers: {"X-API-Key": swapping.key}},
      fetch: async (...asked) => {
        const reply = await fetch(...asked);
        answers.push(reply.url);
        served = generation;
        return reply;
      },
    });
    await parquetReadObjects({file, compressors, columns: ["state"]});
    expect(answers.length).toBeGreaterThan(1);
    expect(new Set(answers)).toEqual(new Set([url.replace("current", OLDER)]));
    await swapping.close();
  });

  it("leads a key to the new build after a minute without a request, and after an hour in any case", () => {
    let now = 0;
    const builds = new ReaderBuilds(() => now);
    const at = (minutes: number, served: string, key = "one") => {
      now = minutes * 60_000;
      return builds.of(key, served);
    };
    expect([at(0, "a"), at(0.9, "b"), at(1.8, "b"), at(1.8, "b", "two")]).toEqual(["a", "a", "a", "b"]);
    expect(at(2.9, "b")).toBe("b");
    const stays = Array.from({length: 80}, (_, minute) => at(3 + minute * 0.9, "c"));
    expect(stays.lastIndexOf("b") * 0.9).toBeLessThan(60);
    expect(stays.at(-1)).toBe("c");
    builds.end("one");
    expect(at(76, "d")).toBe("d");
  });

  it("ends a download whole though gc removes its build meanwhile, which is then 404", async () => {
    const bytes = await writeOlderBuild({dir, builds: data.builds});
    const address = `http://127.0.0.1:${server.port}/files/${OLDER}/${history}`;
    const reply = await fetch(address, {headers: {"X-API-Key": server.key}});
    const parts: Uint8Array[] = [];
    for await (const part of reply.body!) {
      if (parts.length === 0) rmSync(join(data.builds, OLDER), {recursive: true});
      parts.push(part);
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    expect((await get(`/files/${OLDER}/${history}`)).status).toBe(404);
    await writeOlderBuild({dir, builds: data.builds});
  });

  it("needs the scope files, in either header, and is an unknown path where it is off", async () => {
    expect((await server.get("/files/", {headers: {}})).status).toBe(403);
    expect((await server.get("/files/", {headers: {"X-API-Key": narrow.key}})).status).toBe(403);
    const bearer = {headers: {Authorization: `Bearer ${server.key}`}};
    expect((await server.get("/files/", bearer)).status).toBe(200);
    const off = await testServer({generation: () => generation});
    expect((await off.get("/files/")).status).toBe(404);
    await off.close();
  });

  it("answers 1,000 odd paths with 404: nothing outside of the list", async () => {
    const roots = [
      "",
      "current/",
      `${manifest.build_id}/`,
      "../",
      "%2e%2e/",
      "..%2f",
      "%2e/",
      "//",
      "%00",
      `${OLDER}/../`,
    ];
    const names = [
      "manifest.json",
      "keys.json",
      "../keys.json",
      "serving/market/barns.arrow",
      "run/",
      "delta/x",
    ];
    const tails = [
      "",
      "/",
      "%2f",
      "%252e%252e%252f",
      "..",
      "/..",
      ";a",
      "?x=1",
      "#",
      "%",
      "%ff",
      "\u00e9",
      ".",
      "\\",
    ];
    const odd = roots.flatMap((root) =>
      names.flatMap((name) => tails.map((tail) => `${root}${name}${tail}`)),
    );
    const twisted = [...generation.manifest.market!.files.map(({path}) => path)].flatMap((path) => [
      path.toUpperCase(),
      `${path}/`,
      path.replaceAll("/", "//"),
      `./${path}`,
      `tables/../${path}`,
      encodeURIComponent(encodeURIComponent(path)),
    ]);
    const all = [...odd, ...twisted.map((path) => `${manifest.build_id}/${path}`)];
    expect(all.length).toBeGreaterThanOrEqual(1000);
    for (const [at, path] of all.entries()) {
      // A key has 600 requests a minute.
      const headers = {"X-API-Key": readers[at % readers.length]!.key};
      const reply = await server.get(`/files/${encodeURI(path).replaceAll("%25", "%")}`, {headers});
      expect([404, 400], path).toContain(reply.status);
    }
  });

  it("does not follow a link and notices another size", async () => {
    const path = join(dir, table);
    renameSync(path, `${path}.kept`);
    symlinkSync(`${path}.kept`, path);
    expect((await get(`${base}/${table}`)).status).toBe(503);
    rmSync(path);
    writeFileSync(path, "short");
    expect((await get(`${base}/${table}`)).status).toBe(503);
    rmSync(path);
    renameSync(`${path}.kept`, path);
    expect((await get(`${base}/${table}`)).status).toBe(200);
  });

  it("is read by ranges: hyparquet fetches few bytes of a table for one column", async () => {
    const url = `http://127.0.0.1:${server.port}/files/${OLDER}/${history}`;
    let fetched = 0;
    const counted: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init);
      if (init?.method !== "HEAD") fetched += Number(reply.headers.get("content-length"));
      return reply;
    };
    const requestInit = {headers: {"X-API-Key": server.key}};
    const file = await asyncBufferFromUrl({url, requestInit, fetch: counted});
    const rows = await parquetReadObjects({file, compressors, columns: ["week"]});
    const size = file.byteLength;
    expect(rows).toHaveLength(historyRows);
    expect(size).toBeGreaterThan(24 * 2 ** 20);
    expect(fetched).toBeGreaterThan(0);
    expect(fetched).toBeLessThan(size / 4);
  });
});

describe("parts whose terms forbid handing them on", () => {
  it("are left out whole, by name, source and reason; a sample leaves nothing out", async () => {
    const real = {...manifest, sample: false};
    const {files, leftOut} = await fileTable(dir, real);
    const left = (part: string) => leftOut.filter((each) => each.part === part);
    expect(left("signals/futures")).toEqual([
      expect.objectContaining({source: "futures", reason: expect.stringContaining("licensed")}),
    ]);
    expect(files.has("tables/signals/futures.parquet")).toBe(false);
    expect(files.has("tables/derived_measures.parquet")).toBe(false);
    expect(files.has(table)).toBe(true);
    for (const state of Object.keys(real.states)) {
      const named = left(state).map(({source}) => source);
      const isShown = files.has(`tables/parcels/state=${state}/parcels.parquet`);
      expect([state, isShown]).toEqual([state, named.length === 0]);
    }
    expect((await fileTable(dir, manifest)).leftOut).toEqual([]);
  });

  it("may be handed on only with quoted words that permit it, their page and the day they were read", () => {
    const text = readFileSync(join(packageRoot, "data/sources/terms.json"), "utf8");
    const permitting =
      /CC ?-?0|CC[ -]BY|public domain|Open Data|ODbL|OpenMB Information and Data Use Licen[cs]e/i;
    const allowed = TermsStatements.parse(JSON.parse(text)).filter(({handOn}) => handOn === "yes");
    expect(allowed.length).toBeGreaterThan(10);
    for (const {words, page, read, layers} of allowed) {
      expect(words, layers[0]).toMatch(permitting);
      expect([page, read].every((each) => each !== "")).toBe(true);
    }
  });
});

describe("a transfer", () => {
  it("waits for its turn beyond four of a key and sixteen of all, and is 429 when none comes in time", async () => {
    const transfers = new Transfers({waitMs: 100});
    const first = await transfers.begin("a");
    for (let at = 0; at < 3; at += 1) await transfers.begin("a");
    await expect(transfers.begin("a")).rejects.toThrow("4 transfers of a key");
    const next = transfers.begin("a");
    first[Symbol.dispose]();
    await expect(next).resolves.toBeDefined();
    for (const key of ["b", "c", "d"]) for (let at = 0; at < 4; at += 1) await transfers.begin(key);
    await expect(transfers.begin("e")).rejects.toThrow("16 of all keys");
    (await next)[Symbol.dispose]();
    await expect(transfers.begin("e")).resolves.toBeDefined();
  });

  it("is cut when its peer takes under 16 KiB a second for 30 seconds", async () => {
    const transfer = await new Transfers().begin("a");
    const now = performance.now();
    expect(transfer.taken(20 * 1024 * 31, now + 31_000)).toBe(true);
    expect(transfer.taken(10 * 1024 * 31, now + 62_000)).toBe(false);
  });

  it("of more bytes than a second's share waits for the next", async () => {
    const transfer = await new Transfers().begin("a");
    const from = performance.now();
    for (let at = 0; at < 3; at += 1) await transfer.admit(5 * 2 ** 20);
    expect(performance.now() - from).toBeGreaterThan(350);
  });
});

describe("a Range header", () => {
  it.each([
    [undefined, "whole"],
    ["items=0-1", "whole"],
    ["bytes=", "whole"],
    ["bytes=5-2", "whole"],
    ["bytes=0-0", {first: 0, last: 0}],
    ["bytes=-100", {first: 0, last: 9}],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=0-1,2-3", "unsatisfiable"],
  ])("%s of ten bytes is %o", (header, expected) => {
    expect(byteRange(header, 10)).toEqual(expected);
  });
});
