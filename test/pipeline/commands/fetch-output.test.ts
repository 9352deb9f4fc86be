import {expect, test, vi} from "vitest";
import {
  duration,
  linesOfNotAsked,
  minSeconds,
  printFetchPlan,
  printOutcomes,
  progressOnStderr,
  size,
} from "../../../pipeline/commands/fetch-output.ts";
import {planFetch} from "../../../pipeline/fetch/fetch-plan.ts";
import type {Outcome} from "../../../pipeline/fetch/fetch-states.ts";
import {registeredSources} from "../../../pipeline/fetch/jobs/known-sources.ts";
import type {FetchPace} from "../../../schemas/fetch-state.ts";
import {keptOutput} from "../../kept-output.ts";

test("groups sources that are not fetched for the same reason, stating it once", () => {
  const lines = linesOfNotAsked([
    {source: "mars", status: "no key", reason: "set CATTLE_MARS_KEY_FILE"},
    {source: "us-ne", status: "not allowed", reason: "no terms"},
    {source: "us-ia", status: "not allowed", reason: "no terms"},
    {source: "futures", status: "not allowed", reason: "no licence"},
    {source: "usdm", status: "not due", reason: null},
  ]);
  expect(lines).toEqual([
    "no key: mars (set CATTLE_MARS_KEY_FILE)",
    "not allowed: us-ne, us-ia (no terms); futures (no licence)",
    "not due: usdm",
  ]);
});

test("estimates a plan by its busiest host, or by all hosts four at a time", () => {
  const source = (host: string, seconds: number) => ({hosts: [host], seconds});
  expect(minSeconds([])).toBe(0);
  expect(minSeconds([source("a", 50), source("a", 50), source("b", 10)])).toBe(100);
  expect(minSeconds("abcdefgh".split("").map((host) => source(host, 100)))).toBe(200);
});

/** What a command prints. */
function printedBy(work: () => void): string {
  using written = keptOutput();
  work();
  return written.stdout;
}

const noKeys = {CATTLE_MARS_KEY: null, CATTLE_QUICKSTATS_KEY: null, CATTLE_EIA_KEY: null};
const settings = {
  ...noKeys,
  CATTLE_CONTACT: "x@example.org",
  CATTLE_FUTURES_LICENSED: false,
  CATTLE_FETCH_STATES: [],
};
const now = new Date("2026-11-20T05:30:00Z");

test("counts a plan's requests by the observed page size of each layer, in nights and bytes", () => {
  const [source] = registeredSources().filter(({id}) => id === "us-mt-service");
  const pace: FetchPace = {
    ...{
      source: "us-mt-service",
      measured_at: now.toISOString(),
      by: "run",
      requests: 9,
      seconds_per_request: 6,
    },
    ...{bytes: null, rows: 900_000, page_rows: 100, bytes_per_row: 500},
  };
  const paces = new Map([[pace.source, pace]]);
  const plan = planFetch([source!], {settings, states: new Map(), paces, now, areNamed: false});
  expect(plan[0]!.cost).toEqual({
    ...{requests: 9004, seconds: 54_024, bytes: 450_000_000, measured: true},
    ...{unpackedBytes: 720_000_000, rows: 900_000},
  });
  const printed = printedBy(() => printFetchPlan(plan, {freeBytes: 4e8, hours: 4}, false));
  expect(printed).toContain("15.0 h or more at the polite rate: 4 nights of 4 h");
  expect(printed).toContain("about 430 MiB on the wire, 687 MiB unpacked");
  expect(printed).toContain(
    "about 430 MiB to keep, about 1.5 GiB for the next build (900,000 rows); 382 MiB free on the disk: NOT ENOUGH",
  );
});

