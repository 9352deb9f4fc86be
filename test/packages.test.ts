import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";

type Locked = {
  version?: string;
  integrity?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  license?: string;
  os?: string[];
  cpu?: string[];
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

type Manifest = Record<string, Record<string, string>>;

const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as Manifest;
const {packages} = JSON.parse(readFileSync(join(packageRoot, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
/** Packages of the registry; our own have no integrity, and come with the checkout. */
const installed = Object.entries(packages).filter(
  ([path]) => path.startsWith("node_modules/") && !path.startsWith("node_modules/@open-cattle/"),
);
const runtime = installed.filter(([, {dev}]) => dev !== true);

/** Packages of the runtime tree that declare an install script; none is needed (`--ignore-scripts`). */
const withScripts = ["node_modules/@scarf/scarf", "node_modules/koffi"];
/** The promise of `docs/design/reliability.md`; half of them come with express. */
const mostPackages = 130;
const licences = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "Unlicense",
];

test("one major version of Node is pinned, demanded and required", () => {
  const [, major] = /REQUIRED_MAJOR = (\d+)/.exec(readFileSync(join(packageRoot, "bin/cattle.js"), "utf8"))!;
  expect(readFileSync(join(packageRoot, ".nvmrc"), "utf8")).toBe(`${major}\n`);
  expect([manifest["engines"]!["node"], packages[""]!.engines?.["node"]]).toEqual([
    `>=${major}`,
    `>=${major}`,
  ]);
  for (const [name, version] of Object.entries(manifest["optionalDependencies"]!)) {
    expect(version, name).toMatch(new RegExp(`^${major}\\.`));
  }
});

test("the version is a release of the CHANGELOG, which comes in the packed file", () => {
  const releases = readFileSync(join(packageRoot, "CHANGELOG.md"), "utf8").match(/^## \d.*$/gm)!;
  expect(releases[0]).toMatch(
    new RegExp(`^## ${manifest["version"] as unknown as string} - \\d{4}-\\d\\d-\\d\\d$`),
  );
});

test("S11: every dependency is pinned to one exact version", () => {
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
    const loose = Object.entries(manifest[kind] ?? {}).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose, kind).toEqual([]);
  }
});

test("S11: a package of ours asks for the versions that the house has", () => {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
  const all = (of: Manifest) => Object.assign({}, ...kinds.map((kind) => of[kind])) as Record<string, string>;
  const names = readdirSync(join(packageRoot, "packages"));
  const own = names.map(
    (name) =>
      JSON.parse(readFileSync(join(packageRoot, "packages", name, "package.json"), "utf8")) as Manifest & {
        name: string;
        version: string;
      },
  );
  const house = {...all(manifest), ...Object.fromEntries(own.map(({name, version}) => [name, version]))};
  for (const each of own)
    for (const [needed, version] of Object.entries(all(each)))
      expect([each.name, needed, version]).toEqual([each.name, needed, house[needed]]);
});

test("S11: every locked package, of any platform, has its integrity", () => {
  const without = installed.filter(([, {integrity}]) => integrity?.startsWith("sha512-") !== true);
  expect(without.map(([path]) => path)).toEqual([]);
});

test("npm ci finds every platform's packages in the lockfile", () => {
  const missing = Object.entries(packages).flatMap(([place, {optionalDependencies = {}}]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined &&
        packages[`${place}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

test("S11: only known packages of the runtime tree declare an install script", () => {
  expect(runtime.filter(([, {hasInstallScript}]) => hasInstallScript).map(([path]) => path)).toEqual(
    withScripts,
  );
});

test("the install counter that comes with the reference page is turned off for everybody who installs this package", () => {
  // Its script looks for this member in every package up to the root.
  expect(manifest["scarfSettings"]).toEqual({enabled: false});
});

test("S11: the runtime tree is small and its licences are on the list", () => {
  const here = runtime.filter(
    ([, {os = ["linux"], cpu = ["x64"]}]) => os.includes("linux") && cpu.includes("x64"),
  );
  expect(here.length).toBeLessThanOrEqual(mostPackages);
  const foreign = runtime.filter(([, {license}]) => !licences.includes(license ?? "none"));
  expect(foreign.map(([path, {license}]) => `${path}: ${license}`)).toEqual([]);
});
