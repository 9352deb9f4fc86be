import {spawnSync} from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {messageOf} from "../../../lib/errors.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {halfMadeName, removeHalfMade} from "../../../lib/storage/half-made.ts";
import {
  copyWhole,
  DiskFault,
  fillWhole,
  makeWhole,
  writeNew,
  writeWhole,
} from "../../../lib/storage/whole-file.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

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

test.runIf(process.platform === "linux")(
  "a disk that takes only the first bytes loses no file that was there",
  () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "there"));
    const path = join(folder, "there", "file");
    writeFileSync(path, "old");
    const program = `import {writeWhole} from "./lib/storage/whole-file.ts";
    await writeWhole(${JSON.stringify(path)}, "x".repeat(6000), {replaces: true}).catch((error) => console.log(error.message));`;
    const shell = [
      "-c",
      'ulimit -f 4; exec "$@"',
      "bash",
      process.execPath,
      "--input-type=module",
      "-e",
      program,
    ];
    const {stdout} = spawnSync("bash", shell, {cwd: packageRoot, encoding: "utf8"});
    expect(stdout).toBe(`${path}: cannot be written: EFBIG: file too large, write.\n`);
    expect([readFileSync(path, "utf8"), readdirSync(join(folder, "there"))]).toEqual(["old", ["file"]]);
  },
);

test.runIf(process.platform === "linux")(
  "what a dead process left half made is gone with the next write there, and no file of a living one",
  async () => {
    const folder = temporaryFolder();
    const killed = `import {fillWhole} from "./lib/storage/whole-file.ts";
    await fillWhole(${JSON.stringify(join(folder, "file"))}, async (file) => {
      await file.write(Buffer.from("half"));
      process.kill(process.pid, "SIGKILL");
    });`;
    spawnSync(process.execPath, ["--input-type=module", "-e", killed], {cwd: packageRoot});
    const [left] = readdirSync(folder);
    expect(left).toMatch(/^\.\d+-.*\.new$/);
    const living = halfMadeName();
    writeFileSync(join(folder, living), "");
    await writeWhole(join(folder, "other"), "x");
    expect(readdirSync(folder).sort()).toEqual([living, "other"].sort());
  },
);

test("what a process of another machine left is removed after a day", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, ".7-99-0123abcd-0123abcd.new"), "");
  const inHours = (hours: number) => removeHalfMade(folder, Date.now() + hours * 3_600_000);
  expect([await inHours(23), await inHours(25)]).toEqual([[], [".7-99-0123abcd-0123abcd.new"]]);
});

test("a fault that is no error has a text, too", () => {
  expect(new DiskFault("a", "b").message).toBe(`a: cannot be written: ${messageOf("b")}.`);
});
