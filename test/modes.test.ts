import {spawnSync} from "node:child_process";
import {chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync} from "node:fs";
import {join} from "node:path";
import {filesBelow, setFolderMode} from "@open-cattle/safe-files";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {writeSample} from "../pipeline/sample/write-sample.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const asOf = "2026-11-21";

/** The modes of files and folders below a data folder, of each kind by its place. */
function modesOf(data: string, files: readonly string[]): Record<string, string[]> {
  const modes = new Map<string, Set<string>>();
  const folders = files.flatMap((path) =>
    path.split("/").flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join("/")])),
  );
  for (const path of ["", ...new Set(folders), ...files]) {
    const stats = lstatSync(join(data, path));
    const kind = stats.isDirectory() ? "folder" : "file";
    const place = path.split("/")[0] === "builds" && path.includes("/") ? "in builds" : path.split("/")[0]!;
    const key = `${place || "data"} ${kind}`;
    modes.set(key, (modes.get(key) ?? new Set()).add((stats.mode & 0o777).toString(8)));
  }
  return Object.fromEntries([...modes].map(([key, all]) => [key, [...all].sort()]));
}

test("whatever the umask is, what we keep has the modes that the deployment expects", async () => {
  const raw = join(temporaryFolder(), "raw");
  await writeSample(raw, asOf);
  rmSync(join(raw, "parcels"), {recursive: true, force: true});
  const seen = [];
  for (const umask of ["000", "022", "077", "777"]) {
    const root = temporaryFolder();
    mkdirSync(join(root, "home"));
    const data = join(root, "home", "data");
    const run = (...words: string[]) =>
      spawnSync("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, "bin/cattle.js", ...words], {
        cwd: packageRoot,
        encoding: "utf8",
        env: {...process.env, CATTLE_DATA: data},
      });
    const made = run("keys", "create", "--label", "test");
    expect([umask, made.status, made.stderr]).toEqual([umask, 0, ""]);
    const built = run("build", "--market", "--raw", raw, "--as-of", asOf);
    expect([umask, built.status, built.stderr]).toEqual([umask, 0, expect.anything()]);
    seen.push([umask, modesOf(data, await filesBelow(data))]);
  }
  const [, usual] = seen[1]!;
  expect(seen).toEqual(seen.map(([umask]) => [umask, usual]));
  expect(usual).toMatchObject({
    "data folder": ["750"],
    "builds folder": ["750"],
    "in builds folder": ["750"],
    "in builds file": ["440"],
    "keys.json file": ["600"],
    "run folder": ["700"],
  });
}, 300_000);

test.skipIf(process.getuid?.() !== 0)(
  "a build below a folder of another group with the set-group-ID bit belongs to that group as a whole",
  async () => {
    const [raw, data] = [join(temporaryFolder(), "raw"), temporaryFolder()];
    await writeSample(raw, asOf);
    rmSync(join(raw, "parcels"), {recursive: true, force: true});
    const analysts = 65_534;
    const builds = join(data, "builds");
    mkdirSync(builds);
    chownSync(builds, 0, analysts);
    chmodSync(builds, 0o2750);
    const words = ["build", "--market", "--raw", raw, "--as-of", asOf];
    const built = spawnSync(
      "sh",
      ["-c", `umask 077; exec "$0" "$@"`, process.execPath, "bin/cattle.js", ...words],
      {
        cwd: packageRoot,
        encoding: "utf8",
        env: {...process.env, CATTLE_DATA: data},
      },
    );
    expect([built.status, built.stderr]).toEqual([0, expect.anything()]);
    const paths = readdirSync(builds, {recursive: true, encoding: "utf8"});
    const kinds = paths.map((path) => {
      const {gid, mode} = lstatSync(join(builds, path));
      return `${gid} ${(mode & 0o7777).toString(8)}`;
    });
    expect([...new Set(kinds)].sort()).toEqual([`${analysts} 2750`, `${analysts} 440`]);
  },
  120_000,
);

test("a folder that has its mode is not touched, and another one keeps its set-group-ID bit", () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o2750);
  const {ctimeNs} = lstatSync(folder, {bigint: true});
  setFolderMode(folder, 0o750);
  expect(lstatSync(folder, {bigint: true}).ctimeNs).toBe(ctimeNs);
  setFolderMode(folder, 0o700);
  expect(lstatSync(folder).mode & 0o7777).toBe(0o2700);
});
