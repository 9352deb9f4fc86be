import {readdirSync, readFileSync} from "node:fs";
import {dirname, join, relative} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";

type Import = {readonly file: string; readonly target: string};

/** Rooms that a room may import from, beside itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  lib: ["schemas"],
  pipeline: ["lib", "schemas"],
  server: ["lib", "schemas"],
};

/** Packages that hide behind the files named here. */
const hidden: Readonly<Record<string, RegExp>> = {
  koffi: /^lib\/(process\/libc|storage\/mapped-file)\.ts$/,
  "@duckdb/node-api": /^(lib|pipeline)\//,
  yauzl: /^pipeline\/raw\/zip-file\.ts$/,
  express: /^server\//,
  undici: /^(server\/cadastre|pipeline\/fetch)\//,
  topojson: /^lib\/geography\/(counties|county-box)\.ts$/,
};

const files = Object.keys(below).flatMap((room) => sourcesBelow(room));
const imports = files.flatMap(importsOf);

test("imports point down: schemas, then lib, then pipeline and server, which never meet", () => {
  const wrong = imports.filter(({file, target}) => {
    if (!target.startsWith(".")) return false;
    const room = roomOf(file);
    const other = roomOf(join(dirname(file), target));
    return other !== room && !below[room]!.includes(other);
  });
  expect(wrong).toEqual([]);
});

test("schemas import zod, what Node brings, and nothing else from outside", () => {
  const outside = imports.filter(({file, target}) => roomOf(file) === "schemas" && !target.startsWith("."));
  expect(outside.filter(({target}) => target !== "zod" && !target.startsWith("node:"))).toEqual([]);
});

test("each hidden package stands behind its own file", () => {
  for (const [name, place] of Object.entries(hidden)) {
    const strays = imports.filter(({file, target}) => isPackage(target, name) && !place.test(file));
    expect(strays, `${name} is for ${place}`).toEqual([]);
  }
});

test("every import of ours names a file with its extension", () => {
  const bare = imports.filter(({target}) => target.startsWith(".") && !/\.(ts|json)$/.test(target));
  expect(bare).toEqual([]);
});

test("a file stays short enough to be read at once", () => {
  const long = files.map(
    (file) => [file, readFileSync(join(packageRoot, file), "utf8").split("\n").length] as const,
  );
  expect(long.filter(([, lines]) => lines > 300)).toEqual([]);
});

test("files are named in kebab-case", () => {
  expect(
    files.filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(file)),
  ).toEqual([]);
});

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), {recursive: true, encoding: "utf8"})
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name))
    .sort();
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(packageRoot, file), "utf8");
  const from =
    /^(?:import|export)\s(?:type\s)?(?:\{[^}]*\}|[\w*]+(?: as \w+)?(?:,\s*\{[^}]*\})?)\sfrom\s"([^"]+)"/gm;
  const called = /\bimport\("([^"]+)"\)/g;
  return [...text.matchAll(from), ...text.matchAll(called)].map((match) => ({file, target: match[1]!}));
}

function roomOf(path: string): string {
  return relative(".", path).split("/")[0]!;
}

function isPackage(target: string, name: string): boolean {
  return target === name || target.startsWith(`${name}/`) || target.startsWith(`${name}-`);
}
