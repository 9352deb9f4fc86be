import {readFileSync, statSync, utimesSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pino} from "pino";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {createKey, hasKeyForm, keyState, newKey, readKeys, revokeKey} from "../../../server/http/api-keys.ts";
import {openKeyStore} from "../../../server/http/key-store.ts";
import {temporaryFolder} from "../server-fixture.ts";

let folder: ReturnType<typeof temporaryFolder>;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, "keys.json");
});
afterEach(() => folder.remove());

describe("K1: keys", () => {
  it("K1: makes keys of the stated form, whose checksum finds a typing error", () => {
    const key = newKey();
    expect(key).toMatch(/^cattle_[0-9a-f]{72}$/);
    expect(hasKeyForm(key)).toBe(true);
    const typo = key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect(hasKeyForm(typo)).toBe(false);
    expect(hasKeyForm("cattle_")).toBe(false);
  });

  it("K1: stores the digest alone, in a file of the owner", () => {
    const {key, record} = createKey(file, {label: "desk"});
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(key.slice(7, 40));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(record.scopes).toEqual(["market", "parcel", "owner-search"]);
    expect(readKeys(file)).toEqual([record]);
  });

  it("K1: keeps both keys of a client during a rotation, then ends the old one", () => {
    const now = new Date("2026-11-21T00:00:00Z");
    const [old, fresh] = [createKey(file), createKey(file, {scopes: ["market"]})];
    const ended = revokeKey(file, old.record.id, () => now);
    expect(keyState(ended, now)).toBe("ended");
    expect(readKeys(file).map(({id}) => id)).toEqual([old.record.id, fresh.record.id]);
  });

  it("K1: refuses unknown scopes, unknown ids and a second command at the same moment", () => {
    expect(() => createKey(file, {scopes: ["everything"]})).toThrow(/scopes/);
    createKey(file);
    expect(() => revokeKey(file, "key-none")).toThrow(/key-none/);
    writeFileSync(`${file}.new`, "");
    expect(() => createKey(file)).toThrow(/another "cattle keys"/);
  });

  it("K1: follows the file within the interval, keeps the old keys while it is broken, and says so", async () => {
    const store = openKeyStore(file, {log: pino({level: "silent"}), pollMs: 20});
    expect(store.healthy()).toBe(false);
    const {key, record} = createKey(file);
    await until(() => store.find(key) !== null);
    expect(store.healthy()).toBe(true);
    writeFileSync(file, "[{ broken");
    await until(() => !store.healthy());
    expect(store.find(key)?.id).toBe(record.id);
    writeFileSync(file, JSON.stringify([record]));
    utimesSync(file, 1, 1);
    revokeKey(file, record.id);
    await until(() => store.find(key) === null);
    expect(store.healthy()).toBe(true);
    store.close();
  });

  it("K1: repeats no digest when a key file is refused", () => {
    writeFileSync(file, JSON.stringify([{id: "a", sha256: "f".repeat(63)}]));
    expect(() => readKeys(file)).toThrow(/sha256/);
    expect(() => readKeys(file)).not.toThrow(/fff/);
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("it did not come true within 5 s");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
