import {expect, test} from "vitest";
import {shownProgress} from "../../../pipeline/commands/progress.ts";

/** A terminal that records its output, and a clock that the test sets. */
function stage(isTTY: boolean) {
  const written: string[] = [];
  const clock = {ms: 0};
  const terminal = {isTTY, write: (text: string) => written.push(text)};
  return {written, clock, step: shownProgress({terminal, nowMs: () => clock.ms})};
}

const mebibytes = (count: number) => count * 2 ** 20;

test("each part shows its place, its rate, and the time left by the bytes that are done", async () => {
  const {written, clock, step} = stage(false);
  const inAll = {of: 17, bytesInAll: mebibytes(40)};
  const work = async (say: (text: string) => void) => {
    say("184,202 rows");
    clock.ms += 10_000;
  };
  await step("TX", work, {number: 3, bytes: mebibytes(20), bytesBefore: 0, ...inAll});
  await step("WA", work, {number: 4, bytes: mebibytes(10), bytesBefore: mebibytes(20), ...inAll});
  expect(written).toEqual([
    "3 of 17  TX  184,202 rows  10.0 s  2.0 MiB/s  about 10 s left\n",
    "4 of 17  WA  184,202 rows  10.0 s  1.0 MiB/s  about 7 s left\n",
  ]);
});

test("a terminal is shown the line from the start, and it is written over", async () => {
  const {written, step} = stage(true);
  await step("plan", async () => undefined);
  expect(written).toEqual(["\r\u001b[Kplan  0.0 s", "\r\u001b[Kplan  0.0 s\n"]);
});

test("a step that fails says so and passes the fault on", async () => {
  const {written, step} = stage(false);
  const failing = step("plan", () => Promise.reject(new Error("no disk")));
  await expect(failing).rejects.toThrow("no disk");
  expect(written).toEqual(["plan  failed  0.0 s\n"]);
});