test("ends a plan with what an operator's decision would add, without what publishers refuse", () => {
  const plan = planFetch(registeredSources(), {settings, states: new Map(), now, areNamed: false});
  const lines = printedBy(() => printFetchPlan(plan, {freeBytes: 1e12, hours: 4}, false))
    .trimEnd()
    .split("\n");
  const [added, how] = lines.slice(-2);
  expect(added).toMatch(
    /^\d+ more sources are available once you accept their terms: .*us-wy-statewide \(WY, /,
  );
  expect(added).not.toMatch(/us-tn-statewide|us-ca-statewide|us-mt-service/);
  expect(how).toContain("cattle sources allow ID --licence TEXT --evidence URL");
  // Terms that are neither a yes nor a no are quoted once and not taken as a no.
  for (const id of ["us-co-composite", "us-wa-current"]) {
    expect(lines.filter((line) => line.includes(id))).toEqual([added]);
    expect(added).toMatch(new RegExp(`${id} \\([A-Z]{2}, [^)]*its words: "`));
  }
});

test.each([
  [0, "0 KiB"],
  [1, "1 KiB"],
  [1024, "1 KiB"],
  [1025, "2 KiB"],
  [2 ** 20 - 1, "1024 KiB"],
  [2 ** 20, "1 MiB"],
  [2 ** 20 + 1, "2 MiB"],
  [2 ** 30 - 1, "1024 MiB"],
  [2 ** 30, "1.0 GiB"],
  [2.55 * 2 ** 30, "2.5 GiB"],
])("%i bytes are shown as %s", (bytes, shown) => {
  expect(size(bytes)).toBe(shown);
});

test.each([
  [0.04, "0.0 s"],
  [9.94, "9.9 s"],
  [10, "10 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [3599, "60 min"],
  [3600, "1.0 h"],
  [5400, "1.5 h"],
])("%f seconds are shown as %s", (seconds, shown) => {
  expect(duration(seconds)).toBe(shown);
});

const outcome: Outcome = {
  ...{
    source: "mars",
    status: "new",
    reason: null,
    fault: null,
    notes: [],
    losses: [],
    files: 2,
    unchanged: 1,
    requests: 1_200,
  },
  ...{seconds: 90, bytes: 5},
};

test("shows fetched sources in a table with notes below, and the others on one line per status", () => {
  const outcomes: Outcome[] = [
    {...outcome, notes: ["one report was left out", "and another"]},
    {...outcome, source: "usdm", status: "not due", reason: "due tomorrow", requests: 0},
    {...outcome, source: "nass", status: "failed", reason: "no room", requests: 0, files: 0, seconds: 0.1},
    {...outcome, source: "eia", status: "partial", reason: "cut", requests: 0},
    {...outcome, source: "echo", status: "not reached", reason: null, requests: 0},
  ];
  const lines = printedBy(() => printOutcomes(outcomes, false))
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
    "source outcome new unchanged requests time reason",
    "mars new 2 1 1,200 2 min",
    "nass failed 0 1 0 0.1 s no room",
    "eia partial 2 1 0 2 min cut",
    "mars: one report was left out",
    "mars: and another",
    "not due: usdm (due tomorrow)",
    "not reached: echo",
  ]);
  expect(printedBy(() => printOutcomes([outcomes[4]!], false))).toBe("not reached: echo\n");
  expect(JSON.parse(printedBy(() => printOutcomes(outcomes, true)))).toEqual(outcomes);
});

test("asks for the network only where no host of several sources was reached", () => {
  const unreached: Outcome = {
    ...outcome,
    status: "failed",
    fault: "unreached",
    reason: "network unreachable",
  };
  const refused: Outcome = {...unreached, source: "nws", fault: "status", reason: "status 500 (ENOTFOUND)"};
  const printed = (...outcomes: Outcome[]) => printedBy(() => printOutcomes(outcomes, false));
  expect(printed(unreached, {...unreached, source: "nws"})).toContain("no host was reached");
  expect(printed(unreached, refused)).not.toContain("no host was reached");
  expect(printed(unreached)).not.toContain("no host was reached");
});

test("shows a source's progress at start and end, and every five seconds in between", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(100);
  try {
    const lines: string[] = [];
    const {begins, says, ends} = progressOnStderr((line) => void lines.push(line));
    const [mars, eia] = [{id: "mars"}, {id: "eia"}] as unknown as Parameters<typeof begins>[0][];
    begins(mars!);
    const saysAt = (ms: number, source = mars!) => {
      now.mockReturnValue(ms);
      says(source, `at ${ms}`);
    };
    for (const ms of [5_099, 5_100, 5_101, 10_099, 10_100]) saysAt(ms);
    begins(eia!);
    saysAt(10_200, eia);
    ends(outcome);
    ends({...outcome, source: "eia", status: "failed", reason: "status 404", seconds: 3});
    expect(lines).toEqual([
      ...["mars  asking\n", "mars  at 5100\n", "mars  at 10100\n", "eia  asking\n"],
      ...["mars  new  2 min\n", "eia  failed: status 404  3.0 s\n"],
    ]);
  } finally {
    now.mockRestore();
  }
});
