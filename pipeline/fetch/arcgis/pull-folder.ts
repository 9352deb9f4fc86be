import {createHash} from "node:crypto";
import {mkdir, readdir, rename, rm} from "node:fs/promises";
import {join} from "node:path";
import {promisify} from "node:util";
import {gzip} from "node:zlib";
import type {LayerPage} from "@open-cattle/arcgis-layers";
import {readForeignJson, syncFolder, writeWhole} from "@open-cattle/safe-files";
import {ArcgisPull, type PullPage} from "../../../schemas/layer-pull.ts";
import {
  datedByMistake,
  instantOfStamp,
  isFuture,
  justBefore,
  replaceJson,
  stampOf,
} from "../snapshots/snapshot-folder.ts";

const pack = promisify(gzip);
const recordName = "pull.json";
const finishedName = /^pull-\d{8}T\d{6}Z$/;
const unfinishedName = /^\.pull-\d{8}T\d{6}Z$/;

/** The folder of a pull. Its name starts with a dot until the pull is finished, so that no build reads half of it. */
export class PullFolder {
  readonly #parent: string;
  readonly #name: string;

  private constructor(parent: string, name: string) {
    this.#parent = parent;
    this.#name = name;
  }

  /** Creates a new folder. */
  static async begin(parent: string, startedAt: Date): Promise<PullFolder> {
    const folder = new PullFolder(parent, `.pull-${stampOf(startedAt)}`);
    await mkdir(folder.#dir, {recursive: true});
    return folder;
  }

  /** Returns the newest pull that a run left unfinished, or null; removes those with an unreadable record. */
  static async newestUnfinished(parent: string): Promise<{folder: PullFolder; pull: ArcgisPull} | null> {
    for (const name of await namesIn(parent, unfinishedName)) {
      const folder = new PullFolder(parent, name);
      const pull = await readRecord(folder.#dir);
      if (pull !== null) return {folder, pull};
      await folder.remove();
    }
    return null;
  }

  /** Returns the newest finished pull that is complete, or null. Times of complete pulls are set right first. */
  static async newestComplete(
    parent: string,
    now: Date,
  ): Promise<{folder: PullFolder; pull: ArcgisPull} | null> {
    const complete = [];
    for (const name of await namesIn(parent, finishedName)) {
      const folder = new PullFolder(parent, name);
      const record = await readRecord(folder.#dir);
      const stamp = name.slice("pull-".length);
      if (record?.complete === true) complete.push({folder, record, stamp, time: record.started_at});
    }
    const past = complete.filter(({stamp}) => !isFuture(instantOfStamp(stamp), now));
    const mistaken = new Set(datedByMistake(past));
    let newest: {folder: PullFolder; pull: ArcgisPull} | null = null;
    for (const each of complete.toReversed()) {
      const {folder, record} = each;
      const pull = mistaken.has(each)
        ? datedAsNamed(record, instantOfStamp(each.stamp))
        : withoutFuture(record, now);
      if (pull !== record) await folder.save(pull);
      if (newest === null || pull.started_at >= newest.pull.started_at) newest = {folder, pull};
    }
    return newest;
  }

  /** Writes a page, gzipped but otherwise as received. Replaces a page with the same number from a killed run. */
  async addPage(
    number: number,
    page: LayerPage,
    format: ArcgisPull["layer"]["query_format"],
  ): Promise<PullPage> {
    const file = `page-${String(number).padStart(6, "0")}.${format}.gz`;
    const gzipped = await pack(page.bytes);
    await writeWhole(join(this.#dir, file), gzipped, {replaces: true});
    const sha256 = createHash("sha256").update(gzipped).digest("hex");
    return {
      file,
      rows: page.rows,
      sha256,
      bytes: gzipped.length,
      first_id: page.firstId,
      last_id: page.lastId,
    };
  }

  /** Writes the pull's record, from which a killed run can resume. */
  async save(pull: ArcgisPull): Promise<void> {
    await syncFolder(this.#dir);
    await replaceJson(join(this.#dir, recordName), pull);
  }

  /** Makes the folder visible to builds. */
  async finish(): Promise<void> {
    const record = await readRecord(this.#dir);
    const files = new Set([recordName, ...(record?.pages ?? []).map(({file}) => file)]);
    for (const name of await readdir(this.#dir)) if (!files.has(name)) await rm(join(this.#dir, name));
    await rename(this.#dir, join(this.#parent, this.#name.slice(1)));
    await syncFolder(this.#parent);
  }

  async remove(): Promise<void> {
    await rm(this.#dir, {recursive: true, force: true});
  }

  get #dir(): string {
    return join(this.#parent, this.#name);
  }
}

/** The record of a pull as its times are believed: one in the future becomes that just before this run. */
function withoutFuture(pull: ArcgisPull, now: Date): ArcgisPull {
  const {started_at: started, finished_at: finished, verified_at: verified} = pull;
  const isAhead = (instant: string | null) => instant !== null && isFuture(instant, now);
  if (![started, finished, verified].some(isAhead)) return pull;
  const at = justBefore(now);
  return {
    ...pull,
    started_at: isAhead(started) ? at : started,
    ...(isAhead(finished) ? {finished_at: at, assumed: true as const} : {}),
    verified_at: isAhead(verified) ? null : verified,
  };
}

/** The record of a pull that a clock that was behind has dated, with the time of its folder's name; when it was verified is lost. */
function datedAsNamed({assumed: _, ...pull}: ArcgisPull, at: string): ArcgisPull {
  return {...pull, started_at: at, finished_at: at, verified_at: null};
}

async function namesIn(dir: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => pattern.test(name)).sort((a, b) => (a < b ? 1 : -1));
}

function readRecord(dir: string): Promise<ArcgisPull | null> {
  return readForeignJson(join(dir, recordName), ArcgisPull);
}
