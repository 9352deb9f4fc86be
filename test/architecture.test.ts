import {readdirSync, readFileSync} from "node:fs";
import {basename, dirname, join, relative} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";

type Import = {readonly file: string; readonly target: string};

/** Folders that a folder may import from, besides itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  lib: ["schemas"],
  pipeline: ["lib", "schemas"],
  server: ["lib", "schemas"],
};

/** Packages, and the only files that may import them. */
const hidden: Readonly<Record<string, RegExp>> = {
  parse5: /^packages\/parcel-files\/src\/html-tables\.ts$/,
  unpdf: /^packages\/usda-reports\/src\/pdf-pages\.ts$/,
  koffi: /^(lib\/system\/libc|packages\/mapped-index\/src\/mapped-file)\.ts$/,
  "@duckdb/node-api": /^(lib|pipeline)\//,
  "@duckdb/node-bindings": /^lib\/sql\/duckdb-library\.ts$/,
  yauzl: /^packages\/parcel-files\/src\/zip-file\.ts$/,
  express: /^server\//,
  kdbush: /^server\/tables\/place-index\.ts$/,
  geokdbush: /^server\/tables\/place-index\.ts$/,
  "@modelcontextprotocol": /^server\/mcp\/mcp-(server|service|command)\.ts$/,
  undici: /^(server\/cadastre|pipeline\/fetch)\//,
  "us-atlas": /^lib\/geography\/atlas\.ts$/,
};

/**
 * The ladder of rooms (`docs/design/architecture.md` section 4), bottom first. A file imports, types included, from its own folder and from
 * folders before it in this list. A new room is a decision: it is added here and to the table of CONTRIBUTING, which has the same order.
 */
const ladder: readonly string[] = [
  "schemas/vocabulary",
  "schemas/market-fields",
  "schemas/parcel-fields",
  "schemas",
  "lib/text",
  "lib",
  "lib/geography",
  "lib/parcels/parcel-id",
  "lib/reference",
  "lib/system",
  "lib/storage",
  "lib/sql",
  "lib/models",
  "lib/storage/arrow-file",
  "lib/parcels/owner",
  "lib/parcels/land-use",
  "lib/parcels/place",
  "lib/parcels/conform",
  "lib/registry",
  "lib/parcels/record",
  "lib/parcels",
  "lib/parcels/matching",
  "lib/parcels/memory",
  "lib/parcels/dedupe",
  "lib/delta",
  "lib/http",
  "lib/process",
  "lib/keys",
  "lib/market",
  "pipeline/raw",
  "pipeline/results",
  "pipeline/tables",
  "pipeline/parcels/files",
  "pipeline/parcels/outlines",
  "pipeline/raw/workbook",
  "pipeline/parcels/readers",
  "pipeline/parcels",
  "pipeline/market/staging",
  "pipeline/market/documents",
  "pipeline/market/signals",
  "pipeline/market/reference",
  "pipeline/market/samples",
  "pipeline/market/rules",
  "pipeline/market/ams-text",
  "pipeline/market/mars",
  "pipeline/market/normalise",
  "pipeline/market/records",
  "pipeline/market/signals/lists",
  "pipeline/market/calendar",
  "pipeline/market/answers",
  "pipeline/market/feeds",
  "pipeline/market/context",
  "pipeline/market/files",
  "pipeline/market",
  "pipeline/add",
  "pipeline/parcels/propose",
  "pipeline/parts",
  "pipeline/report",
  "pipeline/publish/dataset",
  "pipeline/publish",
  "pipeline/commands/export",
  "pipeline/fetch/client",
  "pipeline/fetch/snapshots",
  "pipeline/fetch/jobs",
  "pipeline/fetch/arcgis",
  "pipeline/fetch/protocols",
  "pipeline/fetch",
  "pipeline/fetch/probe",
  "pipeline/commands",
  "pipeline/sample",
  "pipeline",
  "server/system",
  "server/delta",
  "server/tables",
  "server/generation",
  "server/http",
  "server/market",
  "server/parcels",
  "server/text",
  "server/discoveries",
  "server/commands",
  "server/cadastre",
  "server/coverage",
  "server/files",
  "server/mcp",
  "server/pages",
  "server/routes",
  "server",
];

