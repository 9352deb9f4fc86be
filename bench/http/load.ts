import autocannon from "autocannon";

/** A running server that is measured. */
export type Target = {
  readonly name: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
};

const connections = 16;
const warmUpSeconds = 3;

/**
 * Answers per second of a server for these paths, asked in turn over 16 kept connections. Throws where one answer is not a 200:
 * an error is quicker than an answer, and would win. A server that gives none within the time gets 0.
 */
export async function answersPerSecond(
  {name, port, headers}: Target,
  paths: readonly string[],
  seconds: number,
): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({method: "GET", path, headers})),
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${name}: ${result["2xx"]} answers, ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result.requests.average;
}

/**
 * Answers per second of each server, in turns: what else the machine does falls on all of them alike. A turn of three seconds to warm
 * up, since code is compiled while it runs, then the median of the rounds. A server that gave no answer while it warmed up gets 0.
 */
export async function compareServers(
  targets: readonly Target[],
  paths: readonly string[],
  {seconds, rounds}: {seconds: number; rounds: number},
): Promise<Map<string, number>> {
  const measured = new Map<string, number[]>(targets.map(({name}) => [name, []]));
  const answering: Target[] = [];
  for (const target of targets) {
    if ((await turn(target, paths, warmUpSeconds)) > 0) answering.push(target);
    else measured.get(target.name)!.push(0);
  }
  for (let round = 0; round < rounds; round++) {
    for (const target of answering) measured.get(target.name)!.push(await turn(target, paths, seconds));
  }
  return new Map([...measured].map(([name, rates]) => [name, median(rates)]));
}

/** A turn of one server, and the end of the work that it left: a database goes on with queries that nobody waits for. */
async function turn(target: Target, paths: readonly string[], seconds: number): Promise<number> {
  const rate = await answersPerSecond(target, paths, seconds);
  await (await fetch(`http://127.0.0.1:${target.port}${paths[0]}`, {headers: target.headers})).arrayBuffer();
  return rate;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
