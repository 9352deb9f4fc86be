import {spawn} from "node:child_process";
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
  timeout: 1_200_000,
}, async () => {
  const server = await ReplayServer.start();
  server.on(path, layer({rows: 6000, maxRecordCount: 100, mostRows: 60, lastEdit: () => 1_000}));
  const [whole, killed] = [temporaryFolder(), temporaryFolder()];
  expect(await run(server.origin, whole, null)).toBe(0);
  const random = seededBy(seed);
  let ended = 0;
  for (let i = 0; i < kills; i++) {
    const code = await run(server.origin, killed, 150 + random.int(0, 500));
    if (code === 0) ended += 1;
  }
  expect(await run(server.origin, killed, null)).toBe(0);
  const facts = async (dir: string) =>
    (await listRawFiles(dir)).map(({path: file, sha256}) => [file, sha256]);
  expect(await facts(killed)).toEqual(await facts(whole));
  expect(ended).toBeLessThan(kills);
  note(
    "B13",
    `fetch killed ${kills} times`,
    `${kills - ended} in its work; the bytes of an undisturbed pull`,
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
