import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {pathToFileURL} from "node:url";
import {afterEach, describe, expect, it, vi} from "vitest";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import type {CountyReader} from "../../../server/cadastre/county-reader.ts";
import type {ReaderLimits} from "../../../server/cadastre/reader-child.ts";
import {createReaderLanes, createReaderProcess} from "../../../server/cadastre/reader-process.ts";
import {collectGarbage} from "../../collect-garbage.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {countyAsker, inventedRows, layerEntry} from "./county-fixture.ts";
import {startFakeArcgis} from "./fake-arcgis.ts";

const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0)) await each.close();
});

/**
 * A reader whose process runs this program: it says that it is ready, and for each body runs the text with `body`, the
 * number of the process `life`, and `answer`, which gives the names of fields.
 */
function readerOf(
  text: string,
  limits: Partial<ReaderLimits> = {},
  create: typeof createReaderProcess = createReaderProcess,
): CountyReader {
  const path = join(temporaryFolder(), "program.mjs");
  writeFileSync(
    path,
    `import {existsSync, writeFileSync} from "node:fs";
    let life = 1;
    while (existsSync(import.meta.filename + life)) life += 1;
    writeFileSync(import.meta.filename + life, "");
    const layer = (...names) => ({kind: "layer", layer: {fields: names.map((name) => ({name}))}});
    const answer = (...names) => process.send({result: layer(...names)});
    process.on("message", ({kind, task}) => {
      if (kind === "end") process.exit();
      const body = Buffer.from(task.body).toString();
      ${text}
    });
    process.send({ready: true});`,
  );
  const reader = create({program: pathToFileURL(path), limits});
  open.push(reader);
  return reader;
}

const forever = new AbortController().signal;
const read = (reader: CountyReader, body: string | Buffer, publisher = "a", signal = forever) =>
  reader.read("layer", {body: Buffer.from(body)}, {publisher, signal});
const namesIn = async (result: ReturnType<typeof read>) => {
  const found = await result;
  return found.kind === "layer" ? found.layer.fields.map(({name}) => name) : found;
};

