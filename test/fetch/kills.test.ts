import {spawn} from "node:child_process";
import {mkdirSync, rmSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {seededBy} from "../../pipeline/sample/random.ts";
import {note, sizeOf} from "../crash/table.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {layer} from "./arcgis-world.ts";
import {ReplayServer} from "./replay-server.ts";

const kills = sizeOf("FETCH", {push: 100, long: 300});
const seed = process.env["SEED"] ?? "fetch kills";
const path = "/county/FeatureServer/0";

test(`a pull that is killed at ${kills} random moments ends with the bytes of an undisturbed one (seed ${seed})`, {
  timeout: 60_000 + kills * 15_000,
}, async () => {
  const server = await ReplayServer.start();
  server.on(path, layer({rows: 6000, maxRecordCount: 100, mostRows: 60, lastEdit: () => 1_000}));
  const [whole, killed] = [temporaryFolder(), temporaryFolder()];
  const facts = async (dir: string) =>
    (await listRawFiles(dir)).map(({path: file, sha256}) => [file, sha256]);
  const asks = () => server.seen.length;
  const begun = performance.now();
  expect(await run(server.origin, whole, null)).toBe(0);
  const wholeMs = performance.now() - begun;
  const undisturbed = await facts(whole);
  const random = seededBy(seed);
  let [inWork, pulls] = [0, 0];
  for (let i = 0; i < kills; i++) {
    server.forget();
    const code = await run(server.origin, killed, random.int(0, Math.ceil(wholeMs)));
    if (code === null && asks() > 0) inWork += 1;
    if (code !== 0) continue;
    // A pull that ended is held against the undisturbed one, and another begins.
    pulls += 1;
    expect(await facts(killed)).toEqual(undisturbed);
    rmSync(killed, {recursive: true});
    mkdirSync(killed);
  }
  expect(await run(server.origin, killed, null)).toBe(0);
  expect(await facts(killed)).toEqual(undisturbed);
  expect(inWork).toBeGreaterThan(kills / 10);
  note(
    "B13",
    `fetch killed ${kills} times`,
    `${inWork} after its first request, ${pulls + 1} pulls ended; the bytes of an undisturbed one each`,
  );
  await server.stop();
});

/** Runs the child and kills it after so many milliseconds; gives its exit code, null for a killed one. */
async function run(origin: string, rawDir: string, afterMs: number | null): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [join(packageRoot, "test/fetch/kill-child.ts"), origin + path, rawDir],
    {
      stdio: "ignore",
    },
  );
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  if (afterMs !== null) {
    await Promise.race([closed, sleep(afterMs)]);
    child.kill("SIGKILL");
  }
  return closed;
}
