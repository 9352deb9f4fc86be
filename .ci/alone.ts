/** Copies each package of `packages/` into an empty folder and runs its tests there, so that nothing of the house holds it up. */
import {execFileSync} from "node:child_process";
import {cpSync, mkdtempSync, readdirSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const packages = join(import.meta.dirname, "../packages");

for (const name of readdirSync(packages)) {
  const alone = mkdtempSync(join(tmpdir(), `cattle-${name}-`));
  try {
    cpSync(join(packages, name), alone, {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
    const npm = (...args: string[]) => execFileSync("npm", args, {cwd: alone, stdio: "inherit"});
    npm("install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
    npm("test", "--silent");
    process.stdout.write(`alone: ${name} passes its tests\n`);
  } finally {
    rmSync(alone, {recursive: true, force: true});
  }
}
