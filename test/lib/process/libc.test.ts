import {spawnSync} from "node:child_process";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";

test("ends at once with its code, whatever still runs or waits for the end", () => {
  const script = `
    const {endProcess} = await import(${JSON.stringify(join(packageRoot, "lib", "system", "libc.ts"))});
    process.on("exit", () => console.log("waited for"));
    setInterval(() => undefined, 1000);
    console.log("before");
    endProcess(7);
    console.log("after");`;
  const {status, stdout} = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 300_000,
  });
  expect(status).toBe(7);
  expect(stdout).toBe("before\n");
});
