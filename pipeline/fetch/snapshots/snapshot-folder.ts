import {mkdir, readdir, readFile, rename, rm, stat} from "node:fs/promises";
import {basename, join} from "node:path";
import {readForeignJson, syncFolder, writeWhole} from "@open-cattle/safe-files";
import {RawMeta} from "../../../schemas/raw-meta.ts";

/** A fetched file, with its meta. */
export type Snapshot = {readonly path: string; readonly meta: RawMeta};

type StampedFile = {readonly name: string; readonly stamp: string};

const metaSuffix = ".meta.json";
const snapshotName = /^(.+)_(\d{8}T\d{6}Z)\.[a-z0-9]+(\.gz)?$/;

/** Clocks of two machines differ by less, and so does a name whose second was taken from its instant. */
const skewMs = 3_600_000;

/** True for an instant in the future: a wrong clock wrote it, and nothing is concluded from it. */
export function isFuture(instant: string, now: Date): boolean {
  return Date.parse(instant) > now.getTime() + skewMs;
}

/** The second before a run, which is the assumed time of what the run finds dated in the future: what it stores itself is newer. */
export function justBefore(now: Date): string {
  return `${new Date(now.getTime() - 1000).toISOString().slice(0, 19)}Z`;
}

/** A file or pull by the stamp of its name, which is that of its fetch, with the time that its record states. */
type Dated = {readonly stamp: string; readonly time: string};

/** True if the stated time is before that of the name: some run found it dated in the future. */
function isRedated({stamp, time}: Dated): boolean {
  return stamp > stampOf(new Date(Date.parse(time) + skewMs));
}

/** A clock that is ahead is so for some nights, whose files are all that are dated in the future; to one that is behind, the files of weeks are. */
const aheadMs = 3 * 24 * 3_600_000;

/**
 * Those of a folder to which a run with a clock that was behind gave its own time, by mistake: all that are newer than its clock. Where few were
 * and later runs stored others since, that clock was right, and the one of the names was ahead. Takes what is not in the future.
 */
export function datedByMistake<T extends Dated>(dated: readonly T[]): T[] {
  const sorted = dated.toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1));
  const newest = sorted.at(-1);
  if (newest === undefined || !isRedated(newest)) return [];
  const later = sorted.filter((each) => isRedated({...each, time: newest.time}));
  const redated = later.filter(isRedated);
  const [oldestMs, newestMs] = [redated[0]!, newest].map(({stamp}) => Date.parse(instantOfStamp(stamp)));
  return redated.length === later.length || newestMs! - oldestMs! > aheadMs ? redated : [];
}

/** When a file last equalled the publisher's; null without a file, and where a wrong clock hides it. */
export function lastChecked(snapshot: Snapshot | null): string | null {
  if (snapshot === null) return null;
  const {verified_at, retrieved_at, assumed} = snapshot.meta;
  return verified_at ?? (assumed === true ? null : retrieved_at);
}

/**
 * The folder of a source in the raw folder. Files are named `<name>_<instant>.<extension>`, each with a meta file. Unfinished downloads
 * have names with a leading dot, which no build reads (`docs/design/fetching.md` section 1, rule 4).
 */
export class SnapshotFolder {
  readonly dir: string;
  readonly #now: Date;
  readonly #newest = new Map<string, string>();

  private constructor(dir: string, now: Date) {
    this.dir = dir;
    this.#now = now;
  }

  /**
   * Opens the folder, creating it if absent, and removes what a killed run left half done. Files of the future get an assumed
   * time, just before this run: a later file is then newer, and builds read them. If it was the clock of that run that was wrong, a later run
   * gives them the times of their names again.
   */
  static async open(dir: string, now: Date): Promise<SnapshotFolder> {
    await mkdir(dir, {recursive: true});
    const folder = new SnapshotFolder(dir, now);
    const names = (await readdir(dir)).sort();
    const there = new Set(names);
    const stamps = new Map<string, string>();
    const past: StampedFile[] = [];
    for (const name of names) {
      const body = name.endsWith(metaSuffix) ? name.slice(0, -metaSuffix.length) : null;
      const [, snapshotId, nameStamp = ""] = snapshotName.exec(body ?? name) ?? [];
      // The meta file is written before its file, so that no file is ever without one.
      if (body !== null && snapshotId !== undefined && !there.has(body)) await rm(join(dir, name));
      else if (body === null && snapshotId !== undefined) {
        const isOfFuture = isFuture(instantOfStamp(nameStamp), now);
        if (!isOfFuture) past.push({name, stamp: nameStamp});
        const stamp = isOfFuture ? await folder.#stampOfRedated(name) : nameStamp;
        if (stamp < (stamps.get(snapshotId) ?? "")) continue;
        stamps.set(snapshotId, stamp);
        folder.#newest.set(snapshotId, name);
      } else if (/^\..*\.meta\.part$/.test(name)) await rm(join(dir, name));
    }
    await folder.#restoreTimes(past);
    return folder;
  }

