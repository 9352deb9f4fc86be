import {execFileSync, spawnSync} from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import {join} from "node:path";
import {crc32} from "node:zlib";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {createKey, keyDigest, keyState, newKey, readKeys, revokeKey} from "../../../lib/keys/api-keys.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {lockRun} from "../../../lib/process/run-folder.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {openKeyStore} from "../../../server/http/key-store.ts";
import {silentLog} from "../../silent-log.ts";
import {temporaryFolder} from "../server-fixture.ts";

const bin = join(packageRoot, "bin/cattle.js");
let folder: ReturnType<typeof temporaryFolder>;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, "keys.json");
});
afterEach(() => folder.remove());

describe("K1: keys", () => {
  it("K1: a key file that is a link is written at its target, so that all who read that see a revocation", async () => {
    const shared = temporaryFolder();
    const target = join(shared.path, "shared-keys.json");
    const {record} = await createKey(target);
    symlinkSync(target, file);
    const second = await createKey(file);
    await revokeKey(file, record.id);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readKeys(target).map(({id}) => id)).toEqual([record.id, second.record.id]);
    expect(readKeys(target).map((each) => keyState(each, new Date()))).toEqual(["ended", "valid"]);
    shared.remove();
  });

  it("K1: makes keys of the stated form, whose checksum finds a typing error", () => {
    const key = newKey();
    expect(key).toMatch(/^cattle_[0-9a-f]{72}$/);
    expect(key.slice(-8)).toBe(crc32(key.slice(7, -8)).toString(16).padStart(8, "0"));
  });

  it("K1: stores the digest alone, in a file of the owner", async () => {
    const {key, record} = await createKey(file, {label: "desk"});
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(key.slice(7, 40));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(record.scopes).toEqual(["market", "parcel", "owner-search", "files"]);
    expect(readKeys(file)).toEqual([record]);
  });

  it("K1: keeps both keys of a client during a rotation, then ends the old one", async () => {
    const now = new Date("2026-11-21T00:00:00Z");
    const [old, fresh] = [await createKey(file), await createKey(file, {scopes: ["market"]})];
    const ended = await revokeKey(file, old.record.id, () => now);
    expect(keyState(ended, now)).toBe("ended");
    expect(readKeys(file).map(({id}) => id)).toEqual([old.record.id, fresh.record.id]);
  });

  it("K1: refuses unknown scopes, unknown ids and a second command at the same moment", async () => {
    await expect(createKey(file, {scopes: ["everything"]})).rejects.toThrow(/scopes/);
    await createKey(file);
    await expect(revokeKey(file, "key-none")).rejects.toThrow(/key-none/);
    const release = await lockRun(dataFolder(folder.path), "keys");
    await expect(createKey(file)).rejects.toThrow(/keys\.lock: held by process/);
    await release();
    await createKey(file);
    expect(readKeys(file)).toHaveLength(2);
  });

  it("K1: takes over what a command left that died while it wrote", async () => {
    const {record} = await createKey(file);
    writeFileSync(`${file}.new`, "[{");
    const dead = {...ownIdentity(), startTicks: "1"};
    writeFileSync(join(folder.path, "run/keys.lock"), JSON.stringify(dead));
    await revokeKey(file, record.id);
    expect(keyState(readKeys(file)[0]!, new Date(Date.now() + 1))).toBe("ended");
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  /** What may stand in the place of the file without being one. */
  const faults: Record<string, () => void> = {
    "a link to itself": () => symlinkSync("keys.json", file),
    "a named pipe": () => void execFileSync("mkfifo", [file]),
    "a folder": () => mkdirSync(file),
    nothing: () => undefined,
  };

  it.each(Object.keys(faults))(
    "K1: keeps the old keys while there is %s in the place of the file",
    async (what) => {
      const {key, record} = await createKey(file);
      const store = openKeyStore(file, {log: silentLog, pollMs: 10});
      rmSync(file);
      faults[what]!();
      await until(() => !store.healthy());
      expect(store.find(key)?.id).toBe(record.id);
      rmSync(file, {recursive: true, force: true});
      writeFileSync(file, JSON.stringify([record]));
      await until(() => store.healthy());
      store.close();
    },
  );

  /** Runs `cattle keys` where no file may be longer than 4 KiB, as on a disk that is nearly full. */
  const keysInTightPlace = (...words: string[]) =>
    spawnSync("bash", ["-c", 'ulimit -f 4; exec "$@"', "bash", process.execPath, bin, "keys", ...words], {
      env: {...process.env, CATTLE_DATA: folder.path},
      encoding: "utf8",
    });

  it.runIf(process.platform === "linux")(
    "K1: says that a key was not written, or not revoked, and leaves the file as it was",
    async () => {
      const first = await createKey(file, {label: "x".repeat(100)});
      while (statSync(file).size < 4096) await createKey(file, {label: "x".repeat(100)});
      const before = readFileSync(file, "utf8");
      for (const words of [["create"], ["revoke", first.record.id]]) {
        const {status, stdout, stderr} = keysInTightPlace(...words);
        expect([status, stdout]).toEqual([1, ""]);
        expect(stderr).toMatch(/^\S*keys\.json: cannot be written: EFBIG[^\n]*\n$/);
        expect(readFileSync(file, "utf8")).toBe(before);
      }
      expect(readdirSync(folder.path).sort()).toEqual(["keys.json", "run"]);
    },
  );

  it("K1: follows the file within the interval, keeps the old keys while it is broken, and says so", async () => {
    const store = openKeyStore(file, {log: silentLog, pollMs: 20});
    expect(store.healthy()).toBe(false);
    const {key, record} = await createKey(file);
    await until(() => store.find(key) !== null);
    expect(store.healthy()).toBe(true);
    writeFileSync(file, "[{ broken");
    await until(() => !store.healthy());
    expect(store.find(key)?.id).toBe(record.id);
    writeFileSync(file, JSON.stringify([record]));
    utimesSync(file, 1, 1);
    await revokeKey(file, record.id);
    await until(() => store.find(key) === null);
    expect(store.healthy()).toBe(true);
    store.close();
  });

  it("K1: two servers on one file of a thousand keys follow what is made and revoked, each key by its own", async () => {
    const given = Array.from({length: 1_000}, (_, at) => ({key: newKey(), id: `client-${at}`}));
    const times = {notBefore: "2020-01-01T00:00:00Z", notAfter: null};
    const facts = {scopes: ["market"], label: "", ...times};
    const records = given.map(({key, id}) => ({id, sha256: keyDigest(key), ...facts}));
    writeFileSync(file, JSON.stringify(records));
    const stores = [1, 2].map(() => openKeyStore(file, {log: silentLog, pollMs: 20}));
    for (const {key, id} of given) expect(stores.map((store) => store.find(key)?.id)).toEqual([id, id]);
    const {key, record} = await createKey(file);
    await until(() => stores.every((store) => store.find(key) !== null));
    await revokeKey(file, record.id);
    await revokeKey(file, "client-7");
    await until(() =>
      stores.every((store) => store.find(key) === null && store.find(given[7]!.key) === null),
    );
    expect(stores.map((store) => store.find(given[8]!.key)?.id)).toEqual(["client-8", "client-8"]);
    for (const store of stores) store.close();
  });

  it("K1: repeats no digest when a key file is refused", () => {
    writeFileSync(file, JSON.stringify([{id: "a", sha256: "f".repeat(63)}]));
    expect(() => readKeys(file)).toThrow(/sha256/);
    expect(() => readKeys(file)).not.toThrow(/fff/);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
