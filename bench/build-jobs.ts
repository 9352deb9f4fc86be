import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {tenth} from "./figures.ts";
import {machineLine} from "./machine.ts";
import {states, writeRegistry, writeRoll} from "./nation/states.ts";
import {runWell} from "./run-cattle.ts";

/**
 * A whole build of invented states by `cattle build --jobs N`, for N from 1 to 4: seconds by the clock, those of the processor in all
 * processes, and the critical path, which is the processor time of the command itself and of the busiest process that makes parts:
 * with cores enough the build can take no less, and DuckDB's two threads in each shorten it. Memory is that of all processes together.
 *
 *   node bench/build-jobs.ts [rows of a state [states]]      100,000 rows of each of 8 states unless said otherwise
 */
const [rows = "100000", count = "8"] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), "bench-jobs-"));
try {
  console.log(`${machineLine()}; ${count} states of ${rows} rows`);
  const registry = writeRegistry(root);
  const raw = join(root, "raw");
  for (const state of states.slice(0, Number(count))) await writeRoll(raw, state, Number(rows));
  const table: Record<string, Record<string, number>> = {};
  for (const jobs of [1, 2, 3, 4]) {
    const out = join(root, `data-${jobs}`);
    const words = ["build", "--raw", raw, "--out", out, "--as-of", "2026-11-21", "--jobs", String(jobs)];
    table[`${jobs} at a time`] = await spentBy(words, registry);
    rmSync(out, {recursive: true, force: true});
  }
  console.table(table);
} finally {
  rmSync(root, {recursive: true, force: true});
}

async function spentBy(words: readonly string[], registry: string): Promise<Record<string, number>> {
  const {seconds, own, others, allPrivateKib} = await runWell(words, {CATTLE_REGISTRY: registry});
  const makers = others.map(({cpuMs}) => cpuMs);
  return {
    seconds: tenth(seconds),
    "CPU seconds": tenth([own.cpuMs, ...makers].reduce((sum, ms) => sum + ms, 0) / 1_000),
    "critical path, CPU seconds": tenth((own.cpuMs + Math.max(0, ...makers)) / 1_000),
    "peak MB": Math.round(allPrivateKib / 1_024),
  };
}
