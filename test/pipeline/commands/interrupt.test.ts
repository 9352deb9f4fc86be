import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, symlinkSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cattle-stopped-"));
});
afterEach(() => rmSync(folder, {recursive: true}));

function stopped(...more: string[]) {
  const program = join(import.meta.dirname, "stopped-build.ts");
  const {status, stderr} = spawnSync(process.execPath, [program, folder, ...more], {encoding: "utf8"});
  return {status, stderr};
}

test("Ctrl-C says that nothing was published and what is served, and ends with 130", () => {
  mkdirSync(join(folder, "builds", "20261121-3f9c1a"), {recursive: true});
  symlinkSync(join("builds", "20261121-3f9c1a"), join(folder, "current"));
  expect(stopped()).toEqual({
    status: 130,
    stderr:
      "\nStopped. Nothing was published: 20261121-3f9c1a is served as before. The next build clears away what was begun.\n",
  });
});

test("Ctrl-C during a part names its folder", () => {
  expect(stopped("parts/TX").stderr).toBe(
    "\nStopped. parts/TX was not made; the same command begins again.\n",
  );
});
