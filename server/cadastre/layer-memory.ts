import {
  healthAfter,
  isBadLayer,
  type LayerHealths,
  type LayerVerdict,
  mergedHealth,
  readLayerHealth,
  writeLayerHealth,
} from "../../lib/registry/layer-health-files.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {LayerHealth, LayerMark} from "../../schemas/layer-health.ts";

/** What this server knows of the layers: which answered, which failed, which has given rows of which county. */
export class LayerMemory {
  readonly #now: () => Date;
  #layers: Map<string, LayerHealth>;
  #changed = false;

  constructor(now: () => Date = () => new Date(), layers: LayerHealths = new Map()) {
    this.#now = now;
    this.#layers = new Map(layers);
  }

  /** Notes an answer or a failure of a layer. */
  note(id: string, verdict: Omit<LayerVerdict, "at">): void {
    const at = this.#now().toISOString();
    this.#layers.set(id, healthAfter(this.#layers.get(id), {...verdict, at}));
    this.#changed = true;
  }

  /** True for a layer that is asked last where another one covers the county. */
  isBad(id: string): boolean {
    return isBadLayer(this.#layers.get(id), this.#now());
  }

  /** True if the layer has given a row of the county, so that its empty answer says something of it. */
  hasGiven(id: string, county: string): boolean {
    return this.#layers.get(id)?.counties.includes(county) ?? false;
  }

  /** True if the layer has refused to be told how many rows to send. */
  refusesPages(id: string): boolean {
    return this.#layers.get(id)?.noPaging === true;
  }

  /** Number of layers that answered so last. */
  count(mark: LayerMark): number {
    return [...this.#layers.values()].filter((health) => health.mark === mark).length;
  }

  /** The ids of all bad layers. */
  bad(): string[] {
    return [...this.#layers.keys()].filter((id) => this.isBad(id));
  }

  /** Takes over what other processes know. */
  learn(others: LayerHealths): void {
    for (const [id, health] of others) {
      const own = this.#layers.get(id);
      this.#layers.set(id, own === undefined ? health : mergedHealth(own, health));
    }
  }

  /** Reads what other processes know, and writes what this one knows if that changed. Rejects with a `DiskFault`; the next call writes again. */
  async exchange(data: Pick<DataFolder, "run">, process: number): Promise<void> {
    this.learn(await readLayerHealth(data, this.#now()));
    if (!this.#changed) return;
    this.#changed = false;
    await writeLayerHealth(data, process, this.#layers).catch((error: unknown) => {
      this.#changed = true;
      throw error;
    });
  }
}

const exchangeMs = 60_000;

/**
 * Exchanges the memory with those of other processes once a minute, and a last time when it is closed (`docs/design/reliability.md`
 * section 5). A disk that refuses costs the memory alone.
 */
export function keepLayerMemory(
  memory: LayerMemory,
  {data, process, failed}: {data: DataFolder; process: number; failed: (error: unknown) => void},
): {close(): Promise<void>} {
  let exchanging = memory.exchange(data, process).catch(failed);
  const exchange = () => {
    exchanging = exchanging.then(() => memory.exchange(data, process)).catch(failed);
    return exchanging;
  };
  const timer = setInterval(() => void exchange(), exchangeMs).unref();
  return {
    close() {
      clearInterval(timer);
      return exchange();
    },
  };
}
