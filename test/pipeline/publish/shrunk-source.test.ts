import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import {buildState} from "../../../pipeline/parcels/build-state.ts";
import {build, exitCode} from "../../../pipeline/publish/build.ts";
import {allReports, isUnread} from "../../../pipeline/results/report-counts.ts";
import {sampleEntry} from "../parcels/readers/sample-entry.ts";
import {makeWorkshop, testStages, type Workshop} from "./workshop.ts";

const {accept, coverage} = sampleEntry;
const entryOf = (id: string, county: string) => ({
  ...{...sampleEntry, id, coverage: {...coverage, counties: [county]}},
  accept: {...accept, maxDropShare: 0.1},
});
const stages = {
  ...testStages,
  entries: [entryOf("us-tx-one", "48453"), entryOf("us-tx-two", "48491")],
  waves: [],
  buildState: (input: Parameters<typeof buildState>[0]) => buildState(input),
} as unknown as typeof testStages;

let shop: Workshop;
beforeAll(async () => {
  shop = await makeWorkshop();
});
afterAll(() => shop.remove());

type Night = {
  readonly day: string;
  readonly rows: readonly [one: number, two: number];
  readonly accepts?: string;
};

/** Builds Texas from so many rows of each county; returns its rows, and what the build says of the counties' rows. */
async function night({day, rows, accepts}: Night) {
  for (const [i, unit] of ["one", "two"].entries())
    await shop.put(
      `parcels/us-tx-${unit}/p.csv`,
      ["parcel_no,owner,address,acreage,account,use_code"]
        .concat(
          Array.from(
            {length: rows[i]!},
            (_, n) => `R${1000 * (i + 1) + n},ROE ${n},${n + 1} ELM ST,2,${i}${n},A1`,
          ),
        )
        .join("\n"),
    );
  const acceptances =
    accepts === undefined ? [] : accepts.split(" ").map((gate) => ({part: "TX", gate, reason: "checked"}));
  const result = await build(shop.options({asOf: `2026-08-${day}`, stages, acceptances}));
  const gate = result.gates.find((each) => each.gate === "county-rows" && each.status !== "pass")?.status;
  if (result.outcome === "nothing") return {code: exitCode(result), gate, unread: []};
  const state = (await readManifest(join(shop.data.builds, result.buildId))).states["TX"]!;
  return {
    counties: state.counties.map((county) => county.rows),
    code: exitCode(result),
    unread: allReports(result.report).filter(isUnread),
    gate,
  };
}

test("a source that lost too many rows of its county keeps its last good ones, and the state's others go on", async () => {
  await night({day: "20", rows: [100, 100]});
  const shrunk = await night({day: "21", rows: [60, 101]});
  expect(shrunk).toMatchObject({counties: [100, 101], code: 3, gate: "warn"});
  expect(shrunk.unread.map(({unit, reason}) => `${unit} ${reason}`)).toEqual([
    expect.stringMatching(
      /^us-tx-one .*left out: TX rows: 0\.195 .*; TX county-rows: 0\.4 .*100 rows before, 60 now.*--accept TX:county-rows/,
    ),
  ]);
  // The next night judges the same file again.
  expect(await night({day: "22", rows: [60, 102]})).toMatchObject({counties: [100, 102], code: 3});
  expect(await night({day: "23", rows: [100, 102]})).toMatchObject({counties: [100, 102], code: 0});
  const refused = await night({day: "24", rows: [60, 60]});
  expect(refused).toMatchObject({code: 4, gate: "fail"});
  const accepted = await night({day: "25", rows: [60, 102], accepts: "rows county-rows"});
  expect(accepted).toMatchObject({counties: [60, 102], code: 0, gate: "accepted"});
});
