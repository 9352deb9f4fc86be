import {mkdir, readdir} from "node:fs/promises";
import {join} from "node:path";
import {readForeignJson} from "../../lib/storage/foreign-file.ts";
import {FetchPace, FetchState, type FetchStatus} from "../../schemas/fetch-state.ts";
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

/** The end of one source in a run. */
export type Outcome = {
  readonly source: string;
  readonly status: FetchStatus;
  /** The reason of a partial, failed or absent answer; null for a whole one. */
  readonly reason: string | null;
  /** What a person should know beside it, such as reports that were left out. */
  readonly notes: readonly string[];
  readonly files: number;
  readonly unchanged: number;
  readonly requests: number;
  readonly seconds: number;
  /** Bytes that came, unpacked. */
  readonly bytes: number;
};

/** The last runs of the sources, `<raw>/.fetch/<source id>.json`: what decides which of them are due. */
export class FetchStates {
  readonly #dir: string;

  constructor(rawDir: string) {
    this.#dir = join(rawDir, ".fetch");
  }

  /** Gives the last run of each source that was asked; a file that cannot be read counts as absent, and its source as due. */
  async all(): Promise<Map<string, FetchState>> {
    const names = await readdir(this.#dir).catch(() => []);
    const found = new Map<string, FetchState>();
    for (const name of names.filter((each) => each.endsWith(".json"))) {
      const state = await readForeignJson(join(this.#dir, name), FetchState);
      if (state !== null) found.set(state.source, state);
    }
    return found;
  }

  /** Notes a run. */
  async note(state: FetchState): Promise<void> {
    await mkdir(this.#dir, {recursive: true});
    const path = join(this.#dir, `${state.source}.json`);
    await replaceJson(path, state);
  }
}

/** Gives the exit code of a run: 3 when a source was partial or failed, else 0. */
export function exitCodeOf(outcomes: readonly Pick<Outcome, "status">[]): number {
  return outcomes.some(({status}) => ["partial", "failed", "not reached"].includes(status)) ? 3 : 0;
}
