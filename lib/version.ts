import {readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "./paths.ts";

/** The version of this program, from `package.json`. */
export function programVersion(): string {
  const {version} = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {version: string};
  return version;
}
