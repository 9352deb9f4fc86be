import {access, constants, open, readdir, stat} from "node:fs/promises";
import {join} from "node:path";
import {mappingMode} from "@open-cattle/mapped-index";
import type {Command} from "commander";
import {countWithNoun} from "../../lib/counts.ts";
import {clockFault} from "../../lib/dates.ts";
import {listSegments, nonFileEntries} from "../../lib/delta/delta-folder.ts";
import {messageOf} from "../../lib/errors.ts";
import {readKeys} from "../../lib/keys/api-keys.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {loadParcelSources, loadWaves} from "../../lib/registry/parcel-sources.ts";
import {buildFolder, currentBuildId, type DataFolder, retainedBuilds} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import {loadMarketSources} from "../market/reference/market-sources.ts";
import {readDeltaInputs} from "../parts/delta-inputs.ts";
import {checkFileSystem, freeBytes} from "../parts/preflight.ts";
import {chosenData, print, printJson} from "./command-line.ts";
import {leaseState, lockState, publishedId, type RunState, unsoundFiles} from "./run-check.ts";

const minFreeBytes = 2 ** 30;

type Check = {name: string; run: () => Promise<string> | string};
type Finding = {check: string; ok: boolean; found: string};

/** Adds `doctor`, which checks the program's requirements and names those not met. */
export function doctorCommand(cattle: Command): void {
  cattle
    .command("doctor")
    .description(
      "check file system, memory mapping, permissions, disk space, clock, registry, configuration, current, lock and leases",
    )
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--json", "as JSON")
    .action(async (flags: {out?: string; json?: boolean}) => {
      const findings: Finding[] = [];
      for (const check of checks(chosenData(flags.out))) findings.push(await finding(check));
      if (flags.json) printJson(findings);
      else for (const {check, ok, found} of findings) print(`${ok ? "ok  " : "FAIL"}  ${check}: ${found}`);
      process.exitCode = findings.every(({ok}) => ok) ? 0 : 1;
    });
}

async function finding({name, run}: Check): Promise<Finding> {
  try {
    return {check: name, ok: true, found: await run()};
  } catch (error) {
    return {check: name, ok: false, found: messageOf(error)};
  }
}

function checks(data: DataFolder): Check[] {
  return [
    {name: "node", run: () => process.versions.node},
    {name: "settings", run: () => `${Object.keys(readSettings()).length} read`},
    {name: "memory mapping", run: () => mappingMode},
    {
      name: "registry",
      run: () =>
        `${loadMarketSources().length} market sources, ${loadParcelSources().length} parcel sources, ${loadWaves().length} states`,
    },
    {
      name: "file system",
      run: async () => {
        await checkFileSystem(data, readSettings().CATTLE_ALLOW_NETWORK_FS);
        await access(data.root, constants.W_OK);
        return `${data.root} is local, writable and has hard links`;
      },
    },
    {name: "rights", run: () => readable(data)},
    {name: "free space", run: () => freeSpace(data)},
    {name: "published build", run: () => publishedBuild(data)},
    {name: "clock", run: () => clock(data)},
    {name: "delta", run: () => deltaRights(data)},
    {name: "discoveries from the future", run: () => discoveriesFromTheFuture(data)},
    {name: "keys", run: () => keyFile(data)},
    {name: "build lock", run: async () => soundOrThrow(await lockState(data))},
    {name: "leases", run: async () => soundOrThrow(await leaseState(data))},
  ];
}

/** Names what this user cannot read, such as a command that ran as root leaves. */
async function readable({root, builds, run, delta, metrics}: DataFolder): Promise<string> {
  const inside = async (folder: string) =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const folders = [builds, run, delta, metrics];
  const paths = [...folders, join(root, "keys.json"), ...(await Promise.all(folders.map(inside))).flat()];
  for (const path of paths) {
    try {
      await (await open(path, constants.O_RDONLY | constants.O_NONBLOCK)).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES") continue;
      const [{uid}, {uid: owner}] = await Promise.all([stat(path), stat(root)]);
      throw new Error(
        `${path} is of user ${uid} and cannot be read, as after a command that ran as root: chown -R -h ${owner} ${root}`,
      );
    }
  }
  return `user ${process.getuid?.()} reads builds, keys, segments and leases`;
}

async function freeSpace({root}: DataFolder): Promise<string> {
  const free = await freeBytes(root);
  const gib = free / 2 ** 30;
  if (free < minFreeBytes) throw new Error(`${gib.toFixed(1)} GiB free, at least 1 is needed`);
  return `${gib.toFixed(1)} GiB`;
}

async function publishedBuild(data: DataFolder): Promise<string> {
  if ((await retainedBuilds(data)).length === 0 && (await currentBuildId(data)) === null) return "none yet";
  const buildId = await publishedId(data);
  const {built_at} = await readManifest(buildFolder(data, buildId));
  const unsound = await unsoundFiles(data, buildId);
  if (unsound.length > 0) throw new Error(`${buildId}: ${unsound.join("; ")}`);
  return `${buildId}, built ${built_at}`;
}

/** Checks the clock, because a server stores no discoveries while its clock cannot be right. */
async function clock(data: DataFolder): Promise<string> {
  const now = new Date();
  const buildId = await currentBuildId(data);
  if (buildId === null) return now.toISOString();
  const fault = clockFault((await readManifest(buildFolder(data, buildId))).built_at, now);
  if (fault !== null) throw new Error(`${fault}: servers store no discoveries until it is right`);
  return now.toISOString();
}

async function keyFile({root}: DataFolder): Promise<string> {
  const path = join(root, "keys.json");
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found === null) return "none yet";
  const keys = readKeys(path).length;
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  if ((found.mode & 0o077) !== 0)
    throw new Error(`${path} has mode ${mode}, so that others read it: chmod 600 it`);
  return `${path}, mode ${mode}, ${countWithNoun(keys, "key")}`;
}

async function deltaRights({delta}: DataFolder): Promise<string> {
  const names = await listSegments(delta);
  const {R_OK, W_OK, X_OK} = constants;
  await access(delta, R_OK | W_OK | X_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  const [strange] = await nonFileEntries(delta);
  if (strange !== undefined) throw new Error(`${strange.path}: ${strange.fault}; remove it`);
  return countWithNoun(names.length, "segment");
}

/** Counts discoveries made under a clock that was ahead; builds reject them. */
async function discoveriesFromTheFuture({delta}: DataFolder): Promise<string> {
  const {counts} = await readDeltaInputs([delta], null);
  const count = counts.reduce((sum, {fromTheFuture}) => sum + fromTheFuture, 0);
  if (count === 0) return "none";
  throw new Error(
    `${count} discoveries are dated after today and are rejected: check the clocks of the servers`,
  );
}

function soundOrThrow({fault, found}: RunState): string {
  if (fault) throw new Error(found);
  return found;
}
