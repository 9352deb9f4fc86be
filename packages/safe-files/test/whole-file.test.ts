import {spawnSync} from "node:child_process";
import {existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from "node:fs";
import {open} from "node:fs/promises";
import {join} from "node:path";
import {describe, expect, test, vi} from "vitest";
import {messageOf} from "../src/file-fault.ts";
import {removeTemporaryFiles, temporaryName} from "../src/temporary-files.ts";
import {
  appendPieces,
  copyWhole,
  DiskFault,
  fillWhole,
  makeWhole,
  writeNew,
  writeScratch,
  writeWhole,
} from "../src/whole-file.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const place = () => join(temporaryFolder(), "file");

test("writes a file whole, with its mode, and leaves nothing beside it", async () => {
  const path = place();
  await writeWhole(path, "one", {mode: 0o600});
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["one", 0o600]);
  await writeWhole(path, "two", {replaces: true});
  expect([readFileSync(path, "utf8"), readdirSync(join(path, ".."))]).toEqual(["two", ["file"]]);
});

test("never replaces a file that it was not asked to replace", async () => {
  const path = place();
  writeFileSync(path, "mine");
  for (const write of [writeWhole, writeNew]) {
    const fault = await write(path, "other").catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DiskFault);
    expect((fault as DiskFault).code).toBe("EEXIST");
  }
  expect([readFileSync(path, "utf8"), readdirSync(join(path, ".."))]).toEqual(["mine", ["file"]]);
});

test("a file that is filled out of order is proven piece by piece", async () => {
  const path = place();
  const rows = await fillWhole(path, async (file) => {
    await file.write(Buffer.from("body"), 4);
    await file.write(Buffer.from("head"), 0);
    return 2;
  });
  expect([rows, readFileSync(path, "utf8")]).toEqual([2, "headbody"]);
});

test("bytes that come back otherwise are a fault, and the file is not there", async () => {
  const path = place();
  const fill = fillWhole(path, async (file) => {
    await file.write(Buffer.from("some bytes"));
    const [beside] = readdirSync(join(path, ".."));
    truncateSync(join(path, "..", beside!), 4);
  });
  await expect(fill).rejects.toThrow(/file: cannot be written: it ends at byte 4\.$/);
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("what the maker throws is thrown as it is, and nothing is left", async () => {
  const path = place();
  const make = makeWhole(path, async (beside) => {
    writeFileSync(beside, "half");
    throw new Error("no rows");
  });
  await expect(make).rejects.toThrow(/^no rows$/);
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("a copy has the same bytes, or there is none", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "from"), "x".repeat(3_000_000));
  expect(await copyWhole(join(folder, "from"), join(folder, "to"))).toBe(3_000_000);
  await expect(copyWhole(join(folder, "from"), join(folder, "to"))).rejects.toThrow("to: cannot be written");
  await expect(copyWhole(join(folder, "absent"), join(folder, "new"))).rejects.toThrow("ENOENT");
  expect(existsSync(join(folder, "new"))).toBe(false);
});

test("a folder that is not there is told by the name of the file", async () => {
  const path = join(temporaryFolder(), "absent", "file");
  await expect(writeWhole(path, "x")).rejects.toThrow(`${path}: cannot be written: ENOENT`);
});

describe.runIf(process.platform === "linux")("a disk that takes only the first bytes", () => {
  /** What a call of the module says where a file takes four blocks of 1,024 bytes. */
  const said = (call: string): string => {
    const program = `import * as files from "./src/whole-file.ts";
    await files.${call}.catch((error) => console.log(error.message));`;
    const limited = ["-c", 'ulimit -f 4; exec "$@"', "bash"];
    const words = [...limited, process.execPath, "--input-type=module", "-e", program];
    return spawnSync("bash", words, {cwd: join(import.meta.dirname, ".."), encoding: "utf8"}).stdout;
  };
  const fault = (path: string) => `${path}: cannot be written: EFBIG: file too large, write.\n`;

  test("loses no file that was there", () => {
    const path = place();
    writeFileSync(path, "old");
    expect(said(`writeWhole("${path}", "x".repeat(6000), {replaces: true})`)).toBe(fault(path));
    expect([readFileSync(path, "utf8"), readdirSync(join(path, ".."))]).toEqual(["old", ["file"]]);
  });

  test("is told with the name of a file that is written by pieces", () => {
    const [scratch, appended] = [place(), place()];
    expect(said(`writeScratch("${scratch}", ["x".repeat(3000), "y".repeat(3000)])`)).toBe(fault(scratch));
    expect(said(`appendPieces("${appended}", ["x".repeat(6000)], true)`)).toBe(fault(appended));
  });
});

test("pieces that end in a fault leave what came before, and the fault is rethrown as it is", async () => {
  const path = place();
  const cut = function* () {
    yield "some bytes";
    throw new Error("cut");
  };
  await expect(appendPieces(path, cut(), false)).rejects.toThrow(/^cut$/);
  await appendPieces(path, [" and more"], true);
  expect(readFileSync(path, "utf8")).toBe("some bytes and more");
});

test("a file that goes on is synced before its writer is told, and a stage's own file is not", async () => {
  const path = place();
  await using any = await open(path, "w");
  const synced = vi.spyOn(Object.getPrototypeOf(any) as {sync(): Promise<void>}, "sync");
  const syncsOf = async (write: Promise<void>) => {
    synced.mockClear();
    await write;
    return synced.mock.calls.length;
  };
  try {
    expect(await syncsOf(writeScratch(path, ["a"]))).toBe(0);
    expect(await syncsOf(appendPieces(path, ["b"], true))).toBe(1);
    expect(readFileSync(path, "utf8")).toBe("ab");
    expect(await syncsOf(appendPieces(path, ["c"], false))).toBe(1);
    expect(readFileSync(path, "utf8")).toBe("c");
  } finally {
    synced.mockRestore();
  }
});

test("a scratch file is written over, unless it must be fresh", async () => {
  const path = place();
  await writeScratch(path, ["one"], {mode: 0o600});
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await writeScratch(path, ["two"]);
  await expect(writeScratch(path, ["three"], {fresh: true})).rejects.toThrow("EEXIST");
  expect(readFileSync(path, "utf8")).toBe("two");
});

test.runIf(process.platform === "linux")(
  "what a dead process left half made is gone with the next write there, and no file of a living one",
  async () => {
    const folder = temporaryFolder();
    const killed = `import {fillWhole} from "./src/whole-file.ts";
    await fillWhole(${JSON.stringify(join(folder, "file"))}, async (file) => {
      await file.write(Buffer.from("half"));
      process.kill(process.pid, "SIGKILL");
    });`;
    spawnSync(process.execPath, ["--input-type=module", "-e", killed], {
      cwd: join(import.meta.dirname, ".."),
    });
    const [left] = readdirSync(folder);
    expect(left).toMatch(/^\.\d+-.*\.new$/);
    const living = temporaryName();
    writeFileSync(join(folder, living), "");
    await writeWhole(join(folder, "other"), "x");
    expect(readdirSync(folder).sort()).toEqual([living, "other"].sort());
  },
);

test("what a process of another machine left is removed after a day", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, ".7-99-0123abcd-0123abcd.new"), "");
  const inHours = (hours: number) => removeTemporaryFiles(folder, Date.now() + hours * 3_600_000);
  expect([await inHours(23), await inHours(25)]).toEqual([[], [".7-99-0123abcd-0123abcd.new"]]);
});

test("a fault that is no error has a text, too", () => {
  expect(new DiskFault("a", "b").message).toBe(`a: cannot be written: ${messageOf("b")}.`);
});
