import {cp, readFile, rm, utimes} from "node:fs/promises";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {beforeAll, expect, test} from "vitest";
import {limitations} from "../../lib/limitations.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import {buildFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import {rawFiles} from "../../pipeline/commands/build-commands.ts";
import type {BuildOptions} from "../../pipeline/parts/options.ts";
import {assemble} from "../../pipeline/publish/assemble.ts";
import {build} from "../../pipeline/publish/build.ts";
import {buildPart} from "../../pipeline/publish/build-part.ts";
import {sha256OfFile} from "../../pipeline/raw/file-digest.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {wholeBuild} from "../raw-build.ts";
import {temporaryFolder} from "../temporary-folder.ts";

const asOf = "2026-11-21";
let first: string;
let second: string;
let third: string;

function optionsOn(day: string, rawDir: string, root = temporaryFolder()): BuildOptions {
  const now = () => new Date(`${day}T06:00:00Z`);
  const data = dataFolder(root);
  return wholeBuild({
    rawDir,
    data,
    asOf,
    now,
    listFiles: (needsDigest) => rawFiles(rawDir, {data, now, keep: true, needsDigest}),
  });
}

/** Builds a raw folder on a day into a new data folder; returns the build folder. */
async function buildOn(day: string, rawDir: string, root?: string): Promise<string> {
  const options = optionsOn(day, rawDir, root);
  return buildFolder(options.data, (await build(options)).buildId);
}

/** Builds each part in its own data folder and assembles them in another; returns that build folder. */
async function buildByParts(day: string, rawDir: string): Promise<string> {
  const dirs = ["TX", MARKET, "AZ"].map((name) => [name, join(temporaryFolder(), name)] as const);
  for (const [name, dir] of dirs) await buildPart(name, dir, optionsOn(day, rawDir));
  const options = optionsOn(day, rawDir);
  const {buildId} = await assemble(
    dirs.map(([, dir]) => dir),
    options,
  );
  return buildFolder(options.data, buildId);
}

beforeAll(async () => {
  // The data folder's own raw folder, whose files get a meta with the time at which they were first seen.
  const root = temporaryFolder();
  const raw = join(root, "raw");
  await writeSample(raw, asOf);
  for (const path of await filesBelow(raw)) if (path.endsWith(".meta.json")) await rm(join(raw, path));
  first = await buildOn("2026-11-21", raw, root);
  const copy = join(temporaryFolder(), "elsewhere");
  await cp(raw, copy, {recursive: true});
  for (const path of await filesBelow(copy)) await utimes(join(copy, path), 1, 1);
  second = await buildOn("2026-12-24", copy);
  third = await buildByParts("2026-12-25", copy);
});

async function digests(dir: string): Promise<string[][]> {
  const paths = (await filesBelow(dir)).filter((path) => path !== "manifest.json");
  return Promise.all(paths.map(async (path) => [path, await sha256OfFile(join(dir, path))]));
}

test("a copy of the raw folder without times, built elsewhere on another day, has the same bytes", async () => {
  expect(await digests(second)).toEqual(await digests(first));
});

test("market and states built as parts and assembled have the same bytes, and the same manifest but for its time", async () => {
  expect(await digests(third)).toEqual(await digests(first));
  const [one, other] = [await readManifest(first), await readManifest(third)];
  expect({...other, built_at: one.built_at}).toEqual(one);
});

test("their manifests differ only in the build time, and name the same parts with the same digests", async () => {
  const [one, other] = [await readManifest(first), await readManifest(second)];
  expect(one.built_at).not.toBe(other.built_at);
  expect({...other, built_at: one.built_at}).toEqual(one);
  expect(new Set(one.inputs.map(({retrieved_at_from}) => retrieved_at_from))).toEqual(new Set(["assumed"]));
});

test("answers say that the time of retrieval is assumed", async () => {
  const holds = async (path: string, text: string) => (await readFile(join(first, path))).includes(text);
  expect(await holds("serving/market/evidence.arrow", limitations.L27)).toBe(true);
  expect(await holds("serving/parcels/TX/provenance.arrow", "P32")).toBe(true);
});
