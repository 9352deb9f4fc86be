#!/usr/bin/env node
// Starts the command line on the pinned Node. Plain JavaScript, so that an older Node can parse it far enough to hand over.
import {spawn} from "node:child_process";
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {constants} from "node:os";
import {fileURLToPath} from "node:url";

const REQUIRED_MAJOR = 24;

/**
 * Node flags for serving and fetching. Objects made for a request or page die young: a 24 MB young generation is as fast as the
 * 200 MB that V8 would use, and keeps a server's private memory under 150 MB.
 */
const SMALL_FLAGS = ["--max-semi-space-size=8"];

/** Path of the pinned Node; null if its platform package is not installed (macOS, Windows, `--omit=optional`). */
function pinnedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}

/** Loads one of our modules: compiled if `dist/` has it (a packed install), else its source. */
function load(name) {
  const compiled = new URL(`../dist/${name}.js`, import.meta.url);
  return import(
    existsSync(fileURLToPath(compiled)) ? compiled.href : new URL(`../${name}.ts`, import.meta.url).href
  );
}

// A reload that comes before the server has its own handler would end it; what it asks for, the start does anyway.
if (process.argv[2] === "serve") process.on("SIGHUP", () => {});

// A umask that denies us our own files would stop us at the first of them.
process.umask(process.umask() & 0o077);

const major = Number(process.versions.node.split(".")[0]);
if (major >= REQUIRED_MAJOR) {
  if (["serve", "fetch"].includes(process.argv[2])) takeSmallFlags();
  // Only this file knows both rooms: the pipeline has the command line, and the server adds its own commands.
  const {main} = await load("pipeline/cli");
  const {serverCommands} = await load("server/server-cli");
  process.exitCode = await main(process.argv.slice(2), serverCommands);
} else {
  const node = pinnedNode();
  if (node === null) {
    console.error(
      `cattle needs Node ${REQUIRED_MAJOR} or newer; this is ${process.versions.node} and no pinned Node is installed.`,
    );
    process.exit(1);
  }
  runOn(node);
}

/** Re-executes this program with these flags in the same process; continues without them where `execve` is unavailable. */
function takeSmallFlags() {
  const {execArgv, execPath, argv, env} = process;
  if (process.execve === undefined || SMALL_FLAGS.every((flag) => execArgv.includes(flag))) return;
  process.execve(execPath, [execPath, ...execArgv, ...SMALL_FLAGS, ...argv.slice(1)], env);
}

/** Runs the same command line on another Node, forwarding signals and the exit code. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {stdio: "inherit"});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the child directly; a forwarded copy would be its second signal, which stops a server at once.
  process.on("SIGINT", () => {});
  child.on("error", (error) => {
    throw error;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 1);
  });
}
