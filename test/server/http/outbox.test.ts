import {setImmediate as nextTurn} from "node:timers/promises";
import {afterEach, expect, it, vi} from "vitest";
import {endTogether} from "../../../server/http/outbox.ts";

afterEach(() => vi.restoreAllMocks());

it("ends what is ready in one turn together, in order, at the end of the turn", async () => {
  const ended: number[] = [];
  for (const each of [1, 2, 3]) endTogether(() => ended.push(each));
  await Promise.resolve();
  expect(ended).toEqual([]);
  await nextTurn();
  expect(ended).toEqual([1, 2, 3]);
});

it("makes no answer wait for long for those that take their time", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const ended: number[] = [];
  endTogether(() => ended.push(1));
  clock.mockReturnValue(1_003);
  endTogether(() => ended.push(2));
  expect(ended).toEqual([1, 2]);
  endTogether(() => ended.push(3));
  await nextTurn();
  expect(ended).toEqual([1, 2, 3]);
});