/** Files outside the rooms: shared ones of `lib/`, and the two command lines. */
const loose: Readonly<Record<string, readonly string[]>> = {
  lib: [
    "counts.ts",
    "dates.ts",
    "errors.ts",
    "limitations.ts",
    "paths.ts",
    "read-settings.ts",
    "rounding.ts",
  ],
  pipeline: ["cli.ts"],
  server: ["server-cli.ts"],
};

/**
 * Rooms of `lib/` that cover a whole subject and may have files used by one side only: parcel lookup and records belong to the
 * columns that the build writes for them, the writer of delta segments to their reader, and how a process ends with its parent
 * to how it ends otherwise.
 */
const wholeSubjects = /^lib\/(parcels|models|delta|process|system)\//;

const mainDoor = "./src/index.ts";
/** Doors of a package beside that one, for plain data that others need without the rest. */
const otherDoors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "usda-reports": {"./values": "./src/published-values.ts", "./words": "./src/report-words.ts"},
};

/** The two files that `bin/cattle.js` loads; all code that runs is reached from them. */
const entryPoints = ["pipeline/cli.ts", "server/server-cli.ts"];

const files = Object.keys(below).flatMap((room) => sourcesBelow(room));
/** Packages of ours, which know nothing of the house. */
const ownPackages = readdirSync(join(packageRoot, "packages")).map((name) => join("packages", name));
const packageFiles = ownPackages.flatMap((folder) => sourcesBelow(join(folder, "src")));
const imports = [...files, ...packageFiles].flatMap(importsOf);
const importsBy = new Map([...files, ...packageFiles].map((file) => [file, ownImportsOf(file)]));
const workersOf = new Map(files.map((file) => [file, workersOpenedBy(file)]));

test("imports point down: schemas, then lib, then pipeline and server, which never meet", () => {
  const wrong = imports.filter(({file, target}) => {
    if (!target.startsWith(".") || file.startsWith("packages/")) return false;
    const room = roomOf(file);
    const other = roomOf(join(dirname(file), target));
    return other !== room && !below[room]!.includes(other);
  });
  expect(wrong).toEqual([]);
});

test("a package imports its own files, Node and what it says that it needs, and is entered by its doors", () => {
  for (const folder of ownPackages) {
    const {
      name,
      dependencies = {},
      devDependencies = {},
      exports,
    } = JSON.parse(readFileSync(join(packageRoot, folder, "package.json"), "utf8")) as {
      name: string;
      dependencies?: object;
      devDependencies?: object;
      exports: unknown;
    };
    expect([name, exports]).toEqual([`@open-cattle/${basename(folder)}`, doorsOf(folder)]);
    const needed = [
      ...Object.keys(dependencies),
      // Types alone are imported from what has them alone.
      ...Object.keys(devDependencies).flatMap((each) => /^@types\/(.*)/.exec(each)?.[1] ?? []),
    ];
    const foreign = imports.filter(
      ({file, target}) =>
        file.startsWith(`${folder}/`) &&
        !(target.startsWith(".")
          ? join(dirname(file), target).startsWith(`${folder}/`)
          : target.startsWith("node:") || needed.some((each) => isPackage(target, each))),
    );
    expect(foreign).toEqual([]);
    const reached = reachedFrom(doorFiles(folder), (file) => importsBy.get(file)!);
    expect(packageFiles.filter((file) => file.startsWith(`${folder}/`) && !reached.has(file))).toEqual([]);
  }
});

