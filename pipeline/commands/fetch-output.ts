import type {FetchSource} from "../fetch/fetch-source.ts";
import type {Outcome} from "../fetch/outcome.ts";
import type {PlannedSource} from "../fetch/plan.ts";
import {sourcesAtOnce, type Watcher} from "../fetch/run.ts";
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
  printTable(
    ["source", "protocol", "hosts", "requests", "time", "why"],
    due.map(({source, protocol, hosts, requests, seconds, because, verified}) => [
      source,
      protocol,
      hosts.join(" "),
      `~${requests}`,
      duration(seconds),
      verified ? because : `${because}; not verified yet`,
    ]),
  );
  const others = lines.filter(({action}) => action !== "ask");
  for (const line of linesOfNotAsked(
    others.map(({source, action, because}) => ({source, status: action, reason: because})),
  ))
    print(line);
  if (due.length === 0) {
    print("nothing to ask");
    return;
  }
  const requests = due.reduce((sum, each) => sum + each.requests, 0);
  print(
    `${due.length} sources, about ${requests.toLocaleString("en-US")} requests, ${duration(leastSeconds(due))} or more at the polite rate`,
  );
}

/** Gives the least time of a plan: sources of one host wait for each other, and so many are asked at once. */
export function leastSeconds(due: readonly Pick<PlannedSource, "hosts" | "seconds">[]): number {
  const ofHost = Map.groupBy(due, ({hosts}) => hosts[0] ?? "");
  const sums = [...ofHost.values()].map((group) => group.reduce((sum, {seconds}) => sum + seconds, 0));
  return Math.max(0, ...sums, sums.reduce((all, seconds) => all + seconds, 0) / sourcesAtOnce);
}

type NotAsked = {readonly source: string; readonly status: string; readonly reason: string | null};

/** Gives a line for each status of sources that are not asked; those of one reason stand together and say it once. */
export function linesOfNotAsked(sources: readonly NotAsked[]): string[] {
  return [...Map.groupBy(sources, ({status}) => status)].map(([status, group]) => {
    const byReason = [...Map.groupBy(group, ({reason}) => reason ?? "")].map(([reason, same]) => {
      const ids = same.map(({source}) => source).join(", ");
      return reason === "" ? ids : `${ids} (${reason})`;
    });
    return `${status}: ${byReason.join("; ")}`;
  });
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
  printTable(
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
  );
  for (const {source, notes} of asked) for (const note of notes) print(`${source}: ${note}`);
  for (const line of linesOfNotAsked(outcomes.filter((outcome) => !asked.includes(outcome)))) print(line);
}

function printTable(head: readonly string[], rows: Parameters<typeof textTable>[1]): void {
  if (rows.length > 0) print(textTable(head, rows));
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
