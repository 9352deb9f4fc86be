import type {FetchSource} from "../fetch/fetch-source.ts";
import type {Outcome} from "../fetch/outcome.ts";
import type {PlannedSource} from "../fetch/plan.ts";
import type {Watcher} from "../fetch/run.ts";
import {print, printJson, textTable} from "./output.ts";

/** Prints a plan: sources, hosts, requests, and the time that they take at the polite rate. */
export function printFetchPlan(plan: readonly PlannedSource[], json: boolean): void {
  const lines = plan.map(({source, action, because, hosts, requests, seconds}) => ({
    ...{source: source.id, action, because, hosts, requests, seconds},
    protocol: source.protocol,
    verified: source.verified,
  }));
  if (json) {
    printJson(lines);
    return;
  }
  const due = lines.filter(({action}) => action === "ask");
  print(
    textTable(
      ["source", "protocol", "hosts", "requests", "time", "why"],
      due.map(({source, protocol, hosts, requests, seconds, because, verified}) => [
        source,
        protocol,
        hosts.join(" "),
        `~${requests}`,
        duration(seconds),
        verified ? because : `${because}; not verified yet`,
      ]),
    ),
  );
  const others = Map.groupBy(
    lines.filter(({action}) => action !== "ask"),
    ({action}) => action,
  );
  for (const [action, group] of others)
    print(`${action}: ${group.map(({source, because}) => `${source} (${because})`).join(", ")}`);
  print(`${due.length} sources, about ${due.reduce((sum, {requests}) => sum + requests, 0)} requests`);
}

/** Prints the outcome of each source. Sources that were not asked come last, in one line each status. */
export function printOutcomes(outcomes: readonly Outcome[], json: boolean): void {
  if (json) {
    printJson(outcomes);
    return;
  }
  const asked = outcomes.filter(
    ({requests, status}) => requests > 0 || status === "failed" || status === "partial",
  );
  print(
    textTable(
      ["source", "outcome", "new", "unchanged", "requests", "time", "reason"],
      asked.map(({source, status, files, unchanged, requests, seconds, reason}) => [
        source,
        status,
        files,
        unchanged,
        requests,
        duration(seconds),
        reason ?? "",
      ]),
    ),
  );
  const others = Map.groupBy(
    outcomes.filter((outcome) => !asked.includes(outcome)),
    ({status}) => status,
  );
  for (const [status, group] of others)
    print(`${status}: ${group.map(({source, reason}) => `${source} (${reason})`).join(", ")}`);
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return seconds < 3600 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

const betweenLinesMs = 5000;

/** Shows the way of each source on stderr: a line at its begin and end, and in between one every five seconds. */
export function progressOnStderr(write = (text: string) => void process.stderr.write(text)): Watcher {
  const shownAt = new Map<string, number>();
  const line = (source: FetchSource["id"], text: string) => write(`${source}  ${text}\n`);
  return {
    begins: ({id}) => {
      shownAt.set(id, performance.now());
      line(id, "asking");
    },
    says: ({id}, text) => {
      if (performance.now() - (shownAt.get(id) ?? 0) < betweenLinesMs) return;
      shownAt.set(id, performance.now());
      line(id, text);
    },
    ends: ({source, status, reason, seconds}) =>
      line(source, `${status}${reason === null ? "" : `: ${reason}`}  ${duration(seconds)}`),
  };
}
