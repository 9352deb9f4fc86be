import {mkdirSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {beforeAll, expect, test} from "vitest";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {type BuildResult, build} from "../../pipeline/publish/build.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import {note, sizeOf} from "../crash/table.ts";
import {wholeBuild} from "../raw-build.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type HostileFile, hostileFiles} from "./hostile-files.ts";

const asOf = "2026-11-21";
const seed = Number(process.env["SEED"] ?? 31);
/** 2,000 for `make crash`, fewer in a push. */
const count = sizeOf("HOSTILE", {push: 129, long: 2_000});
/** Ten seconds per file plus one per MiB (`docs/design/reliability.md` section 2.1). */
const deadlineMs = (files: readonly HostileFile[]) =>
  files.reduce((sum, {bytes}) => sum + 10_000 + (bytes.length / 2 ** 20) * 1_000, 0);

let files: HostileFile[];
let clean: BuildResult;
let result: BuildResult;
let tookMs: number;

beforeAll(async () => {
  const raw = join(temporaryFolder(), "raw");
  await writeSample(raw, asOf);
  for (const path of await filesBelow(raw)) if (path.endsWith(".meta.json")) rmSync(join(raw, path));
  const run = () => build(wholeBuild({rawDir: raw, data: dataFolder(join(temporaryFolder(), "data")), asOf}));
  clean = await run();
  const entries = Object.values(clean.report.parts)
    .flat()
    .filter(({path}) => path.startsWith("parcels/"))
    .map(({unit}) => unit);
  files = hostileFiles(count, seed, [...new Set(entries)]);
  for (const {path, bytes} of files) {
    mkdirSync(dirname(join(raw, path)), {recursive: true});
    writeFileSync(join(raw, path), bytes);
  }
  const before = performance.now();
  result = await run();
  tookMs = performance.now() - before;
  const named = reports(result);
  const lost = files.filter(({path}) => !named.has(path)).length;
  note(
    "B12",
    `${count} hostile files of 43 kinds in one raw folder`,
    `${lost} unnamed, ${result.heldBack.length} parts held back, ${Math.round(tookMs / 1000)} s`,
    seed,
  );
}, 7_200_000);

const reports = ({report}: BuildResult) =>
  new Map(
    [...Object.values(report.parts).flat(), ...report.left_out].map((each): [string, FileReport] => [
      each.path,
      each,
    ]),
  );

test("B12: the build ends within the sum of the deadlines and publishes every part", () => {
  expect(tookMs).toBeLessThan(deadlineMs(files));
  expect([result.outcome, result.heldBack]).toEqual(["published", []]);
});

test("names each hostile file, with a reason where nothing of it was taken", () => {
  const named = reports(result);
  const unnamed = files.filter(({path}) => !named.has(path)).map(({path}) => path);
  const silent = files.filter(({path}) => {
    const report = named.get(path);
    const rejected = Object.keys(report?.rejected ?? {}).length;
    return (
      report !== undefined &&
      report.reason === null &&
      report.accepted + report.merged + rejected === 0 &&
      report.rowsIn > 0
    );
  });
  expect([unnamed, silent.map(({path}) => path)]).toEqual([[], []]);
});

test("takes as many rows of every good file as it takes without them", () => {
  const [before, after] = [reports(clean), reports(result)];
  const rows = (report: FileReport | undefined) => [report?.rowsIn, report?.status];
  expect([...before].map(([path]) => [path, ...rows(after.get(path))])).toEqual(
    [...before].map(([path, report]) => [path, ...rows(report)]),
  );
});
