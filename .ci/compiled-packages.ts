/**
 * Puts the compiled `packages/` where the compiled house finds them by name, in `dist/node_modules`, each with its data, README and doors.
 * `npm pack` runs it behind the compiler.
 */
import {cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const root = join(import.meta.dirname, "..");
const compiled = join(root, "dist/packages");
const installed = join(root, "dist/node_modules");

for (const name of readdirSync(compiled)) {
  const source = join(root, "packages", name);
  const {
    name: ownName,
    version,
    license,
    type,
    engines,
    exports: doors,
  } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const target = join(installed, ownName);
  cpSync(join(compiled, name, "src"), join(target, "src"), {recursive: true});
  // The compiler leaves out some of the data that the sources import, now and then.
  if (existsSync(join(source, "data"))) cpSync(join(source, "data"), join(target, "data"), {recursive: true});
  cpSync(join(source, "README.md"), join(target, "README.md"));
  const manifest = {name: ownName, version, license, type, engines, exports: compiledDoors(doors)};
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
rmSync(compiled, {recursive: true});

/** The door, or doors by name, of compiled sources. */
function compiledDoors(doors: string | Record<string, string>): typeof doors {
  return JSON.parse(JSON.stringify(doors).replaceAll(/\.ts"/g, '.js"'));
}
