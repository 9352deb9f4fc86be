/**
 * The packages that an installation gets, from the lockfile, as the table `docs/reference/packages.md`.
 *
 *   node .ci/packages.ts            fails for a package that is new, changed, retired or long unmaintained against the table
 *   node .ci/packages.ts --write    asks the registry when each new version was released, and writes the table
 *   node .ci/packages.ts --sbom     prints them as CycloneDX 1.5; `npm sbom --omit dev` leaves out what development needs as well
 *
 * Install scripts never run here (`npm ci --ignore-scripts`); a package that begins to have one is named all the same.
 */
import {execFileSync} from "node:child_process";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join, normalize, relative} from "node:path";
import {fileURLToPath} from "node:url";

type Locked = {
  name?: string;
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  deprecated?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
type Row = {name: string; version: string; licence: string; script: string; needs: string; by: string};

const root = join(import.meta.dirname, "..");
const table = join(root, "docs/reference/packages.md");
const licences = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Unlicense"]);
const oldAfterYears = 4;
/** Entries of the program, and what is served to browsers without being imported. */
const entries = {build: "pipeline/cli.ts", server: "server/server-cli.ts"};
const served = ["swagger-ui-dist", "uplot", "us-atlas"];

const {packages} = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
const own = packages[""]!;
const sources = new Set(
  ["bin", "lib", "packages", "pipeline", "schemas", "server"].flatMap((room) =>
    readdirSync(join(root, room), {recursive: true, encoding: "utf8"}).map((file) => `${room}/${file}`),
  ),
);
const rows = installed();

if (process.argv.includes("--sbom")) process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 1)}\n`);
else if (process.argv.includes("--write")) writeFileSync(table, document(rows));
else check(rows);

/** The installed packages by name and version, each with the direct dependencies that bring it and what of the program needs those. */
function installed(): Row[] {
  const direct = Object.keys({...own.dependencies, ...own.optionalDependencies});
  const users = new Map(direct.map((name) => [name, usersOf(name)]));
  const bringers = new Map<string, Set<string>>();
  for (const name of direct) bring(`node_modules/${name}`, name, bringers);
  return runtimePackages()
    .map(([path, {version, license = "none", hasInstallScript, deprecated}]) => {
      const by = [...(bringers.get(path) ?? [])].sort();
      const name = nameOf(path);
      const needs = [...new Set(by.flatMap((each) => users.get(each)!))].sort();
      return {
        ...{name, version, licence: license, needs: needs.join(", ")},
        script: deprecated !== undefined ? "retired" : hasInstallScript === true ? "has one" : "",
        by: by.includes(name) ? "" : by.join(", "),
      };
    })
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function runtimePackages(): [path: string, Locked][] {
  return Object.entries(packages).filter(
    ([path, {dev}]) =>
      path.startsWith("node_modules/") && !path.startsWith("node_modules/@open-cattle/") && dev !== true,
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Marks a package and all that it depends on as brought by a direct dependency; nested copies come before shared ones. */
function bring(path: string, by: string, bringers: Map<string, Set<string>>): void {
  const marks = bringers.get(path) ?? new Set();
  if (marks.has(by)) return;
  bringers.set(path, marks.add(by));
  const {dependencies, optionalDependencies} = packages[path]!;
  for (const name of Object.keys({...dependencies, ...optionalDependencies})) {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
      const below = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
      if (packages[below] !== undefined) {
        bring(below, by, bringers);
        break;
      }
      if (at === "") break;
    }
  }
}

function usersOf(name: string): string[] {
  if (name.startsWith("node-linux")) return ["all"];
  const users = Object.entries(entries).filter(([, entry]) => packagesOf(entry).has(name));
  return [...users.map(([user]) => user), ...(served.includes(name) ? ["page"] : [])];
}

/** The packages imported by a file and all files that it leads to, child programs included. */
function packagesOf(entry: string): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name] of readFileSync(join(root, file), "utf8")
      // Types are gone when the file is loaded.
      .replaceAll(/^import type [^;]*;/gm, "")
      .matchAll(/(?:from|import|import\(|ownProgram\(|resolve\()\s*["`]([^"`]+)["`]/g)) {
      if (name!.startsWith("node:")) continue;
      if (name!.startsWith(".")) {
        const path = normalize(join(dirname(file), name!));
        const source = [path, `${path}.ts`].find((each) => sources.has(each));
        if (source !== undefined) follow(source);
      } else if (name!.startsWith("@open-cattle/")) {
        follow(relative(root, fileURLToPath(import.meta.resolve(name!))));
      } else found.add(/^@[^/]+\/[^/]+|^[^/]+/.exec(name!)![0]);
    }
  };
  follow(entry);
  return found;
}

/** The same packages as CycloneDX 1.5, with the digests that npm checks. */
function billOfMaterials(): object {
  const components = new Map(
    runtimePackages().map(([path, {version, license, integrity}]) => {
      const name = nameOf(path);
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      const digest = Buffer.from((integrity ?? "").replace(/^sha512-/, ""), "base64").toString("hex");
      const component = {
        ...{type: "library", "bom-ref": purl, name, version, purl, licenses: [{license: {id: license}}]},
        ...(digest === "" ? {} : {hashes: [{alg: "SHA-512", content: digest}]}),
      };
      return [purl, component];
    }),
  );
  return {
    ...{bomFormat: "CycloneDX", specVersion: "1.5", version: 1},
    metadata: {component: {type: "application", name: own.name, version: own.version}},
    components: [...components.values()],
  };
}

function document(list: readonly Row[]): string {
  const kept = keptRows();
  const lines = list.map(({name, version, licence, script, needs, by}) => {
    const released = kept.get(`${name} ${version}`)?.[1] ?? releaseDay(name, version);
    return `| ${[name, version, licence, released, script, needs, by].join(" | ")} |`;
  });
  return `# Packages

What \`npm install --omit=dev\` brings, made by \`node .ci/packages.ts --write\` from the lockfile; the days are those that the registry states. CI fails
for a package that this table does not have in this form. "Needed by" is computed from imports: \`build\` is the command line, \`server\` what
\`cattle serve\` loads, \`page\` is sent to browsers. No install script runs (\`--ignore-scripts\`).

| package | version | licence | released | install script | needed by | brought by |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join("\n")}
`;
}

/** The columns of the table after name and version, by both. */
function keptRows(): Map<string, string[]> {
  return new Map(
    [...readFileSync(table, "utf8").matchAll(/^\| (\S+) \| (\S+) \| (.*) \|$/gm)].map(
      ([, name, version, rest]) => [`${name} ${version}`, rest!.split(" | ")],
    ),
  );
}

function releaseDay(name: string, version: string): string {
  const times = JSON.parse(execFileSync("npm", ["view", name, "time", "--json"], {encoding: "utf8"}));
  return ((times as Record<string, string>)[version] ?? "unknown").slice(0, 10);
}

function check(list: readonly Row[]): void {
  const kept = keptRows();
  const oldest = new Date().getFullYear() - oldAfterYears;
  const faults = list.flatMap(({name, version, ...row}) => {
    const [licence, , script, needs, by] = kept.get(`${name} ${version}`) ?? [];
    const isSame = licence === row.licence && script === row.script && needs === row.needs && by === row.by;
    return [
      ...(isSame ? [] : ["is new, or changed: read what it is, then node .ci/packages.ts --write"]),
      ...(licences.has(row.licence) ? [] : [`has the licence ${row.licence}`]),
      ...(row.script === "retired" ? ["is retired by its authors"] : []),
    ].map((fault) => `${name} ${version} ${fault}`);
  });
  const old = list.filter(({name, version}) => {
    const [, released = ""] = kept.get(`${name} ${version}`) ?? [];
    return Number(released.slice(0, 4)) < oldest;
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  const oldOnes = old.map(({name, version}) => `${name} ${version}`).join(", ") || "none";
  process.stdout.write(`packages: ${list.length}; released before ${oldest}: ${oldOnes}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
