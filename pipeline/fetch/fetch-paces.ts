import {mkdir, readdir} from "node:fs/promises";
import {join} from "node:path";
import {readForeignJson} from "../../lib/storage/foreign-file.ts";
import {FetchPace} from "../../schemas/fetch-pace.ts";
import {replaceJson} from "./snapshots/snapshot-folder.ts";

/** What was measured of each source, `<raw>/.fetch/paces/<source id>.json`: requests, seconds, rows and bytes for the next plan. */
export class FetchPaces {
  readonly #dir: string;

  constructor(rawDir: string) {
    this.#dir = join(rawDir, ".fetch/paces");
  }

  /** Gives what is known by source; a file that cannot be read counts as absent. */
  async all(): Promise<Map<string, FetchPace>> {
    const names = await readdir(this.#dir).catch(() => []);
    const ids = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
    const paces = await Promise.all(ids.map((id) => this.#of(id)));
    return new Map(paces.filter((pace) => pace !== null).map((pace) => [pace.source, pace]));
  }

  /** Notes what was measured; facts that this measurement has not stay those of the one before. */
  async note(pace: FetchPace): Promise<void> {
    await mkdir(this.#dir, {recursive: true});
    const before = await this.#of(pace.source);
    const {bytes, rows, page_rows, bytes_per_row} = pace;
    await replaceJson(join(this.#dir, `${pace.source}.json`), {
      ...pace,
      bytes: bytes ?? before?.bytes ?? null,
      rows: rows ?? before?.rows ?? null,
      page_rows: page_rows ?? before?.page_rows ?? null,
      bytes_per_row: bytes_per_row ?? before?.bytes_per_row ?? null,
    });
  }

  #of(id: string): Promise<FetchPace | null> {
    return readForeignJson(join(this.#dir, `${id}.json`), FetchPace);
  }
}