test("the house or another package uses each name that a package's door gives, or its README tells of it", () => {
  const given = ownPackages.flatMap((folder) => {
    const readme = new Set(readFileSync(join(packageRoot, folder, "README.md"), "utf8").match(/\w+/g));
    return doorFiles(folder).flatMap((file) => {
      const door = readFileSync(join(packageRoot, file), "utf8");
      return [...door.matchAll(/export (?:\{([^}]*)\}|const (\w+))/g)]
        .flatMap(([, names, one]) => one ?? names!.match(/\b(?!type\b)\w+/g)!)
        .filter((each) => !readme.has(each));
    });
  });
  const used = [...files, ...packageFiles]
    .map((file) => readFileSync(join(packageRoot, file), "utf8"))
    .flatMap((text) => [...text.matchAll(/import (?:type )?\{([^}]*)\} from "@open-cattle\//g)])
    .flatMap(([, names]) => names!.match(/\w+/g)!);
  expect(given.filter((name) => !used.includes(name))).toEqual([]);
});

test("no file imports itself indirectly, not even for a type", () => {
  expect(cycles()).toEqual([]);
});

test("every file is reached from the command lines, by imports or as a worker", () => {
  const reached = runFrom(entryPoints);
  expect(files.filter((file) => !reached.has(file))).toEqual([]);
});

test("lib holds only what pipeline and server both use, except in rooms with a whole subject", () => {
  const [pipeline, server] = entryPoints.map((entry) => runFrom([entry]));
  const oneSided = files.filter(
    (file) => file.startsWith("lib/") && !(pipeline!.has(file) && server!.has(file)),
  );
  expect(oneSided.filter((file) => !wholeSubjects.test(file))).toEqual([]);
});

test("folders are rooms on a ladder: every import, of types too, goes to the same room or down", () => {
  const step = (file: string) => ladder.indexOf(dirname(file));
  const up = files.flatMap((file) =>
    importsBy
      .get(file)!
      .filter((target) => step(target) > step(file))
      .map((target) => `${file} imports ${target}`),
  );
  expect(up).toEqual([]);
});

test("every room is on the ladder, once, and no other folder is", () => {
  expect([...ladder].sort()).toEqual([...new Set(files.map((file) => dirname(file)))].sort());
});

test("the ladder is the table of rooms in CONTRIBUTING", () => {
  const text = readFileSync(join(packageRoot, "CONTRIBUTING.md"), "utf8");
  const rooms = text.slice(text.indexOf("| room |"));
  const listed = [...rooms.slice(0, rooms.indexOf("\n\n")).matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, room]) => room,
  );
  expect(listed).toEqual(ladder);
});

test("a file outside the rooms of lib, pipeline and server is listed", () => {
  for (const [folder, names] of Object.entries(loose)) {
    const entries = readdirSync(join(packageRoot, folder), {withFileTypes: true});
    expect(
      entries
        .filter((entry) => entry.isFile())
        .map(({name}) => name)
        .sort(),
      folder,
    ).toEqual(names);
  }
});

