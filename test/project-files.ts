import {execFileSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../lib/paths.ts";

/** Paths from the repository root of all files that git tracks or would add, sorted. */
export function projectFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: packageRoot,
    encoding: "utf8",
  });
  return listed
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(packageRoot, file)))
    .sort();
}

/** The text of a project file. */
export function projectText(file: string): string {
  return readFileSync(join(packageRoot, file), "utf8");
}
