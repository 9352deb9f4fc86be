import {mkdir, readdir, readFile, rename, rm, stat} from "node:fs/promises";
import {basename, join} from "node:path";
import {readForeignJson, syncFolder, writeWhole} from "@open-cattle/safe-files";
import {RawMeta} from "../../../schemas/raw-meta.ts";

/** A fetched file, with its meta. */
export type Snapshot = {readonly path: string; readonly meta: RawMeta};

const metaSuffix = ".meta.json";
const snapshotName = /^(.+)_\d{8}T\d{6}Z\.[a-z0-9]+(\.gz)?$/;

/**
 * The folder of a source in the raw folder. Files are named `<name>_<instant>.<extension>`, each with a meta file. Unfinished downloads
 * have names with a leading dot, which no build reads (`docs/design/fetching.md` section 1, rule 4).
 */
export class SnapshotFolder {
  readonly dir: string;
  readonly #newest = new Map<string, string>();

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** Opens the folder, creating it if absent, and removes what a killed run left half done. */
  static async open(dir: string): Promise<SnapshotFolder> {
    await mkdir(dir, {recursive: true});
    const folder = new SnapshotFolder(dir);
    const names = (await readdir(dir)).sort();
    const there = new Set(names);
    for (const name of names) {
      const body = name.endsWith(metaSuffix) ? name.slice(0, -metaSuffix.length) : null;
      const snapshotId = snapshotName.exec(body ?? name)?.[1];
      // The meta file is written before its file, so that no file is ever without one.
      if (body !== null && snapshotId !== undefined && !there.has(body)) await rm(join(dir, name));
      else if (body === null && snapshotId !== undefined) folder.#newest.set(snapshotId, name);
      else if (/^\..*\.meta\.part$/.test(name)) await rm(join(dir, name));
    }
    return folder;
  }

  /** Returns the newest file of a name with its meta; null if there is none or its meta is unreadable. */
  async newest(name: string): Promise<Snapshot | null> {
    const file = this.#newest.get(name);
    if (file === undefined) return null;
    const path = join(this.dir, file);
    const meta = await readForeignJson(path + metaSuffix, RawMeta);
    return meta === null ? null : {path, meta};
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

  /** Records that a re-check found the same bytes; the file itself stays unchanged. */
  async noteVerified(
    {path, meta}: Snapshot,
    at: string,
    facts: Pick<RawMeta, "etag" | "last_modified"> = {},
  ): Promise<void> {
    await this.#writeMeta(path, {...meta, ...facts, verified_at: at});
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
