import {stat} from "node:fs/promises";
import {join} from "node:path";
import {isTransient} from "@open-cattle/safe-files";
import {manifestFiles} from "../../lib/storage/manifest-file.ts";
import type {Log} from "../system/json-log.ts";
import type {Metrics} from "../system/metrics.ts";
import type {Generation} from "./generation.ts";

/** Reasons that are named at once; a folder that is gone would fill the readiness document. */
const MOST_NAMED = 20;

/** What tells one file from another under the same name; a mapping keeps the first one although the name leads to the second. */
type Identity = {readonly size: number; readonly inode: number; readonly modifiedMs: number};

/**
 * Notices files of the served build that were deleted, cut or replaced since it was opened (`docs/design/reliability.md` section 7). Answers
 * go on from the mapping, but the next start would fail, and a copy of the build is incomplete.
 */
export class FileSetWatch {
  readonly #options: {log: Log; metrics: Metrics};
  #build: {readonly generation: Generation; readonly folder: string} | null = null;
  #identities: Promise<ReadonlyMap<string, Identity>> = Promise.resolve(new Map());
  #faults = new Map<string, string>();

  constructor(options: {log: Log; metrics: Metrics}) {
    this.#options = options;
  }

  /** Watches the files of another build from now on. */
  follow(generation: Generation, folder: string): void {
    this.#build = {generation, folder};
    this.#faults = new Map();
    this.#identities = identitiesOf(generation, folder);
  }

  /** Compares names, sizes and identities with those at the opening. Never rejects; a transient failure leaves the last result. */
  async check(): Promise<void> {
    const build = this.#build;
    if (build === null) return;
    const [first, present] = await Promise.all([
      this.#identities,
      identitiesOf(build.generation, build.folder),
    ]);
    if (this.#build !== build) return;
    const faults = new Map<string, string>();
    for (const {path, size} of manifestFiles(build.generation.manifest)) {
      const fault = faultOf(present.get(path), first.get(path), size);
      if (fault !== null) faults.set(path, fault);
    }
    for (const [file, reason] of faults) {
      if (this.#faults.get(file) === reason) continue;
      this.#options.metrics.verifyFailed();
      this.#options.log.error({buildId: build.generation.buildId, file, reason}, "a served file was changed");
    }
    this.#faults = faults;
  }

  /** Returns `file_missing:<path>` or `file_changed:<path>` for each file, the paths below the build's folder. */
  reasons(): string[] {
    const named = [...this.#faults].map(([path, fault]) => `file_${fault}:${path}`).sort();
    const rest = named.length - MOST_NAMED;
    return rest > 0 ? [...named.slice(0, MOST_NAMED), `files_missing_or_changed:${rest}_more`] : named;
  }
}

/** The identity of each file of a build that can be looked at; a transient failure counts as no change. */
async function identitiesOf({manifest}: Generation, folder: string): Promise<ReadonlyMap<string, Identity>> {
  const identities = new Map<string, Identity>();
  for (const {path} of manifestFiles(manifest)) {
    try {
      const {size, ino: inode, mtimeMs: modifiedMs} = await stat(join(folder, path));
      identities.set(path, {size, inode, modifiedMs});
    } catch (error) {
      if (isTransient(error)) identities.set(path, unknown);
    }
  }
  return identities;
}

const unknown: Identity = {size: -1, inode: -1, modifiedMs: -1};

function faultOf(
  present: Identity | undefined,
  first: Identity | undefined,
  size: number,
): "missing" | "changed" | null {
  if (present === undefined) return "missing";
  if (present === unknown) return null;
  if (present.size !== size) return "changed";
  if (first === undefined || first === unknown) return null;
  return present.inode === first.inode && present.modifiedMs === first.modifiedMs ? null : "changed";
}
