import {mkdir, readdir} from "node:fs/promises";
import {join} from "node:path";
import {readForeignJson} from "@open-cattle/safe-files";
import type {z} from "zod";
import {FetchPace, FetchState, type FetchStatus} from "../../schemas/fetch-state.ts";
import type {FetchErrorKind} from "./client/fetch-error.ts";
import {replaceJson} from "./snapshots/snapshot-folder.ts";

/** Facts about sources, one file each: `<source id>.json`. */
class FactsOfSources<Facts extends {readonly source: string}> {
  readonly #dir: string;
  readonly #schema: z.ZodType<Facts>;

  constructor(dir: string, schema: z.ZodType<Facts>) {
    this.#dir = dir;
    this.#schema = schema;
  }

  /** Returns the known facts by source; an unreadable file counts as absent. */
  async all(): Promise<Map<string, Facts>> {
    const names = await readdir(this.#dir).catch(() => []);
    const ids = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
    const states = await Promise.all(ids.map((id) => this.of(id)));
    return new Map(states.filter((facts) => facts !== null).map((facts) => [facts.source, facts]));
  }

  /** Replaces the facts of a source. */
  async note(facts: Facts): Promise<void> {
    await mkdir(this.#dir, {recursive: true});
    await replaceJson(join(this.#dir, `${facts.source}.json`), facts);
  }

  protected of(id: string): Promise<Facts | null> {
    return readForeignJson(join(this.#dir, `${id}.json`), this.#schema);
  }
}

/** Measurements per source for the next plan, `<raw>/.fetch/paces/<source id>.json`: requests, seconds, rows and bytes. */
export class FetchPaces extends FactsOfSources<FetchPace> {
  constructor(rawDir: string) {
    super(join(rawDir, ".fetch/paces"), FetchPace);
  }

  /** Stores a measurement; values it lacks are kept from the previous one. */
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

/** The last run of each source, `<raw>/.fetch/<source id>.json`, from which is decided what is due; a source without a file is. */
export class FetchStates extends FactsOfSources<FetchState> {
  constructor(rawDir: string) {
    super(join(rawDir, ".fetch"), FetchState);
  }
}

/** The outcome of one source in a run. */
export type Outcome = {
  readonly source: string;
  readonly status: FetchStatus;
  /** Why the answer was partial, failed or absent; null for a complete one. */
  readonly reason: string | null;
  /** Code of the error that ended it; null for one that ended without an error of the source. */
  readonly fault: FetchErrorKind | null;
  /** Further information for a person, such as reports that were left out. */
  readonly notes: readonly string[];
  /** What a whole answer lacks, each with its cure where there is one; also of a partial one. */
  readonly losses: readonly string[];
  readonly files: number;
  readonly unchanged: number;
  readonly requests: number;
  readonly seconds: number;
  /** Bytes received, decompressed. */
  readonly bytes: number;
};

const notWhole: ReadonlySet<FetchStatus> = new Set(["partial", "failed", "key refused", "not reached"]);

/** True if a source that was due did not come whole. */
export function isNotWhole({status}: Pick<Outcome, "status">): boolean {
  return notWhole.has(status);
}

/** Returns the exit code of a run: 3 if a source did not come whole, otherwise 0. */
export function exitCodeOf(outcomes: readonly Pick<Outcome, "status">[]): number {
  return outcomes.some(isNotWhole) ? 3 : 0;
}
