import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {tenth} from "./figures.ts";
import {machineLine} from "./machine.ts";
import {states, writeRegistry, writeRoll} from "./nation/states.ts";
import {runWell} from "./run-cattle.ts";

/**
 * A whole build of invented states with `cattle build --jobs N`, for N from 1 to 4: wall-clock time, CPU time of all processes,
 * and the critical path, which is the CPU time of the command itself plus that of the busiest worker process. With enough cores
 * a build takes at least that long, apart from DuckDB's two threads per process. Memory is the sum over all processes.
 *
 *   node bench/build-jobs.ts [rows per state [states]]      default: 100,000 rows in each of 8 states
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
