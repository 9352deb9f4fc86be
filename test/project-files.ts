import {execFileSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../lib/paths.ts";

/** Gives the paths of the files that git has or would take, from the root of the repository. */
export function projectFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: packageRoot,
    encoding: "utf8",
  });
  return listed.split("\0").filter((file) => file !== "" && existsSync(join(packageRoot, file)));
}

/** Gives the text of a file of the project. */
export function projectText(file: string): string {
  return readFileSync(join(packageRoot, file), "utf8");
}