test("no two files have the same name", () => {
  const names = [...files, ...packageFiles]
    .map((file) => basename(file))
    .filter((name) => name !== "index.ts");
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("schemas import only zod, Node modules and packages of ours from outside", () => {
  const outside = imports.filter(({file, target}) => roomOf(file) === "schemas" && !target.startsWith("."));
  expect(outside.filter(({target}) => !/^(?:zod$|node:|@open-cattle\/)/.test(target))).toEqual([]);
});

test("each hidden package is imported by the file that hides it, and by no other", () => {
  for (const [name, place] of Object.entries(hidden)) {
    const strays = imports.filter(({file, target}) => isPackage(target, name) && !place.test(file));
    expect(strays, `${name} is for ${place}`).toEqual([]);
  }
});

test("every import of ours names a file with its extension", () => {
  const bare = imports.filter(({target}) => target.startsWith(".") && !/\.(ts|json)$/.test(target));
  expect(bare).toEqual([]);
});

test("only one function writes whole files: no other file calls a system write or opens a file for writing", () => {
  const writes =
    /\b(writeFile|writeFileSync|writeSync|writev|createWriteStream|appendFile|copyFile|cp|truncateSync)\b/;
  const importsWrite = (text: string) =>
    [...text.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].some(([, names]) =>
      writes.test(names!),
    );
  const opensToWrite = /\bopen(?:Sync)?\([^)]*(?:"(?:w|a|r\+)|O_WRONLY|O_RDWR|O_CREAT)/;
  const textOf = (file: string) => readFileSync(join(packageRoot, file), "utf8");
  expect([...files, ...packageFiles].filter((file) => importsWrite(textOf(file)))).toEqual([
    // A kernel file.
    "lib/system/own-child.ts",
    "packages/safe-files/src/whole-file.ts",
  ]);
  // These write with `writeAll` of that file, except the segment, which is appended to and has its own writer.
  expect(files.filter((file) => opensToWrite.test(textOf(file)))).toEqual([
    "lib/delta/segment-files.ts",
    "lib/storage/arrow-file/output.ts",
    "pipeline/publish/segments.ts",
  ]);
});

test("only one file writes to the terminal, so that no text of others acts on it", () => {
  const writes = /\bprocess\.(stdout|stderr)\.(write|end)\b|\bconsole\.(log|info|warn|error)\(/;
  const inTexts = ["server/http/docs.ts"];
  const textOf = (file: string) => readFileSync(join(packageRoot, file), "utf8");
  const writers = [...files, ...packageFiles].filter(
    (file) => writes.test(textOf(file)) && !inTexts.includes(file),
  );
  expect(writers).toEqual(["lib/text/terminal-output.ts"]);
});

test("only one file gives paths to DuckDB, so that a name is never a pattern", () => {
  const takesPath = new RegExp(
    [
      String.raw`\b(read_(parquet|csv|csv_auto|json|json_auto|json_objects|ndjson|ndjson_auto|ndjson_objects|text|blob|xlsx)|parquet_\w+|sniff_csv|glob|st_read)\s*\(`,
      String.raw`\bCOPY\s*\(|\bCOPY\b[^\n]*\b(TO|FROM) '?\$\{|\bATTACH\b|\ballowed_(directories|paths)\b|\bFROM '\$\{`,
    ].join("|"),
  );
  const code = (file: string) =>
    readFileSync(join(packageRoot, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  expect(files.filter((file) => takesPath.test(code(file)))).toEqual(["lib/sql/sql-path.ts"]);
});

test("every file stays short", () => {
  const long = [...files, ...packageFiles].map(
    (file) => [file, readFileSync(join(packageRoot, file), "utf8").split("\n").length] as const,
  );
  expect(long.filter(([, lines]) => lines > 300)).toEqual([]);
});

test("files are named in kebab-case", () => {
  expect(
    [...files, ...packageFiles].filter(
      (file) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(file),
    ),
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

/** Our own files that a file imports. */
function ownImportsOf(file: string): string[] {
  return imports
    .filter((each) => each.file === file && each.target.startsWith(".") && each.target.endsWith(".ts"))
    .map(({target}) => join(dirname(file), target));
}

/** Files that a file starts as a worker, by `new URL("./name…")`. */
function workersOpenedBy(file: string): string[] {
  const text = readFileSync(join(packageRoot, file), "utf8");
  return [...text.matchAll(/(?:new URL|ownProgram)\([`"]\.\/([\w-]+)/g)].map((match) =>
    join(dirname(file), `${match[1]}.ts`),
  );
}

/** Files reachable over the edges, including the first ones. */
function reachedFrom(first: readonly string[], edges: (file: string) => readonly string[]): Set<string> {
  const reached = new Set(first);
  // Iterating a Set also visits members added meanwhile.
  for (const file of reached) for (const target of edges(file)) reached.add(target);
  return reached;
}

function runFrom(entries: readonly string[]): Set<string> {
  return reachedFrom(entries, (file) => [...(importsBy.get(file) ?? []), ...(workersOf.get(file) ?? [])]);
}

/** Import cycles: groups of files that import each other directly or indirectly. */
function cycles(): string[][] {
  const reach = new Map(
    [...files, ...packageFiles].map((file) => [
      file,
      reachedFrom(importsBy.get(file)!, (other) => importsBy.get(other) ?? []),
    ]),
  );
  const all = [...files, ...packageFiles];
  const groups = all
    .filter((file) => reach.get(file)!.has(file))
    .map((file) => all.filter((other) => reach.get(file)!.has(other) && reach.get(other)!.has(file)));
  return groups.filter((group, i) => groups.findIndex(([first]) => first === group[0]) === i);
}

function roomOf(path: string): string {
  return relative(".", path).split("/")[0]!;
}

/** What a package's manifest says of its doors. */
function doorsOf(folder: string): unknown {
  const others = otherDoors[basename(folder)];
  return others === undefined ? mainDoor : {".": mainDoor, ...others};
}

function doorFiles(folder: string): string[] {
  return [mainDoor, ...Object.values(otherDoors[basename(folder)] ?? {})].map((door) => join(folder, door));
}

function isPackage(target: string, name: string): boolean {
  return target === name || target.startsWith(`${name}/`) || target.startsWith(`${name}-`);
}
