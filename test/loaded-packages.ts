import {writeFileSync} from "node:fs";

/** Writes a module that, loaded with `--import`, adds the name of each package that the process loads to the file `loaded`, a line each. */
export function writePackageHook(path: string, loaded: string): void {
  writeFileSync(
    path,
    `import {appendFileSync} from "node:fs"; import {registerHooks} from "node:module";
     const seen = new Set();
     registerHooks({load(url, context, next) {
       const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
       if (name !== undefined && !seen.has(name)) { seen.add(name); appendFileSync(${JSON.stringify(loaded)}, name + "\\n"); }
       return next(url, context);
     }});`,
  );
}
