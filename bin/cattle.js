#!/usr/bin/env node
// Starts the command line on the pinned Node: plain JavaScript, so that an older Node can read it far enough to hand over.
import {spawnSync} from "node:child_process";
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {fileURLToPath} from "node:url";

const REQUIRED_MAJOR = 24;

/** Path of the pinned Node, or null where its platform package is not installed (macOS, Windows, `--omit=optional`). */
function pinnedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}

const major = Number(process.versions.node.split(".")[0]);
if (major >= REQUIRED_MAJOR) {
  const compiled = new URL("../dist/pipeline/cli.js", import.meta.url);
  const source = new URL("../pipeline/cli.ts", import.meta.url);
  const {main} = await import(existsSync(fileURLToPath(compiled)) ? compiled.href : source.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = pinnedNode();
  if (node === null) {
    console.error(
      `cattle needs Node ${REQUIRED_MAJOR} or newer; this is ${process.versions.node} and no pinned Node is installed.`,
    );
    process.exit(1);
  }
  const child = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  if (child.error) throw child.error;
  process.exitCode = child.signal === null ? (child.status ?? 1) : 1;
}
