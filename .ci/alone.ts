/**
 * Copies each package of `packages/`, with those of ours that it needs beside it, into an empty folder and runs its tests there, so that
 * nothing of the house holds it up.
 */
import {execFileSync} from "node:child_process";
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {basename, join} from "node:path";

const packages = join(import.meta.dirname, "../packages");
const names = process.argv.slice(2);

for (const name of names.length > 0 ? names : readdirSync(packages)) {
  const alone = mkdtempSync(join(tmpdir(), `cattle-${name}-`));
  try {
    const copied = [...withNeeded(name)];
    for (const each of copied)
      cpSync(join(packages, each), join(alone, each), {
        recursive: true,
        filter: (path) => basename(path) !== "node_modules",
      });
    writeFileSync(join(alone, "package.json"), JSON.stringify({private: true, workspaces: copied}));
    const npm = (...args: string[]) => execFileSync("npm", args, {cwd: alone, stdio: "inherit"});
    npm("install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
    npm("test", "--silent", "--workspace", name);
    process.stdout.write(`alone: ${name} passes its tests\n`);
  } finally {
    rmSync(alone, {recursive: true, force: true});
  }
}

/** A package and those of ours that it needs, itself first. */
function withNeeded(name: string): Set<string> {
  const needed = new Set([name]);
  for (const each of needed) {
    const {dependencies = {}} = JSON.parse(readFileSync(join(packages, each, "package.json"), "utf8")) as {
      dependencies?: object;
    };
    for (const dependency of Object.keys(dependencies))
      if (dependency.startsWith("@open-cattle/")) needed.add(dependency.slice("@open-cattle/".length));
  }
  return needed;
}
