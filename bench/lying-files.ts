import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {buildFolder, currentBuildId, dataFolder} from "../lib/storage/data-folder.ts";
import {writeSample} from "../pipeline/sample/write-sample.ts";
import {BuildReport, type FileReport} from "../schemas/build-report.ts";
import {feedNames} from "../schemas/market-feed.ts";
import type {HostileFile} from "../test/pipeline/hostile-files.ts";
import {lyingFiles} from "../test/pipeline/lying-files.ts";
import {machineLine} from "./machine.ts";
import {type Run, runCattle} from "./run-cattle.ts";

/**
 * Files that lie about themselves, made at random from sound ones, beside a sound sample: one build for each of the twelve formats. Prints
 * what became of the files, how long the lock was held beside its bound, and the peak of memory of build and children; exits with 1 if one
 * ends a build, is not named, holds the lock beyond its bound, changes what is read of a sound file, or memory passes 1.5 GiB.
 *
 *   node bench/lying-files.ts [files of each format] [format ...]      default: 25, all formats; SEED repeats a run
 */
const [perFormat, ...only] = [Number(process.argv[2] ?? 25), ...process.argv.slice(3)] as [
  number,
  ...string[],
];
const seed = Number(process.env["SEED"] ?? 51);
const asOf = "2026-11-21";
const mostMib = 1_536;
/** Seconds of processor time that a file may take (`docs/design/reliability.md` section 2.1). */
const boundOf = ({bytes}: HostileFile) => 10 + bytes.length / 2 ** 20;

type Built = {run: Run; lockSeconds: number; reports: ReadonlyMap<string, FileReport>};

const root = mkdtempSync(join(tmpdir(), "cattle-lies-"));
try {
  process.exitCode = await main();
} finally {
  rmSync(root, {recursive: true, force: true});
}

async function main(): Promise<number> {
  const raw = join(root, "raw");
  await writeSample(raw, asOf);
  for (const path of await filesBelow(raw)) if (path.endsWith(".meta.json")) rmSync(join(raw, path));
  const clean = await built(raw, "sound");
  const sound = [...clean.reports].filter(([path]) => path.startsWith("parcels/"));
  const entries = [...new Set(sound.map(([, {unit}]) => unit))];
  const all = await lyingFiles(perFormat, seed, {dir: root, entries, feeds: feedNames});
  console.log(`${machineLine()}; ${all.length} files, SEED=${seed}`);
  const lines = [lineOf("none, sound files alone", [], clean, clean)];
  for (const [format, files] of Map.groupBy(all, ({path}) => /lie-([a-z-]+)-\d/.exec(path)![1]!)) {
    if (only.length > 0 && !only.includes(format)) continue;
    for (const {path, bytes} of files) {
      mkdirSync(dirname(join(raw, path)), {recursive: true});
      writeFileSync(join(raw, path), bytes);
    }
    lines.push(lineOf(format, files, await built(raw, format), clean));
    for (const {path} of files) rmSync(join(raw, path));
  }
  console.table(lines);
  return lines.some(({fails}) => fails > 0) ? 1 : 0;
}

async function built(raw: string, name: string): Promise<Built> {
  const data = dataFolder(join(root, name));
  let lockSeconds = 0;
  let taken: number | null = null;
  const watch = setInterval(() => {
    if (!existsSync(join(data.run, "build.lock"))) return;
    taken ??= performance.now();
    lockSeconds = (performance.now() - taken) / 1_000;
  }, 50);
  const run = await runCattle(["build", "--raw", raw, "--out", data.root, "--as-of", asOf]);
  clearInterval(watch);
  const id = await currentBuildId(data);
  if (id === null) throw new Error(`no build beside the lies of ${name}: ${run.code}\n${run.said}`);
  const text = readFileSync(join(buildFolder(data, id), "report.json"), "utf8");
  const {parts, left_out} = BuildReport.parse(JSON.parse(text));
  const reports = new Map([...Object.values(parts).flat(), ...left_out].map((each) => [each.path, each]));
  rmSync(data.root, {recursive: true});
  return {run, lockSeconds, reports};
}

function lineOf(
  format: string,
  files: readonly HostileFile[],
  {run, lockSeconds, reports}: Built,
  clean: Built,
) {
  const named = files.flatMap(({path}) => reports.get(path) ?? []);
  const read = named.filter(({accepted, merged}) => accepted + merged > 0).length;
  const changed = [...clean.reports].filter(([path, before]) => {
    const after = reports.get(path);
    return after?.rowsIn !== before.rowsIn || after.status !== before.status;
  }).length;
  // A busy machine gives a child three times the time.
  const bound = 3 * (clean.run.seconds + files.reduce((sum, file) => sum + boundOf(file), 0));
  const peakMib = run.allPrivateKib / 1_024;
  const unended = run.code === 0 || run.code === 3 ? 0 : 1;
  const passed = Number(lockSeconds > bound) + Number(peakMib > mostMib);
  return {
    format,
    files: files.length,
    "some rows read": read,
    "left out by name": named.length - read,
    "not named": files.length - named.length,
    "exit code": run.code,
    "lock held, s": lockSeconds.toFixed(0),
    "its bound, s": bound.toFixed(0),
    "peak of all, MiB": peakMib.toFixed(0),
    "largest child, MiB": (Math.max(0, ...run.others.map(({privateKib}) => privateKib)) / 1_024).toFixed(0),
    "sound files read otherwise": changed,
    fails: files.length - named.length + unended + passed + changed,
  };
}
