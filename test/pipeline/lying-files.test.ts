import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {beforeAll, expect, test} from "vitest";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {privateKib} from "../../lib/system/process-figures.ts";
import {type BuildResult, build} from "../../pipeline/publish/build.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import {feedNames} from "../../schemas/market-feed.ts";
import {note} from "../crash/table.ts";
import {wholeBuild} from "../raw-build.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import type {HostileFile} from "./hostile-files.ts";
import {lyingFiles} from "./lying-files.ts";

const asOf = "2026-11-21";
const seed = Number(process.env["SEED"] ?? 51);
/** Of each of twelve formats. */
const perFormat = 25;
/** Private memory of a child that reads (`docs/design/reliability.md` section 2.1). */
const mostKib = 1.5 * 2 ** 20;

let files: HostileFile[];
let clean: BuildResult;
let result: BuildResult;
let [tookMs, cleanMs, peakKib] = [0, 0, 0];

beforeAll(async () => {
  const raw = join(temporaryFolder(), "raw");
  await writeSample(raw, asOf);
  for (const path of await filesBelow(raw)) if (path.endsWith(".meta.json")) rmSync(join(raw, path));
  const run = async (): Promise<[BuildResult, number]> => {
    const before = performance.now();
    const options = wholeBuild({rawDir: raw, data: dataFolder(join(temporaryFolder(), "data")), asOf});
    return [await build(options), performance.now() - before];
  };
  [clean, cleanMs] = await run();
  const entries = Object.values(clean.report.parts)
    .flat()
    .filter(({path}) => path.startsWith("parcels/"))
    .map(({unit}) => unit);
  files = await lyingFiles(perFormat, seed, {
    dir: temporaryFolder(),
    entries: [...new Set(entries)],
    feeds: feedNames,
  });
  for (const {path, bytes} of files) {
    mkdirSync(dirname(join(raw, path)), {recursive: true});
    writeFileSync(join(raw, path), bytes);
  }
  const watch = setInterval(() => (peakKib = Math.max(peakKib, ...children().map(privateKib))), 100);
  [result, tookMs] = await run();
  clearInterval(watch);
  note(
    "B12",
    `${files.length} files of 12 formats that lie about themselves, in one raw folder`,
    `${files.filter(({path}) => !reports(result).has(path)).length} unnamed, ${result.heldBack.length} parts held back, ${Math.round(tookMs / 1000)} s (${Math.round(cleanMs / 1000)} s without them), ${Math.round(peakKib / 1024)} MiB in a reader`,
    seed,
  );
}, 600_000);

function children(): number[] {
  const own = `/proc/${process.pid}/task`;
  return readdirSync(own).flatMap((task) => {
    try {
      return readFileSync(join(own, task, "children"), "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  });
}

const reports = ({report}: BuildResult) =>
  new Map(
    [...Object.values(report.parts).flat(), ...report.left_out].map((each): [string, FileReport] => [
      each.path,
      each,
    ]),
  );

test("B12: 300 lying files end no build, hold back no part, and take bounded time and memory", () => {
  expect([files.length, result.outcome, result.heldBack]).toEqual([12 * perFormat, "published", []]);
  // A fraction of the 10 s that each may take: no lie comes near its bound but those that are cut off there.
  expect(tookMs - cleanMs).toBeLessThan(files.length * 1_000);
  expect(peakKib).toBeLessThan(mostKib * 1.1);
});

test("names each of them, with the reason where no row of it was taken", () => {
  const named = reports(result);
  const unnamed = files.filter(({path}) => !named.has(path)).map(({path}) => path);
  const silent = files.filter(({path}) => {
    const report = named.get(path);
    return (
      report !== undefined &&
      report.reason === null &&
      report.accepted + report.merged === 0 &&
      report.rowsIn === 0
    );
  });
  expect([unnamed, silent.map(({path}) => path)]).toEqual([[], []]);
});

test("takes as many rows of every sound file as without them", () => {
  const [before, after] = [reports(clean), reports(result)];
  const rows = (report: FileReport | undefined) => [report?.rowsIn, report?.status];
  expect([...before].map(([path]) => [path, ...rows(after.get(path))])).toEqual(
    [...before].map(([path, report]) => [path, ...rows(report)]),
  );
});
