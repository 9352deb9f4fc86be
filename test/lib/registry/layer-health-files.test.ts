import {expect, test} from "vitest";
import {mergedHealth} from "../../../lib/registry/layer-health-files.ts";
import type {LayerHealth, LayerMark} from "../../../schemas/layer-health.ts";

const minute = (n: number) => `2026-11-20T05:0${n}:00.000Z`;
const health = (at: number, failed: [at: number, mark: LayerMark] | null): LayerHealth => ({
  ...{mark: "good", at: minute(at), good: minute(at), failures: 0, counties: []},
  failed: failed && {at: minute(failed[0]), mark: failed[1]},
});

test.each<[string, LayerHealth["failed"], LayerHealth, LayerHealth]>([
  ["the later one", {at: minute(2), mark: "slow"}, health(4, [1, "gone"]), health(3, [2, "slow"])],
  ["the later one", {at: minute(2), mark: "gone"}, health(4, [2, "gone"]), health(3, [1, "slow"])],
  [
    "of one instant that of the record asked last",
    {at: minute(1), mark: "gone"},
    health(4, [1, "gone"]),
    health(3, [1, "slow"]),
  ],
  ["the only one", {at: minute(1), mark: "slow"}, health(4, null), health(3, [1, "slow"])],
])("the last failure of a layer in two records is %s", (_, failed, newer, older) => {
  expect(mergedHealth(newer, older)).toEqual({...newer, failed});
  expect(mergedHealth(older, newer)).toEqual({...newer, failed});
});
