/**
 * Puts the compiled `packages/` where the compiled house finds them by name, in `dist/node_modules`, each with its data, README and one door.
 * `npm pack` runs it behind the compiler.
 */
import {cpSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const root = join(import.meta.dirname, "..");
const compiled = join(root, "dist/packages");
const installed = join(root, "dist/node_modules");

for (const name of readdirSync(compiled)) {
  const source = join(root, "packages", name);
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as {
    name: string;
    exports: string;
    devDependencies: object;
    scripts: object;
  };
  const target = join(installed, manifest.name);
  cpSync(join(source, "README.md"), join(compiled, name, "README.md"));
  writeFileSync(
    join(compiled, name, "package.json"),
    `${JSON.stringify({...manifest, exports: manifest.exports.replace(/\.ts$/, ".js")}, null, 2)}\n`,
  );
  cpSync(join(compiled, name), target, {recursive: true});
}
rmSync(compiled, {recursive: true});
