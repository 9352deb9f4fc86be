import {mkdir, readdir} from "node:fs/promises";
import {join} from "node:path";
import type {z} from "zod";
import {readForeignJson} from "../../lib/storage/foreign-file.ts";
import {FetchPace, FetchState, type FetchStatus} from "../../schemas/fetch-state.ts";
import {replaceJson} from "./snapshots/snapshot-folder.ts";

/** Facts of sources, a file for each: `<source id>.json`. */
class FactsOfSources<Facts extends {readonly source: string}> {
  readonly #dir: string;
  readonly #schema: z.ZodType<Facts>;

  constructor(dir: string, schema: z.ZodType<Facts>) {
    this.#dir = dir;
    this.#schema = schema;
  }

  /** Gives what is known by source; a file that cannot be read counts as absent. */
  async all(): Promise<Map<string, Facts>> {
    const names = await readdir(this.#dir).catch(() => []);
    const ids = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
    const known = await Promise.all(ids.map((id) => this.of(id)));
    return new Map(known.filter((facts) => facts !== null).map((facts) => [facts.source, facts]));
  }

  /** Notes the facts of a source in place of those before. */
  async note(facts: Facts): Promise<void> {
    await mkdir(this.#dir, {recursive: true});
    await replaceJson(join(this.#dir, `${facts.source}.json`), facts);
  }

  protected of(id: string): Promise<Facts | null> {
    return readForeignJson(join(this.#dir, `${id}.json`), this.#schema);
  }
}

/** What was measured of each source, `<raw>/.fetch/paces/<source id>.json`: requests, seconds, rows and bytes for the next plan. */
export class FetchPaces extends FactsOfSources<FetchPace> {
  constructor(rawDir: string) {
    super(join(rawDir, ".fetch/paces"), FetchPace);
  }

  /** Notes what was measured; facts that this measurement has not stay those of the one before. */
  override async note(pace: FetchPace): Promise<void> {
    const before = await this.of(pace.source);
    const {bytes, rows, page_rows, bytes_per_row} = pace;
    await super.note({
      ...pace,
      bytes: bytes ?? before?.bytes ?? null,
      rows: rows ?? before?.rows ?? null,
      page_rows: page_rows ?? before?.page_rows ?? null,
      bytes_per_row: bytes_per_row ?? before?.bytes_per_row ?? null,
    });
  }
}

/** The last runs of the sources, `<raw>/.fetch/<source id>.json`: what decides which of them are due; one without a file is. */
export class FetchStates extends FactsOfSources<FetchState> {
  constructor(rawDir: string) {
    super(join(rawDir, ".fetch"), FetchState);
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

/** Gives the exit code of a run: 3 when a source was partial or failed, else 0. */
export function exitCodeOf(outcomes: readonly Pick<Outcome, "status">[]): number {
  return outcomes.some(({status}) => ["partial", "failed", "not reached"].includes(status)) ? 3 : 0;
}
