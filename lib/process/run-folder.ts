import {join} from "node:path";
import {
  holdLease as holdAny,
  type LockOptions,
  type Release,
  readLeases as readAny,
  sweepLeases,
  takeLock,
} from "@open-cattle/safe-files";
import {Lease} from "../../schemas/lease.ts";
import type {DataFolder} from "../storage/data-folder.ts";

type RunFolder = Pick<DataFolder, "run">;

/** The lease of this process: a file in `run/` that names the build it serves. */
export type HeldLease = ReturnType<typeof holdAny<Lease>>;

/** The leases of a data folder. */
type Leases = Omit<Awaited<ReturnType<typeof readAny>>, "held"> & {
  /** Builds that servers may have open: those of all leases except where the process is proven dead. */
  readonly builds: ReadonlySet<string>;
  /** Damaged files that servers found while serving: paths below the data folder, sorted. */
  readonly damaged: readonly string[];
};

/**
 * Takes `run/build.lock`, so that only one build works on a data folder, and returns the function that releases it
 * (`docs/design/reliability.md` section 2.1). Throws as `takeLock` does.
 */
export function lockBuild(data: RunFolder, options?: LockOptions): Promise<Release> {
  return takeLock(buildLock(data), options);
}

export function buildLock({run}: RunFolder): string {
  return join(run, "build.lock");
}

/** Takes `run/<what>.lock` in the same way, so that one process at a time does this work. */
export function lockRun({run}: RunFolder, what: "fetch" | "nightly" | "keys"): Promise<Release> {
  return takeLock(join(run, `${what}.lock`));
}

/** A lease of this process; its file is created when it first names a build. */
export function holdLease({run}: RunFolder): HeldLease {
  return holdAny(run);
}

/** Reads all leases. A damaged or unreadable one is reported, not thrown. */
export async function readLeases({run}: RunFolder, now?: number): Promise<Leases> {
  const {held, ...others} = await readAny(run, asLease, now);
  const damaged = new Set(held.flatMap((lease) => lease.damaged ?? []));
  return {...others, builds: new Set(held.map((lease) => lease.build_id)), damaged: [...damaged].sort()};
}

/** Removes the leases of dead servers and the temporary files of dead processes, and returns their names. */
export function sweepRun({run}: RunFolder, now?: number): Promise<string[]> {
  return sweepLeases(run, asLease, now);
}

function asLease(json: unknown): Lease | null {
  return Lease.safeParse(json).data ?? null;
}
