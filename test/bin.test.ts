import {spawn, spawnSync} from "node:child_process";
import {once} from "node:events";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {packageRoot, programVersion} from "../lib/paths.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const bin = join(packageRoot, "bin", "cattle.js");

test("starts from any folder and hands the exit code on", () => {
  const shown = spawnSync(process.execPath, [bin, "--version"], {cwd: "/", encoding: "utf8"});
  expect([shown.status, shown.stdout]).toEqual([0, `${programVersion()}\n`]);
  expect(spawnSync(process.execPath, [bin, "nonsense"], {cwd: "/"}).status).toBe(2);
});

test.runIf(process.platform === "linux")(
  "a server bounds its young generation, in the process that was started",
  async () => {
    const server = spawn(process.execPath, [bin, "serve"], {
      env: {...process.env, CATTLE_DATA: temporaryFolder(), CATTLE_PORT: "0", CATTLE_METRICS_PORT: "0"},
    });
    for await (const chunk of server.stdout) if (String(chunk).includes('"listening"')) break;
    const words = readFileSync(`/proc/${server.pid}/cmdline`, "utf8").split("\0");
    expect(words).toContain("--max-semi-space-size=8");
    server.kill("SIGKILL");
  },
);

test.runIf(process.platform === "linux")(
  "a reload that comes while a server loads its modules does not end it",
  async () => {
    const server = spawn(process.execPath, [bin, "serve"], {
      env: {...process.env, CATTLE_DATA: temporaryFolder(), CATTLE_PORT: "0", CATTLE_METRICS_PORT: "0"},
    });
    let log = "";
    server.stdout.on("data", (chunk) => {
      log += chunk;
    });
    const proc = (name: string) => readFileSync(`/proc/${server.pid}/${name}`, "utf8");
    // The first bit is SIGHUP; the program that takes its flags over begins without a handler.
    const isCaught = () =>
      proc("cmdline").includes("--max-semi-space-size") && /^SigCgt:\t\w+[13579bdf]$/m.test(proc("status"));
    while (!isCaught()) await sleep(5);
    const before = log;
    server.kill("SIGHUP");
    while (!log.includes('"listening"')) {
      expect([server.exitCode, server.signalCode]).toEqual([null, null]);
      await sleep(20);
    }
    expect(before).toBe("");
    server.kill("SIGKILL");
  },
);

test.runIf(process.platform === "linux")(
  "Ctrl-C stops a server on the pinned Node in order, although it also reaches the process in between",
  async () => {
    const older =
      'Object.defineProperty(process, "versions", {value: {...process.versions, node: "20.0.0"}})';
    const server = spawn(process.execPath, ["--import", `data:text/javascript,${older}`, bin, "serve"], {
      env: {
        ...process.env,
        CATTLE_DATA: temporaryFolder(),
        CATTLE_PORT: "0",
        CATTLE_METRICS_PORT: "0",
        CATTLE_DRAIN_MS: "100",
      },
      detached: true,
    });
    let log = "";
    let asked = false;
    for await (const chunk of server.stdout) {
      log += chunk;
      if (!asked && log.includes('"listening"')) asked = process.kill(-server.pid!, "SIGINT");
    }
    if (server.exitCode === null) await once(server, "exit");
    expect([server.exitCode, log.includes('"stopped"')]).toEqual([0, true]);
  },
);