  /** Returns the names of which there are files. */
  names(): string[] {
    return [...this.#newest.keys()];
  }

  /** Returns the newest file of a name with its meta; null if there is none or its meta is unreadable. */
  async newest(name: string): Promise<Snapshot | null> {
    const file = this.#newest.get(name);
    if (file === undefined) return null;
    const path = join(this.dir, file);
    const meta = await readForeignJson(path + metaSuffix, RawMeta);
    if (meta?.verified_at === undefined || !isFuture(meta.verified_at, this.#now))
      return meta === null ? null : {path, meta};
    const {verified_at: _, ...rest} = meta;
    return {path, meta: rest};
  }

  /** Returns the digests of all files whose names start with a text. */
  async digestsOf(prefix: string): Promise<Set<string>> {
    const names = (await readdir(this.dir)).filter(
      (name) => name.startsWith(prefix) && name.endsWith(metaSuffix),
    );
    const metas = await Promise.all(names.map((name) => readForeignJson(join(this.dir, name), RawMeta)));
    return new Set(metas.flatMap((meta) => meta?.sha256 ?? []));
  }

  /** Reads the text of a file. */
  text({path}: Snapshot): Promise<string> {
    return readFile(path, "utf8");
  }

  /** Returns the path where the body of a name is collected. */
  partOf(name: string): string {
    return join(this.dir, `.${name}.part`);
  }

  /** Moves a checked and synced part into place, after its meta. If the second is taken, the next free one is used. */
  async place(
    part: string,
    {name, extension, meta}: {name: string; extension: string; meta: RawMeta},
  ): Promise<Snapshot> {
    const path = await this.#freePath(name, extension, new Date(meta.retrieved_at));
    await this.#writeMeta(path, meta);
    await rename(part, path);
    await syncFolder(this.dir);
    const before = this.#newest.get(name);
    this.#newest.set(name, basename(path));
    // Hidden files are no build input, so only the newest is kept.
    if (name.startsWith(".") && before !== undefined) {
      await rm(join(this.dir, before));
      await rm(join(this.dir, before + metaSuffix), {force: true});
    }
    return {path, meta};
  }

  /** Records that a re-check found the same bytes, which dates a file of unknown time; the file itself stays unchanged. */
  async noteVerified(
    {path, meta: {assumed, ...meta}}: Snapshot,
    at: string,
    facts: Pick<RawMeta, "etag" | "last_modified" | "source_files"> = {},
  ): Promise<void> {
    const dated = assumed === true ? {retrieved_at: at} : {};
    await this.#writeMeta(path, {...meta, ...facts, ...dated, verified_at: at});
  }

  /** Gives a file whose name is of the future an assumed time, unless an earlier run has done so; returns the stamp of its time. */
  async #stampOfRedated(name: string): Promise<string> {
    const path = join(this.dir, name);
    const meta = await readForeignJson(path + metaSuffix, RawMeta);
    if (meta === null) return "";
    if (!isFuture(meta.retrieved_at, this.#now)) return stampOf(new Date(meta.retrieved_at));
    const {verified_at: _, ...rest} = meta;
    const retrieved_at = justBefore(this.#now);
    await this.#writeMeta(path, {...rest, retrieved_at, assumed: true});
    return stampOf(new Date(retrieved_at));
  }

  /** Gives files that were dated by mistake the times of their names. The newest file tells whether there are any, and is written last. */
  async #restoreTimes(files: readonly StampedFile[]): Promise<void> {
    const sorted = files.toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1));
    const newest = await this.#datedFiles(sorted.slice(-1));
    if (datedByMistake(newest).length === 0) return;
    for (const {name, stamp, meta} of datedByMistake(await this.#datedFiles(sorted))) {
      const {assumed: _, verified_at: __, ...rest} = meta;
      await this.#writeMeta(join(this.dir, name), {...rest, retrieved_at: instantOfStamp(stamp)});
    }
  }

  async #datedFiles(files: readonly StampedFile[]): Promise<(StampedFile & Dated & {meta: RawMeta})[]> {
    const metas = await Promise.all(
      files.map(({name}) => readForeignJson(join(this.dir, name + metaSuffix), RawMeta)),
    );
    return files.flatMap((file, i) => {
      const meta = metas[i];
      return meta == null ? [] : [{...file, meta, time: meta.retrieved_at}];
    });
  }

  async #freePath(name: string, extension: string, at: Date): Promise<string> {
    for (let ms = at.getTime(); ; ms += 1000) {
      const path = join(this.dir, `${name}_${stampOf(new Date(ms))}.${extension}`);
      if ((await stat(path).catch(() => null)) === null) return path;
    }
  }

  async #writeMeta(path: string, meta: RawMeta): Promise<void> {
    await replaceJson(path + metaSuffix, meta);
  }
}

/** Replaces a file with a value as JSON. */
export async function replaceJson(path: string, value: unknown): Promise<void> {
  await writeWhole(path, `${JSON.stringify(value, null, 1)}\n`, {replaces: true});
}

/** Formats an instant for file names. */
export function stampOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** The instant of which a stamp is. */
export function instantOfStamp(stamp: string): string {
  return stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z");
}
