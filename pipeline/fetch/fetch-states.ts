import {mkdir, readdir} from "node:fs/promises";
import {join} from "node:path";
import {readForeignJson} from "../../lib/storage/foreign-file.ts";
import {FetchState} from "../../schemas/fetch-state.ts";
import {replaceJson} from "./snapshots/snapshot-folder.ts";

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
