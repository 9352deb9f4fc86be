import {execFileSync} from "node:child_process";
import {once} from "node:events";
import {lstatSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync} from "node:fs";
import {createServer} from "node:net";
import {join} from "node:path";
import {beforeEach, describe, expect, test} from "vitest";
import {FileFault} from "../src/file-fault.ts";
import {
  kindOf,
  NotAFile,
  openForeign,
  readForeign,
  readForeignJson,
  readForeignSync,
} from "../src/foreign-file.ts";
import {temporaryFolder} from "./temporary-folder.ts";

let path: string;
beforeEach(() => {
  path = join(temporaryFolder(), "file");
});

/** A schema of notes. */
const noted = {
  parse(value: unknown) {
    if (typeof (value as {a: unknown}).a !== "number") throw new Error("no note");
    return value;
  },
};

const readers = [
  ["openForeign", async (file: string) => (await openForeign(file)).close()],
  ["readForeign", (file: string) => readForeign(file)],
  ["readForeignSync", async (file: string) => readForeignSync(file)],
] as const;

describe.each(readers)("%s", (_, read) => {
  test("never waits for what is no file, and names what came", async () => {
    mkdirSync(path);
    await expect(read(path)).rejects.toThrow(`${path}: expected a file, got a folder.`);
    await expect(read(path)).rejects.toThrow(NotAFile);
    await expect(read(`${path}-absent`)).rejects.toMatchObject({code: "ENOENT"});
  });

  test.runIf(process.platform !== "win32")("nor for a pipe, a socket or a device", async () => {
    execFileSync("mkfifo", [`${path}-pipe`]);
    const server = createServer().listen(`${path}-socket`);
    await once(server, "listening");
    await expect(read(`${path}-pipe`)).rejects.toThrow("got a named pipe");
    await expect(read(`${path}-socket`)).rejects.toThrow("got a socket");
    await expect(read("/dev/null")).rejects.toThrow("got a device");
    server.close();
  });

  test.runIf(process.platform === "linux")("leaves no file open, whatever came of it", async () => {
    writeFileSync(path, "text");
    const open = () => readdirSync("/proc/self/fd").length;
    await read(path);
    const before = open();
    for (let i = 0; i < 20; i++) await read(i % 2 === 0 ? path : "/dev/null").catch(() => undefined);
    expect(open()).toBeLessThan(before + 10);
  });
});

describe.each(readers.slice(1))("%s", (name, _) => {
  const read = async (maxBytes?: number) =>
    name === "readForeign" ? readForeign(path, maxBytes) : readForeignSync(path, maxBytes);

  test("gives the text of a file of at most so many bytes", async () => {
    writeFileSync(path, "grüße");
    expect(await read(7)).toBe("grüße");
    await expect(read(6)).rejects.toThrow(`${path}: 7 bytes; at most 6 are read.`);
  });

  test("reads 60 MiB when nothing else is said, and no more than 64", async () => {
    writeFileSync(path, "");
    truncateSync(path, 60 * 2 ** 20);
    expect((await read()).length).toBe(60 * 2 ** 20);
    truncateSync(path, 64 * 2 ** 20 + 1);
    await expect(read()).rejects.toThrow(FileFault);
  });
});

test("a link is followed, and is named only where it is looked at itself", async () => {
  writeFileSync(path, "text");
  symlinkSync(path, `${path}-link`);
  expect(readForeignSync(`${path}-link`)).toBe("text");
  expect(kindOf(lstatSync(`${path}-link`))).toBe("a link");
});

test.each([
  ['{"a":1}', {a: 1}],
  ['{"a":"1"}', null],
  ['{"a":1', null],
  ["", null],
])("the JSON text %j is read as %j", async (text, value) => {
  writeFileSync(path, text);
  expect(await readForeignJson(path, noted)).toEqual(value);
  expect(await readForeignJson(`${path}-absent`, noted)).toBeNull();
});
