import {expect, test} from "vitest";
import {PlayedMisses, playedCounties, sumsOf} from "./played-misses.ts";

const counties = playedCounties("49");

test("as many counties have a broken layer of their own as in the survey", () => {
  const brokenOf = (kind: string) => counties.filter((each) => each.kind === kind).length;
  expect(counties).toHaveLength(3142);
  expect([brokenOf("broken, statewide behind"), brokenOf("broken, nothing behind")]).toEqual([132, 121]);
  expect(brokenOf("statewide, dead before")).toBe(56 + 7);
});

test("a county whose own layer is broken is answered by the one behind it", async () => {
  const kinds = ["broken, statewide behind", "broken, nothing behind", "statewide, dead before"];
  const sample = kinds.flatMap((kind) => counties.filter((each) => each.kind === kind).slice(0, 8));
  // Long ones, so that a busy machine costs no answer; bench/misses.ts prints the slowest beside those of a server.
  const deadlines = {totalMs: 120_000, callMs: 10_000};
  const ask = (before: boolean) => new PlayedMisses(sample).ask({before, ...deadlines, atOnce: 3});
  const before = sumsOf(await ask(true));
  const now = sumsOf(await ask(false));
  expect(before.at(-1)!.found).toBe(0);
  expect(now.filter(({counties: all}) => all > 0).map(({kind, found}) => [kind, found])).toEqual([
    ["broken, statewide behind", 8],
    ["broken, nothing behind", 0],
    ["statewide, dead before", 8],
    ["all", 16],
  ]);
});
