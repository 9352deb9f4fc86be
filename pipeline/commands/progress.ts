import {visibleText} from "../../lib/text/visible-text.ts";
import type {Extent, Step} from "../parts/options.ts";

type Terminal = {isTTY?: boolean; write(text: string): unknown};
type ProgressParts = {terminal?: Terminal; nowMs?: () => number; atOnce?: number};

const MEBIBYTE = 2 ** 20;
const FIRST_MS = 100;
const TICK_MS = 1000;

/**
 * Returns a step that displays itself on stderr as one line with position, title, last text, time, rate and time left, such as `3 of 17  TX
 * 184,202 rows  12 seen twice  41 rejected  built  12.4 s  14.9 MiB/s  about 2 min left`. On a terminal the line appears at once and is
 * rewritten every second. Elsewhere, or with several concurrent steps, a running step prints a line after a tenth of a second and then
 * every ten seconds.
 */
export function shownProgress({
  terminal = process.stderr,
  nowMs = () => performance.now(),
  atOnce = 1,
}: ProgressParts = {}): Step {
  let firstMs: number | null = null;
  const live = terminal.isTTY === true && atOnce === 1;
  return async (title, work, extent) => {
    const startedMs = nowMs();
    if (extent !== undefined) firstMs ??= startedMs;
    let word = "";
    const line = (over: boolean) => {
      const seconds = (nowMs() - startedMs) / 1000;
      const place = extent === undefined ? "" : `${extent.number} of ${extent.of}`;
      const rest =
        extent === undefined ? [] : pace(extent, {over, seconds, sinceFirst: (nowMs() - firstMs!) / 1000});
      return visibleText(
        [place, title, word, `${seconds.toFixed(1)} s`, ...rest].filter((part) => part !== "").join("  "),
      );
    };
    // Carriage return, and "erase to the end of the line" (ECMA-48 EL).
    const show = (over: boolean) =>
      terminal.write(`${live ? "\r\u001b[K" : ""}${line(over)}${over ? "\n" : ""}`);
    const say = (text: string) => {
      word = text;
      if (live) show(false);
    };
    if (live) show(false);
    let ticks = 0;
    const tick = () => {
      if (live) show(false);
      else if (ticks++ % 10 === 0) terminal.write(`${line(false)}\n`);
    };
    const first = setTimeout(tick, FIRST_MS).unref();
    const ticking = setInterval(tick, TICK_MS).unref();
    try {
      return await work(say);
    } catch (error) {
      say("failed");
      throw error;
    } finally {
      clearTimeout(first);
      clearInterval(ticking);
      show(true);
    }
  };
}

type Elapsed = {readonly over: boolean; readonly seconds: number; readonly sinceFirst: number};

/** Returns the rate of a finished step, and the time left estimated from the bytes done. */
function pace({bytes, bytesBefore, bytesInAll}: Extent, {over, seconds, sinceFirst}: Elapsed): string[] {
  const done = over ? bytesBefore + bytes : bytesBefore;
  const rate = over && bytes > 0 && seconds > 0 ? `${(bytes / MEBIBYTE / seconds).toFixed(1)} MiB/s` : "";
  const left = done === 0 || done >= bytesInAll ? "" : leftText((sinceFirst / done) * (bytesInAll - done));
  return [rate, left];
}

function leftText(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}
