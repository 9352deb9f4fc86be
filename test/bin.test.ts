import {spawnSync} from "node:child_process";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {programVersion} from "../lib/version.ts";

const bin = join(packageRoot, "bin", "cattle.js");

test("starts from any folder and hands the exit code on", () => {
  const shown = spawnSync(process.execPath, [bin, "--version"], {cwd: "/", encoding: "utf8"});
  expect([shown.status, shown.stdout]).toEqual([0, `${programVersion()}\n`]);
  expect(spawnSync(process.execPath, [bin, "nonsense"], {cwd: "/"}).status).toBe(2);
});
