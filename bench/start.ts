import {execFileSync, spawn} from "node:child_process";
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {processorMs} from "../lib/system/process-figures.ts";
import {writePackageHook} from "../test/loaded-packages.ts";
import {machineLine} from "./machine.ts";

/**
 * What each command costs before it does its work: packages that it loads and their bytes, processor time, resident and private memory at
 * its start; and what is installed. The build and the server work on the generated sample.
 *
 *   node bench/start.ts [checkout ...]      default: this one; another one has its packages installed (`npm ci --omit=dev --ignore-scripts`)
 */
const checkouts = process.argv.slice(2).map((path) => resolve(path));
const runs = 5;
const root = mkdtempSync(join(tmpdir(), "cattle-start-"));
const hook = join(root, "hook.mjs");
const loaded = join(root, "loaded");
writePackageHook(hook, loaded);
try {
  console.log(machineLine());
  const places = checkouts.length === 0 ? [resolve(import.meta.dirname, "..")] : checkouts;
  for (const place of places) await report(place);
} finally {
  rmSync(root, {recursive: true, force: true});
}

type Cost = {cpuMs: number; residentMib: number; privateMib: number};

async function report(checkout: string): Promise<void> {
  const {packages} = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, {dev?: boolean}>;
  };
  const runtime = Object.keys(packages).filter((path) => path !== "" && packages[path]!.dev !== true);
  const installed = runtime.filter((path) => existsSync(join(checkout, path)));
  const bytes = new Map(installed.map((path) => [path, bytesBelow(join(checkout, path))]));
  const commit = execFileSync("git", ["-C", checkout, "log", "-1", "--format=%h of %cs"], {
    encoding: "utf8",
  }).trim();
  const all = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  console.log(
    `\n${commit}: ${runtime.length} packages without those of development, on all platforms; ${installed.length} on this one, ${mib(all)} MiB`,
  );
  const [raw, data] = [join(root, "raw"), join(root, "data")];
  for (const folder of [raw, data]) rmSync(folder, {recursive: true, force: true});
  await ended(checkout, ["sample", "--to", raw]);
  const sizeOf = (names: readonly string[]) =>
    mib(names.reduce((sum, name) => sum + (bytes.get(`node_modules/${name}`) ?? 0), 0));
  const lines = [];
  for (const [name, words] of Object.entries({
    "--version": ["--version"],
    build: ["build", "--raw", raw, "--out", data],
    serve: ["serve", "--port", "0"],
  })) {
    writeFileSync(loaded, "");
    await costOf(checkout, words, data, true);
    const names = readFileSync(loaded, "utf8").split("\n").filter(Boolean);
    const packagesLoaded = [...new Set(names)].filter((each) => !each.startsWith("node-linux"));
    // Once to fill the page cache; of the others the middle.
    const costs: Cost[] = [];
    for (let run = 0; run < (name === "build" ? 1 : runs); run += 1)
      costs.push(await costOf(checkout, words, data, false));
    const middle = (value: keyof Cost) =>
      costs
        .map((cost) => cost[value])
        .sort((a, b) => a - b)
        [costs.length >> 1]!.toFixed(0);
    lines.push({
      command: name,
      "packages loaded": packagesLoaded.length,
      "of MiB": sizeOf(packagesLoaded),
      "processor ms": middle("cpuMs"),
      "resident MiB": middle("residentMib"),
      "private MiB": middle("privateMib"),
    });
  }
  const served = ["swagger-ui-dist", "uplot"].filter((name) => bytes.has(`node_modules/${name}`));
  console.table([...lines, {command: "page", "packages loaded": served.length, "of MiB": sizeOf(served)}]);
}

/** Runs a command to its end, a server until it listens; figures are the last that were seen, memory the most. */
function costOf(checkout: string, words: readonly string[], data: string, isHooked: boolean): Promise<Cost> {
  const child = spawn(
    process.execPath,
    [...(isHooked ? ["--import", hook] : []), join(checkout, "bin/cattle.js"), ...words],
    {
      stdio: ["ignore", "pipe", "ignore"],
      env: {...process.env, CATTLE_DATA: data, CATTLE_METRICS_PORT: "0", CATTLE_DRAIN_MS: "0"},
    },
  );
  const cost = {cpuMs: 0, residentMib: 0, privateMib: 0};
  const look = () => {
    const status = statusOf(child.pid!);
    if (status === "") return;
    const kib = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
    cost.cpuMs = processorMs(child.pid!) ?? cost.cpuMs;
    cost.residentMib = Math.max(cost.residentMib, kib("VmHWM") / 1_024);
    cost.privateMib = Math.max(cost.privateMib, kib("RssAnon") / 1_024);
  };
  const looking = setInterval(look, 5);
  child.stdout.on("data", (chunk: Buffer) => {
    if (words[0] !== "serve" || !chunk.includes("listening")) return;
    look();
    clearInterval(looking);
    child.kill("SIGTERM");
  });
  return new Promise((resolve_) =>
    child.once("close", () => {
      clearInterval(looking);
      resolve_(cost);
    }),
  );
}

async function ended(checkout: string, words: readonly string[]): Promise<void> {
  execFileSync(process.execPath, [join(checkout, "bin/cattle.js"), ...words], {stdio: "ignore"});
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function bytesBelow(folder: string): number {
  return (
    readdirSync(folder, {recursive: true, withFileTypes: true, encoding: "utf8"})
      // Packages of its own within it are counted for themselves.
      .filter(
        (each) =>
          each.isFile() && !join(each.parentPath, each.name).slice(folder.length).includes("/node_modules/"),
      )
      .reduce((sum, {parentPath, name}) => sum + statSync(join(parentPath, name)).size, 0)
  );
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
