import {spawnSync} from "node:child_process";
import {cpSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {temporaryFolder} from "../temporary-folder.ts";

export type Ran = {readonly code: number; readonly out: string};

/** A data folder as `deploy/` sets it up, and a shell in which a page of the runbook is run on it. */
export type Machine = {
  readonly data: DataFolder;
  /** The folder of archives. */
  readonly backups: string;
  /** Lines of the calls of `systemctl`, which does nothing here. */
  calls(): string[];
  /** Runs lines of a page; names of the page stand for those of this machine. */
  shell(lines: string, names?: Readonly<Record<string, string>>): Ran;
  /** Runs the command line alone. */
  cattle(...words: string[]): Ran;
};

const node = join(packageRoot, "node_modules/.bin/node");
const cattle = join(packageRoot, "bin/cattle.js");

/** Commands of a machine with systemd that a test has not; what they would print comes from files. */
const stubs = `
set -o pipefail
cattle() { "${node}" "${cattle}" "$@"; }
npx() { shift; cattle "$@"; }
sudo() { if [ "$1" = -u ]; then shift 2; fi; "$@"; }
systemd-tmpfiles() { :; }
systemctl() { echo "$*" >> "$CALLS"; echo 0; }
journalctl() { cat "$LOG"; }
dmesg() { :; }
`;

/** Gives a machine with a copy of a data folder; no server runs on it. */
export function machineWith(from: string): Machine {
  const root = join(temporaryFolder(), "cattle");
  cpSync(from, root, {recursive: true, verbatimSymlinks: true, preserveTimestamps: true});
  const place = temporaryFolder();
  const [log, calls] = [join(place, "log"), join(place, "calls")];
  const backups = join(place, "backups");
  mkdirSync(backups);
  for (const path of [log, calls]) writeFileSync(path, "");
  const environment = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CATTLE_"))),
    CATTLE_DATA: root,
    CATTLE_METRICS_PORT: "0",
    SOURCE_DATE_EPOCH: String(Date.parse("2026-11-21T06:00:00Z") / 1000),
    LOG: log,
    CALLS: calls,
  };
  const shell = (lines: string, names: Readonly<Record<string, string>> = {}): Ran => {
    let script = lines.replaceAll("/var/lib/cattle", root).replaceAll("/var/backups/cattle", backups);
    for (const [name, value] of Object.entries(names)) script = script.replaceAll(name, value);
    const done = spawnSync("bash", ["-c", `${stubs}\n${script}`], {
      cwd: place,
      env: environment,
      encoding: "utf8",
      timeout: 300_000,
    });
    return {code: done.status ?? -1, out: done.stdout + done.stderr};
  };
  return {
    data: dataFolder(root),
    backups,
    calls: () =>
      readFileSync(calls, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    shell,
    cattle: (...words) => shell(`cattle ${words.map((word) => `'${word}'`).join(" ")}`),
  };
}

/** The shell blocks of a page below **Check.** and **Action.**; commands that stand in backticks within a sentence are not among them. */
export function blocksOf(page: string): {check: string[]; action: string[]} {
  const text = readFileSync(join(packageRoot, "docs/runbook", page), "utf8");
  const part = (name: string) =>
    [...(text.split(`**${name}.**`)[1] ?? "").split("\n**")[0]!.matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, block]) => block!,
    );
  return {check: part("Check"), action: part("Action")};
}
