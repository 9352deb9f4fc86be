import {readdirSync} from "node:fs";
import {readSettings} from "../../lib/read-settings.ts";
import {planFetch} from "../../pipeline/fetch/fetch-plan.ts";
import {FetchStates, type Outcome} from "../../pipeline/fetch/fetch-states.ts";
import {type FetchSource, sourceOfMarketFeed} from "../../pipeline/fetch/jobs/source-address.ts";
import {type RunOptions, runFetch} from "../../pipeline/fetch/run.ts";
import {FeedFetch} from "../../schemas/fetch-source.ts";
import type {Settings} from "../../schemas/settings.ts";

/** A rate at which tests need not wait. */
export const quickRate = {perSecond: 500, atOnce: 1};

type Night = {
  readonly rawDir: string;
  readonly now?: Date;
  readonly environment?: Record<string, string>;
  readonly secrets?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly areNamed?: boolean;
  readonly retries?: RunOptions["retries"];
  readonly listener?: RunOptions["listener"];
  /** Limits below what a deployment may set. */
  readonly limits?: Partial<
    Pick<Settings, "CATTLE_FETCH_HOURS" | "CATTLE_FETCH_GIB" | "CATTLE_FETCH_FILE_GIB">
  >;
};

/** Runs one night for these sources; returns their outcomes. */
export async function night(sources: readonly FetchSource[], options: Night): Promise<Outcome[]> {
  const {rawDir, now = new Date(), areNamed = false, signal = new AbortController().signal} = options;
  const settings = {
    ...readSettings(
      {CATTLE_CONTACT: "nobody@example.org", ...options.environment},
      (path) => options.secrets?.[path] ?? "",
    ),
    ...options.limits,
  };
  const states = new FetchStates(rawDir);
  const before = await states.all();
  return runFetch(planFetch(sources, {settings, states: before, now, areNamed}), {
    ...{rawDir, settings, states, before, signal},
    userAgent: "cattle-market-intelligence/test (nobody@example.org)",
    listener: options.listener ?? {begins: () => undefined, says: () => undefined, ends: () => undefined},
    now: () => now,
    retries: {serverErrorPauseMs: 20, ...options.retries},
  });
}

/** A source of one file of the feed `dealers`. */
export function fileSource(url: string, facts: Partial<FetchSource> = {}): FetchSource {
  const feed = FeedFetch.parse({
    ...{id: "dealers-test", feed: "dealers", protocol: "http-file", url},
    ...{rate: quickRate, cadence: {everyHours: 20}, verified: false, complete: true},
  });
  return {...sourceOfMarketFeed(feed), ...facts};
}

/** Names of all files below a folder, with forward slashes, sorted. */
export function filesIn(dir: string): string[] {
  return readdirSync(dir, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(dir.length + 1))
    .sort();
}
