import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {Gauge, Registry} from "prom-client";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {writeWhole} from "../../lib/storage/whole-file.ts";

/** Figures whose names begin with one word, as Prometheus text for the textfile collector of node_exporter. */
export class Figures {
  readonly #registry = new Registry();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  one(name: string, help: string, value: number): void {
    this.#gauge(name, help, []).set(value);
  }

  each(name: string, help: string, label: string, values: readonly (readonly [string, number])[]): void {
    const gauge = this.#gauge(name, help, [label]);
    for (const [key, value] of values) gauge.set({[label]: key}, value);
  }

  /** Writes `metrics/<prefix>.prom` of the data folder, by rename: no reader sees half of it. Throws where it cannot be written. */
  async write({metrics}: DataFolder): Promise<void> {
    await mkdir(metrics, {recursive: true, mode: 0o750});
    const text = await this.#registry.metrics();
    await writeWhole(join(metrics, `${this.#prefix}.prom`), text, {mode: 0o644, replaces: true});
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({name: `${this.#prefix}_${name}`, help, labelNames, registers: [this.#registry]});
  }
}
