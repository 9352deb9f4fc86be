import {spawn} from "node:child_process";
import {once} from "node:events";
import {chmodSync, chownSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeAll, expect, test} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import {ask, type DeltaWorkshop, deltaWorkshop, rollNumbers} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill, startChild} from "./children.ts";
import {byNumber, everyParcel} from "./known-county.ts";
import {note, sizeOf} from "./table.ts";

const starts = sizeOf("H4", {push: 3, long: 24});
const nobody = 65_534;

let shop: DeltaWorkshop;
let buildId: string;
beforeAll(async () => {
  shop = deltaWorkshop(temporaryFolder(), everyParcel());
  shop.roll(rollNumbers(20));
  ({buildId} = await build(shop.options()));
});

/** Gives what a process served with so many files left to open, and once it had more. */
async function startWith(left: number): Promise<string> {
  const program = new URL("starved-watch.ts", import.meta.url).pathname;
  const words = ["sh", process.execPath, program, shop.data.root, String(left)];
  const child = spawn("sh", ["-c", 'ulimit -n 200; exec "$@"', ...words], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const said = once(child, "message").then(([message]) => String(message));
  const ended = once(child, "exit").then(([code, signal]) => `ended with ${code ?? signal}`);
  return Promise.race([said, ended]);
}

test(`H4: started ${starts} times with too few files left to open, a server refuses no build and serves it soon`, async () => {
  let later = 0;
  for (let n = 0; n < starts; n++) {
    const [before, after] = (await startWith(starts < 20 ? 2 * n : n)).split(" | ");
    expect([n, after]).toEqual([n, buildId]);
    expect(before).not.toContain("build_refused");
    if (before !== buildId) later += 1;
  }
  note(
    "H4",
    `${starts} starts with 0 to ${starts - 1} files left to open`,
    `${later} not at once, ${starts} served, 0 refused`,
  );
  expect(later).toBeGreaterThan(0);
}, 300_000);

test.each(["absent", "dangling"])(
  "H4: with current %s the server starts with the newest build that verifies, and says so",
  async (kind) => {
    rmSync(shop.data.current);
    if (kind === "dangling") symlinkSync("builds/20261119-dddddd", shop.data.current);
    const server = await shop.start();
    try {
      const {body, status} = await ask(shop, server, "/readyz");
      const reason = kind === "absent" ? "current_absent" : "current_unreadable";
      expect([status, body]).toEqual([200, expect.objectContaining({build_id: buildId, reasons: [reason]})]);
      expect((await ask(shop, server, byNumber("100-A"))).status).toBe(200);
      note("H4", `start with current ${kind}`, `serves the newest retained build, degraded: ${reason}`);
    } finally {
      await server.stop();
      rmSync(shop.data.current, {force: true});
      symlinkSync(`builds/${buildId}`, shop.data.current);
    }
  },
);

test.each([
  ["after a stop it is served at once, without a wrong answer, until the check behind finds it", false],
  ["after a crash it is found before the first answer", true],
])("H4: a build with a damaged state: %s", async (_, afterCrash) => {
  const own = deltaWorkshop(temporaryFolder(), everyParcel());
  own.roll(rollNumbers(20), 1_000);
  const {buildId: older} = await build(own.options());
  own.roll(rollNumbers(20), 2_000);
  const {buildId: newer} = await build(own.options());
  const records = join(own.data.builds, newer, "serving/parcels/TX/records.arrow");
  chmodSync(records, 0o640);
  const bytes = readFileSync(records);
  const at = bytes.indexOf("2000");
  expect(at).toBeGreaterThan(0);
  bytes.write("3000", at);
  writeFileSync(records, bytes);
  if (afterCrash) await leaveLease(own, newer);
  const server = await own.start();
  try {
    const ready = async () => (await ask(own, server, "/readyz")).body;
    if (afterCrash) expect(await ready()).toMatchObject({build_id: older});
    for (let served: string | null | undefined = newer; served !== older; served = (await ready()).build_id) {
      for (const number of rollNumbers(20)) {
        const {status, body} = await ask(own, server, byNumber(number));
        if (status !== 503) expect([1_000, 2_000]).toContain(body.property?.totalMarketValue);
      }
    }
    expect(await ready()).toMatchObject({status: "degraded", reasons: [`build_refused:${newer}`]});
  } finally {
    await server.stop();
  }
});

/** Leaves the lease of a server that was killed. */
async function leaveLease({data}: DeltaWorkshop, served: string): Promise<void> {
  const holder = startChild("lock-taker.ts", [data.root, served]);
  await holder.ready;
  await kill(holder);
}

test("H4: a state whose folder may not be read is left out at the start, and its lookups answer 503", async () => {
  const folder = join(shop.data.builds, buildId, "serving/parcels/TX");
  const isRoot = process.getuid?.() === 0;
  if (isRoot) giveTo(shop.root, nobody);
  chmodSync(folder, 0);
  if (isRoot) chownSync(folder, 0, 0);
  if (isRoot) process.seteuid?.(nobody);
  try {
    const server = await shop.start();
    try {
      const {body} = await ask(shop, server, "/readyz");
      expect(body).toMatchObject({status: "degraded", build_id: buildId});
      expect(body.reasons).toEqual([`build_refused:${buildId}`, "state_damaged:TX"]);
      const answer = await ask(shop, server, byNumber("100-A"));
      expect([answer.status, answer.body]).toEqual([
        503,
        expect.objectContaining({type: "/problems/build-unavailable"}),
      ]);
    } finally {
      await server.stop();
    }
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o750);
  }
  note(
    "H4",
    "start with the folder of one state unreadable",
    "the rest served, its lookups 503 build-unavailable",
  );
});

/** Gives a folder with all that is in it to another user. */
function giveTo(root: string, user: number): void {
  chownSync(root, user, user);
  for (const entry of readdirSync(root, {recursive: true, withFileTypes: true})) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user, user);
  }
}
