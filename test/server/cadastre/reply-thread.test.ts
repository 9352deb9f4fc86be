import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {afterEach, expect, it} from "vitest";
import {createReplyReader, type ReplyReader} from "../../../server/cadastre/reply-reader.ts";
import {createReplyThread} from "../../../server/cadastre/reply-thread.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {countyAsker, inventedRows, layerEntry} from "./county-fixture.ts";
import {startFakeArcgis} from "./fake-arcgis.ts";

const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Writes a program that replaces the one of the thread. */
function program(text: string): URL {
  const path = join(temporaryFolder(), "thread.mjs");
  writeFileSync(path, `import {parentPort} from "node:worker_threads";\n${text}`);
  return pathToFileURL(path);
}

const nothing = {entry: {} as never, features: [], layerEdit: null, retrievedAt: "2026-11-20T10:00:00Z"};

async function asked(reader: ReplyReader) {
  const fake = await startFakeArcgis(inventedRows());
  const county = countyAsker([layerEntry(fake.url)], {reader});
  open.push(county, fake);
  const ask = (parcelId: string) => county.ask("parcel", {parcelId, state: "TX", county: "Brazos"});
  return {...county, ask};
}

it("gives the same rows as a reader in this thread, with outlines, and ends", async () => {
  const thread = createReplyThread();
  const [there, here] = [await asked(thread), await asked(createReplyReader())];
  for (const {ask} of [there, here]) await ask("R-100-1");
  expect(there.store.finds).toHaveLength(1);
  expect(there.store.finds[0]!.upsert).toEqual(here.store.finds[0]!.upsert);
  await thread.close();
  expect(await there.ask("R-100-2").then(({json}) => json.property.parcelUid)).toBe("48041-R-100-2");
});

it("C4: refuses the answer that a dying thread was reading, and reads the next one in a new thread", async () => {
  const dies = program(`parentPort.on("message", () => process.exit(3));`);
  const {ask} = await asked(createReplyThread({program: dies}));
  for (const parcelId of ["R-100-1", "R-100-2"]) {
    expect((await ask(parcelId)).json).toMatchObject({
      type: "/problems/cadastre-unavailable",
      lookup: {cadastreStatus: "rejected"},
    });
  }
});

it("rejects the waiting tasks when the thread dies, and reads again in a new one", async () => {
  const once = program(`
    import {existsSync, writeFileSync} from "node:fs";
    const mark = new URL("./mark", import.meta.url);
    parentPort.on("message", (task) => {
      if (task === null) return parentPort.close();
      if (existsSync(mark)) return parentPort.postMessage({id: task.id, rows: []});
      writeFileSync(mark, "");
      throw new Error("out of luck");
    });`);
  const thread = createReplyThread({program: once});
  open.push(thread);
  const [first, second] = [thread.read(nothing), thread.read(nothing)];
  await expect(first).rejects.toThrow("out of luck");
  await expect(second).rejects.toThrow("out of luck");
  expect(await thread.read(nothing)).toEqual([]);
});

it("ends at once when it never read, and a second time", async () => {
  const thread = createReplyThread();
  await expect(thread.close()).resolves.toBeUndefined();
  await expect(thread.close()).resolves.toBeUndefined();
});
