import {expect, test, vi} from "vitest";
import {leastSeconds, linesOfNotAsked, printFetchPlan} from "../../../pipeline/commands/fetch-output.ts";
import {registeredSources} from "../../../pipeline/fetch/known-sources.ts";
import {planFetch} from "../../../pipeline/fetch/plan.ts";
import type {FetchPace} from "../../../schemas/fetch-state.ts";

test("sources that are not asked for one reason stand together, and the reason is said once", () => {
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

test("a plan takes as long as its busiest host, or as all hosts four at a time", () => {
  const source = (host: string, seconds: number) => ({hosts: [host], seconds});
  expect(leastSeconds([])).toBe(0);
  expect(leastSeconds([source("a", 50), source("a", 50), source("b", 10)])).toBe(100);
  expect(leastSeconds("abcdefgh".split("").map((host) => source(host, 100)))).toBe(200);
});

/** What a command prints. */
function printedBy(work: () => void): string {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    work();
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

const noKeys = {CATTLE_MARS_KEY: null, CATTLE_QUICKSTATS_KEY: null, CATTLE_EIA_KEY: null};
const settings = {
  ...noKeys,
  CATTLE_CONTACT: "x@example.org",
  CATTLE_FUTURES_LICENSED: false,
  CATTLE_FETCH_STATES: [],
};
const now = new Date("2026-11-20T05:30:00Z");

test("a plan counts requests by the pages that a layer was found to give, one after another, in nights and bytes", () => {
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
  const plan = planFetch([source!], {settings, states: new Map(), paces, now, named: false});
  expect(plan[0]!.cost).toEqual({requests: 9004, seconds: 54_024, bytes: 450_000_000, measured: true});
  const printed = printedBy(() => printFetchPlan(plan, {freeBytes: 4e8, hours: 4}, false));
  expect(printed).toContain("15.0 h or more at the polite rate: 4 nights of 4 h");
  expect(printed).toContain("about 430 MiB to keep; 382 MiB free on the disk: NOT ENOUGH");
});

test("the last lines of a plan say what a word of the operator would add, and leave out what its publisher refuses", () => {
  const plan = planFetch(registeredSources(), {settings, states: new Map(), now, named: false});
  const lines = printedBy(() => printFetchPlan(plan, {freeBytes: 1e12, hours: 4}, false))
    .trimEnd()
    .split("\n");
  const [added, how] = lines.slice(-2);
  expect(added).toMatch(/^one word of yours would add \d+ sources .*us-wy-statewide \(WY, /);
  expect(added).not.toMatch(/us-tn-statewide|us-ca-statewide|us-mt-service/);
  expect(how).toContain("cattle sources allow ID --licence TEXT --evidence URL");
  // Words that say neither yes nor no are told once, with the words, and not as a no.
  for (const id of ["us-co-composite", "us-wa-current"]) {
    expect(lines.filter((line) => line.includes(id))).toEqual([added]);
    expect(added).toMatch(new RegExp(`${id} \\([A-Z]{2}, [^)]*its words: "`));
  }
});
