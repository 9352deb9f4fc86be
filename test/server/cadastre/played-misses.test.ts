import {expect, test} from "vitest";
import {PlayedMisses, playedCounties, sumsOf} from "./played-misses.ts";

const totalMs = 8_000;
const slackMs = 1_000;
const counties = playedCounties("49");

test("as many counties have a broken layer of their own as in the survey", () => {
  const brokenOf = (kind: string) => counties.filter((each) => each.kind === kind).length;
  expect(counties).toHaveLength(3142);
  expect([brokenOf("broken, statewide behind"), brokenOf("broken, nothing behind")]).toEqual([132, 121]);
  expect(brokenOf("statewide, dead before")).toBe(56 + 7);
});

test("a county whose own layer is broken is answered by the one behind it, within the deadline", async () => {
  const kinds = ["broken, statewide behind", "broken, nothing behind", "statewide, dead before"];
  const sample = kinds.flatMap((kind) => counties.filter((each) => each.kind === kind).slice(0, 8));
  const ask = (before: boolean) => new PlayedMisses(sample).ask({before, totalMs, atOnce: 3});
  const before = sumsOf(await ask(true));
  const now = sumsOf(await ask(false));
  expect(before.at(-1)!.found).toBe(0);
  expect(now.filter(({counties: all}) => all > 0).map(({kind, found}) => [kind, found])).toEqual([
    ["broken, statewide behind", 8],
    ["broken, nothing behind", 0],
    ["statewide, dead before", 8],
    ["all", 16],
  ]);
  const slowest = Math.max(...[...before, ...now].map(({slowestMs}) => slowestMs));
  expect(slowest).toBeLessThan(totalMs + slackMs);
}, 240_000);