describe("the process that reads what counties send", () => {
  it("gives the same finds as a reader in this process, with outlines, and ends", async () => {
    const process = createReaderProcess();
    // A question has 8 s, and on a busy machine the process may need longer to start.
    await read(process, "{}");
    const [there, here] = [await asked(process), await asked(createAnswerReader())];
    for (const {ask} of [there, here]) await ask("R-100-1");
    expect(there.store.discoveries).toHaveLength(1);
    expect(there.store.discoveries[0]!.upsert).toEqual(here.store.discoveries[0]!.upsert);
    await process.close();
    expect((await there.ask("R-100-2")).json.property.parcelUid).toBe("48041-R-100-2");
  });

  it("ends at once when it never read, and a second time", async () => {
    const reader = createReaderProcess();
    await expect(reader.close()).resolves.toBeUndefined();
    await expect(reader.close()).resolves.toBeUndefined();
  });

  it("keeps no result once it was given", async () => {
    const reader = readerOf("answer(body);");
    const results = [];
    for (let i = 0; i < 5; i++) results.push(new WeakRef(await read(reader, `field ${i}`)));
    await sleep(0);
    collectGarbage();
    // The last one may still be held by the wait for it.
    expect(results.slice(0, -1).map((result) => result.deref())).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("C4: rejects the body of which the process dies, keeps those that wait, and reads them in a new one", async () => {
    const reader = readerOf(
      `body === "bad" ? process.kill(process.pid, "SIGABRT") : answer(body, "life " + life);`,
    );
    const results = [read(reader, "bad"), read(reader, "good")];
    expect(await results[0]).toMatchObject({kind: "failed", status: "rejected"});
    expect(await namesIn(results[1]!)).toEqual(["good", "life 2"]);
  });

  /** Timers that stand leave the limit of processor time alone at work. */
  const clockStands = () => vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout"]});

  it("rejects a body that takes too much time, also in a loop that nothing interrupts", async () => {
    if (process.platform === "linux") clockStands();
    const reader = readerOf(`while (body === "bad"); answer("life " + life);`, {readMs: 200});
    expect(await read(reader, "bad")).toMatchObject({
      status: "rejected",
      reason: "reading took more than 200 ms",
    });
    expect(await namesIn(read(reader, "good"))).toEqual(["life 2"]);
  });

  it("rejects a body that is never answered, though it takes no processor time", async () => {
    const reader = readerOf(`if (body !== "bad") answer("life " + life);`, {readMs: 2_000});
    expect(await read(reader, "bad")).toMatchObject({reason: "reading took more than 2000 ms"});
    expect(await namesIn(read(reader, "good"))).toEqual(["life 2"]);
  });

  it.runIf(process.platform === "linux")(
    "reads a body that only waits for the processor: another one's work does not count against its county",
    async () => {
      clockStands();
      const reader = readerOf(`setTimeout(() => answer("life " + life), 1_000);`, {readMs: 500});
      expect(await namesIn(read(reader, "good"))).toEqual(["life 1"]);
    },
  );

  it("rejects a body that takes too much memory, outside the heap of JavaScript too", async () => {
    const reader = readerOf(
      `if (body !== "bad") return answer("life " + life);
       globalThis.kept = Buffer.alloc(300 * 1024 * 1024, 1);`,
      {readMs: 30_000},
    );
    expect(await read(reader, "bad")).toMatchObject({
      status: "rejected",
      reason: expect.stringContaining("KiB"),
    });
    expect(await namesIn(read(reader, "good"))).toEqual(["life 2"]);
  });

  it("C1: a large body that is never done holds up no usual one", async () => {
    const program = `while (body.length > 100_000); answer(body);`;
    const reader = readerOf(program, {readMs: 3_000}, createReaderLanes);
    const large = read(reader, "x".repeat(100_001));
    const first = await Promise.race([large, namesIn(read(reader, "small", "b"))]);
    expect(first).toEqual(["small"]);
    expect(await large).toMatchObject({status: "rejected"});
  });

  it("C1: after a refused body those of its publisher hold up no other publisher's for ten minutes", async () => {
    const reader = readerOf(
      `if (body === "bad") return process.send({result: {kind: "failed", status: "rejected", reason: "bad"}});
       if (body === "late") return process.send({result: {kind: "failed", status: "timeout", reason: "late", unread: true}});
       answer(import.meta.filename + life);`,
      {},
      createReaderLanes,
    );
    const lifeOf = async (publisher: string) =>
      ((await namesIn(read(reader, "good", publisher))) as string[])[0]!.at(-1);
    expect([await lifeOf("a"), await lifeOf("b")]).toEqual(["1", "1"]);
    // One that was not read for want of time here says nothing of its publisher.
    await read(reader, "late", "b");
    expect(await lifeOf("b")).toBe("1");
    await read(reader, "bad", "b");
    expect([await lifeOf("a"), await lifeOf("b"), await lifeOf("b")]).toEqual(["1", "2", "2"]);
    const later = performance.now() + 11 * 60_000;
    vi.spyOn(performance, "now").mockReturnValueOnce(later);
    expect(await lifeOf("b")).toBe("1");
    vi.restoreAllMocks();
  });

  it("ends a process that has had nothing to read for a while, and reads the next body in a new one", async () => {
    const reader = readerOf(`answer("life " + life);`, {idleMs: 50});
    expect(await namesIn(read(reader, "one"))).toEqual(["life 1"]);
    await vi.waitFor(async () => expect(await namesIn(read(reader, "two"))).toEqual(["life 2"]), {
      timeout: 300_000,
      interval: 1_000,
    });
  });

  it("replaces a process that keeps too much after a body", async () => {
    const reader = readerOf(`globalThis.kept = Buffer.alloc(180 * 1024 * 1024, 1); answer("life " + life);`);
    expect(await namesIn(read(reader, "one"))).toEqual(["life 1"]);
    expect(await namesIn(read(reader, "two"))).toEqual(["life 2"]);
  });

  it("lets 8 bodies wait while one is read, and the ninth is not read at once", async () => {
    const reader = readerOf(`setTimeout(() => answer(body), 50);`);
    const results = Array.from({length: 10}, (_, i) => read(reader, String(i)));
    expect(await results[9]).toMatchObject({status: "unavailable", unread: true});
    expect(await Promise.all(results.slice(0, 9).map(namesIn))).toEqual(
      Array.from({length: 9}, (_, i) => [String(i)]),
    );
  });

  it("lets 16 MiB wait", async () => {
    const reader = readerOf("setTimeout(answer, 50);");
    const large = Buffer.alloc(4 * 1024 * 1024, 32);
    const results = Array.from({length: 6}, () => read(reader, large));
    expect(await results[5]).toMatchObject({status: "unavailable", unread: true});
    expect(await Promise.all(results.slice(0, 5).map(namesIn))).toEqual(Array(5).fill([]));
  });

  it("reads the body of another publisher before the next of the same", async () => {
    const order: string[] = [];
    const reader = readerOf("answer(body);");
    const bodies = ["a1", "a2", "a3", "b1"];
    await Promise.all(bodies.map((body) => read(reader, body, body[0]).then(() => order.push(body))));
    expect(order).toEqual(["a1", "b1", "a2", "a3"]);
  });

  it("reads nothing that nobody waits for, but finishes what it has begun", async () => {
    const reader = readerOf(
      `globalThis.seen = [...(globalThis.seen ?? []), body]; setTimeout(() => answer(...seen), 50);`,
    );
    const [begun, waiting] = [new AbortController(), new AbortController()];
    const results = [
      read(reader, "1", "a", begun.signal),
      read(reader, "2", "a", waiting.signal),
      read(reader, "3"),
    ];
    waiting.abort();
    begun.abort();
    expect(await results[1]).toMatchObject({status: "timeout", unread: true});
    expect(await namesIn(results[0]!)).toEqual(["1"]);
    expect(await namesIn(results[2]!)).toEqual(["1", "3"]);
  });

  it("does not blame the county when the process cannot start", async () => {
    const reader = createReaderProcess({program: pathToFileURL(join(temporaryFolder(), "absent.mjs"))});
    expect(await read(reader, "1")).toMatchObject({status: "unavailable", unread: true});
  });

  it("rejects the promise for a fault of the reader itself, and reads on", async () => {
    const reader = readerOf(
      `body === "bad" ? process.send({fault: new Error("out of luck")}) : answer("life " + life);`,
    );
    await expect(read(reader, "bad")).rejects.toThrow("out of luck");
    expect(await namesIn(read(reader, "good"))).toEqual(["life 1"]);
  });
});

async function asked(reader: CountyReader) {
  const fake = await startFakeArcgis(inventedRows());
  const county = countyAsker([layerEntry(fake.url)], {reader});
  open.push(county, fake);
  const ask = (parcelId: string) => county.ask("parcel", {parcelId, state: "TX", county: "Brazos"});
  return {...county, ask};
}
