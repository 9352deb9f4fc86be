import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {writePackageHook} from "../../loaded-packages.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

/** Packages that a build, a merge of finds or a question to a county needs, and that load when the first one comes. */
const later = [
  "@duckdb/node-api",
  "csv-parse",
  "fast-xml-parser",
  "parse5",
  "polygon-clipping",
  "proj4",
  "undici",
  "unpdf",
  "us-atlas",
  "yauzl",
];

test("a server listens without the packages that only builds, merges and counties need", async () => {
  const root = temporaryFolder();
  const [hook, loaded] = [join(root, "hook.mjs"), join(root, "loaded")];
  mkdirSync(join(root, "data"));
  writePackageHook(hook, loaded);
  const env = {
    ...process.env,
    CATTLE_DATA: join(root, "data"),
    CATTLE_METRICS_PORT: "0",
    CATTLE_DRAIN_MS: "0",
  };
  const words = ["--import", hook, join(packageRoot, "bin/cattle.js"), "serve", "--port", "0"];
  const server = spawn(process.execPath, words, {env, stdio: ["ignore", "pipe", "inherit"]});
  const ended = once(server, "close");
  server.stdout.on("data", (chunk: Buffer) => void (chunk.includes("listening") && server.kill("SIGTERM")));
  expect(await ended).toEqual([0, null]);
  const names = new Set(readFileSync(loaded, "utf8").split("\n"));
  expect(names).toContain("express");
  expect(later.filter((name) => names.has(name))).toEqual([]);
}, 60_000);
