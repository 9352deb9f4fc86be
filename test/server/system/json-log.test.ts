import {expect, test} from "vitest";
import {openLog} from "../../../server/system/json-log.ts";

test("a line has level, UTC time, what is on every line, the facts and the words, in this order", () => {
  const lines: string[] = [];
  const log = openLog("info", (line) => lines.push(line), {process: 2});
  log.warn({reason: 'a "name"\n\u001b[31m', at: undefined}, "refused");
  log.info("stopped");
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(lines.map((line) => Object.entries(JSON.parse(line)))).toEqual([
    Object.entries({level: "warn", time, process: 2, reason: 'a "name"\n\u001b[31m', msg: "refused"}),
    Object.entries({level: "info", time, process: 2, msg: "stopped"}),
  ]);
  expect(lines.every((line) => line.indexOf("\n") === line.length - 1 && !line.includes("\u001b"))).toBe(
    true,
  );
});

test("lines below the level are not written", () => {
  const written = (level: Parameters<typeof openLog>[0]) => {
    const lines: string[] = [];
    const log = openLog(level, (line) => lines.push(line));
    for (const each of ["trace", "debug", "info", "warn", "error", "fatal"] as const) {
      const before = lines.length;
      log[each]("x");
      expect(log.isLevelEnabled(each)).toBe(lines.length > before);
    }
    return lines.length;
  };
  expect((["trace", "info", "error", "silent"] as const).map(written)).toEqual([6, 4, 2, 0]);
});
