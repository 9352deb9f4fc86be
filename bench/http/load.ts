import autocannon from "autocannon";
import {processorMs} from "../../lib/system/process-figures.ts";
import type {ServerProcess} from "./child.ts";

/** A running server to measure. */
export type Target = {
  readonly name: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The processes that produce the answers. */
  processes(): readonly number[];
};

/** A single-process server as a target. */
export function targetOf(name: string, {pid, port}: ServerProcess, headers: Target["headers"]): Target {
  return {name, port, headers, processes: () => [pid]};
}

/** Answers per second, and CPU microseconds per answer over all threads. */
export type Pace = {readonly rate: number; readonly cpuMicros: number};

const connections = 16;
const warmUpSeconds = 3;

/**
 * The pace of a server for these paths, requested in turn over 16 keep-alive connections. Throws if any answer is not a 200,
 * because errors are faster than answers and would win. A server without an answer in time gets 0.
 */
export async function paceOf(
  {name, port, headers, processes}: Target,
  paths: readonly string[],
  seconds: number,
): Promise<Pace> {
  const busyMs = () => processes().reduce((sum, pid) => sum + (processorMs(pid) ?? 0), 0);
  const before = busyMs();
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({method: "GET", path, headers})),
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${name}: ${result["2xx"]} answers, ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return {rate: result.requests.average, cpuMicros: ((busyMs() - before) * 1_000) / result["2xx"]};
}

/**
 * The pace of each server, measured in alternating turns, so that other load affects all alike. After a warm-up turn of three
 * seconds, in which code is compiled, the medians of the rounds count. A server without an answer during warm-up gets 0.
 */
export async function compareServers(
  targets: readonly Target[],
  paths: readonly string[],
  {seconds, rounds}: {seconds: number; rounds: number},
): Promise<Map<string, Pace>> {
  const measured = new Map<string, Pace[]>(targets.map(({name}) => [name, []]));
  const answering: Target[] = [];
  for (const target of targets) {
    const pace = await turn(target, paths, warmUpSeconds);
    if (pace.rate > 0) answering.push(target);
    else measured.get(target.name)!.push(pace);
  }
  for (let round = 0; round < rounds; round++) {
    for (const target of answering) measured.get(target.name)!.push(await turn(target, paths, seconds));
  }
  return new Map(
    [...measured].map(([name, paces]) => [
      name,
      {
        rate: median(paces.map(({rate}) => rate)),
        cpuMicros: median(paces.map(({cpuMicros}) => cpuMicros)),
      },
    ]),
  );
}

/** One turn of one server, and a wait until it is idle: a database goes on with queries that nobody waits for. */
async function turn(target: Target, paths: readonly string[], seconds: number): Promise<Pace> {
  const pace = await paceOf(target, paths, seconds);
  await (await fetch(`http://127.0.0.1:${target.port}${paths[0]}`, {headers: target.headers})).arrayBuffer();
  return pace;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
