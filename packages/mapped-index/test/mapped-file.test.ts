import {spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {setFlagsFromString} from "node:v8";
import {runInNewContext} from "node:vm";
import {FileFault} from "@open-cattle/safe-files";
import {afterAll, beforeAll, expect, test} from "vitest";
import {mapFile, mappingMode} from "../src/mapped-file.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const onLinux = process.platform === "linux";
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mapped-"));
});

afterAll(() => {
  rmSync(folder, {recursive: true});
});

function makeFile(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof FileFault ? error.code : String(error);
  }
}

function mappedNames(prefix: string): string[] {
  const maps = readFileSync("/proc/self/maps", "utf8");
  return [...maps.matchAll(new RegExp(`${join(folder, prefix)}\\S*`, "g"))].map(([name]) => name);
}

/** Runs a module in a child with the mapped file as `view`; gives back its signal, status and output. */
function inChild(path: string, script: string) {
  const source = `
    import {mapFile} from ${JSON.stringify(join(import.meta.dirname, "../src/mapped-file.ts"))};
    import {truncateSync, unlinkSync} from "node:fs";
    const path = ${JSON.stringify(path)};
    const view = new Uint8Array(mapFile(path).buffer);
    ${script}`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", source], {encoding: "utf8"});
}

test.runIf(onLinux)(
  "M1: a mapping is released when its last view is gone, and a view that is held stays readable",
  async () => {
    let held: Uint8Array | null = null;
    (() => {
      for (let i = 0; i < 200; i++) {
        const {buffer} = mapFile(makeFile(`m1-${i}`, Buffer.alloc(8192, i)));
        if (i === 77) held = new Uint8Array(buffer).subarray(5000, 5010);
      }
    })();
    expect(mappedNames("m1-").length).toBe(200);
    for (let turn = 0; turn < 200 && mappedNames("m1-").length > 1; turn++) {
      collectGarbage();
      await sleep(5);
    }
    expect(mappedNames("m1-")).toEqual([join(folder, "m1-77")]);
    expect([...held!]).toEqual(Array(10).fill(77));
  },
);

test.runIf(onLinux)("M2: a mapped file that is unlinked reads on", () => {
  const child = inChild(
    makeFile("m2-unlink", Buffer.alloc(9000, 7)),
    "unlinkSync(path); console.log(view[8999]);",
  );
  expect([child.status, child.stdout.trim()]).toEqual([0, "7"]);
});

test.runIf(onLinux)("M2: truncating a mapped file, or writing through the view, ends the process", () => {
  const truncated = inChild(
    makeFile("m2-cut", Buffer.alloc(9000, 7)),
    "truncateSync(path); console.log(view[8999]);",
  );
  expect(truncated.signal).toBe("SIGBUS");
  const written = inChild(makeFile("m2-write", Buffer.alloc(9000, 7)), "view[0] = 1; console.log(view[0]);");
  expect(written.signal).toBe("SIGSEGV");
});

test("M3: copied and mapped bytes are the same", () => {
  const path = makeFile("m3", Buffer.from(Array.from({length: 70_000}, (_, i) => i % 251)));
  const copied = mapFile(path, 70_000, "copied");
  const mapped = mapFile(path, 70_000);
  expect(copied.mode).toBe("copied");
  expect(mapped.mode).toBe(mappingMode);
  expect(Buffer.from(mapped.buffer).equals(Buffer.from(copied.buffer))).toBe(true);
});

test("M3: a file of size 0 is an empty buffer in both modes", () => {
  const path = makeFile("m3-empty", "");
  expect(mapFile(path).buffer.byteLength).toBe(0);
  expect(mapFile(path, 0, "copied").buffer.byteLength).toBe(0);
});

test("M3: another size than was expected, and a file that is not there, are errors with a code", () => {
  const path = makeFile("m3-size", "seven b");
  expect(codeOf(() => mapFile(path, 8))).toBe("size_differs");
  expect(codeOf(() => mapFile(path, 0))).toBe("size_differs");
  expect(codeOf(() => mapFile(join(folder, "none")))).toBe("unreadable");
  expect(() => mapFile(path, 8)).toThrow("m3-size: 7 bytes; 8 were expected.");
});

test.runIf(onLinux)("what cannot be mapped is an error with a code, and the descriptor is closed", () => {
  const before = openDescriptors();
  expect(statSync(folder).size).toBeGreaterThan(0);
  expect(codeOf(() => mapFile(folder))).toBe("mapping_failed");
  expect(() => mapFile(folder)).toThrow(/errno \d+/);
  expect(openDescriptors()).toBe(before);
});

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
