import {randomBytes} from "node:crypto";
import {mkdirSync, renameSync, rmSync, writeFileSync} from "node:fs";
import {readdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {Lease} from "../../schemas/lease.ts";
import type {DataFolder} from "../storage/data-folder.ts";
import {isProvenDead, ownIdentity} from "./process-identity.ts";

const SUFFIX = ".lease.json";

/** The lease of this process: a file in `run/` that names the build that it serves. */
type HeldLease = {
  /** Names another build. Throws when `run/` cannot be written. */
  moveTo(buildId: string): void;
  /** Removes the lease; one that is already gone is no fault. */
  release(): void;
};

/** A lease of this process, whose file appears when it first names a build. */
export function holdLease({run}: DataFolder): HeldLease {
  const path = join(run, `${process.pid}-${randomBytes(4).toString("hex")}${SUFFIX}`);
  return {
    moveTo(buildId) {
      const lease: Lease = {build_id: buildId, process: ownIdentity()};
      mkdirSync(run, {recursive: true, mode: 0o700});
      writeFileSync(`${path}.new`, `${JSON.stringify(lease)}\n`, {mode: 0o600});
      renameSync(`${path}.new`, path);
    },
    release: () => rmSync(path, {force: true}),
  };
}

/**
 * The builds that servers may have open: those of all leases whose process is not proven dead. Throws for an unreadable
 * lease.
 */
export async function leasedBuilds({run}: DataFolder): Promise<Set<string>> {
  const names = await readdir(run).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const builds = new Set<string>();
  for (const name of names.filter((each) => each.endsWith(SUFFIX))) {
    const lease = Lease.parse(JSON.parse(await readFile(join(run, name), "utf8")));
    if (!isProvenDead(lease.process)) builds.add(lease.build_id);
  }
  return builds;
}
