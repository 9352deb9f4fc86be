import {type ChildProcess, spawn} from "node:child_process";
import {mkdirSync, rmSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {seededBy} from "../../pipeline/market/samples/lots.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {note, sizeOf} from "../crash/table.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {layer} from "./arcgis-world.ts";
import {ReplayServer, type Seen} from "./replay-server.ts";

const kills = sizeOf("FETCH", {push: 30, long: 300});
const seed = process.env["SEED"] ?? "fetch kills";
const path = "/county/FeatureServer/0";

test(`a pull that is killed ${kills} times in its work ends with the bytes of an undisturbed one (seed ${seed})`, {
  timeout: 60_000 + kills * 15_000,
}, async () => {
  const server = await ReplayServer.start();
  const answer = layer({rows: 6000, maxRecordCount: 100, mostRows: 60, lastEdit: () => 1_000});
  let afterAsk = (_ask: Seen): void => undefined;
  server.on(path, (ask, reply) => {
    afterAsk(ask);
    return answer(ask, reply);
  });
  const [whole, killed] = [temporaryFolder(), temporaryFolder()];
  const facts = async (dir: string) =>
    (await listRawFiles(dir)).map(({path: file, sha256}) => [file, sha256]);
  expect(await startPull(server.origin, whole).end).toBe(0);
  const undisturbed = await facts(whole);
  const [all, last] = [server.seen.length, server.seen.at(-1)!.query.toString()];
  const random = seededBy(seed);
  let [inWork, inEnd, pulls] = [0, 0, 0];
  while (inWork < kills) {
    server.forget();
    const {child, end} = startPull(server.origin, killed);
    // Of three pulls, one is killed while it joins its pages, two at a random request or on the way to the next.
    const [atEnd, asks, restMs] = [
      random.int(0, 2) === 0,
      random.int(1, Math.ceil(all / 2)),
      random.int(0, 100),
    ];
    afterAsk = ({query}) => {
      if (atEnd ? query.toString() !== last : server.seen.length !== asks) return;
      setTimeout(() => child.kill("SIGKILL"), atEnd ? restMs : restMs / 5);
    };
    const code = await end;
    if (code === null) {
      [inWork, inEnd] = [inWork + 1, inEnd + Number(atEnd)];
      continue;
    }
    expect(code).toBe(0);
    // A finished pull is compared with the undisturbed one, and another starts.
    pulls += 1;
    expect(await facts(killed)).toEqual(undisturbed);
    rmSync(killed, {recursive: true});
    mkdirSync(killed);
  }
  afterAsk = () => undefined;
  expect(await startPull(server.origin, killed).end).toBe(0);
  expect(await facts(killed)).toEqual(undisturbed);
  note(
    "B13",
    `fetch killed ${kills} times`,
    `all after its first request, ${inEnd} after its last; ${pulls + 1} pulls ended, with the bytes of an undisturbed one each`,
  );
  await server.stop();
});

/** Starts a pull in a process; `end` gives its exit code, null for a killed one. */
function startPull(origin: string, rawDir: string): {child: ChildProcess; end: Promise<number | null>} {
  const words = [join(packageRoot, "test/fetch/kill-child.ts"), origin + path, rawDir];
  const child = spawn(process.execPath, words, {stdio: ["ignore", "ignore", "inherit"]});
  return {child, end: new Promise((resolve) => child.once("close", resolve))};
}
