import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";

/** A test for each case of a file beside the tests: a title behind `# `, then pairs of `given` and `expect`, both JSON. */
export function testCases<Given>(name: string, answer: (given: Given) => unknown): void {
  const text = readFileSync(join(import.meta.dirname, "cases", name), "utf8");
  const cases = text.split(/^# /m).slice(1);
  test.each(cases.map((block) => [block.slice(0, block.indexOf("\n")), block]))("%s", (_, block) => {
    const pairs = block.split(/^given /m).slice(1);
    expect(pairs).not.toEqual([]);
    for (const [given, expected] of pairs.map((pair) => pair.split(/^expect /m)))
      expect(JSON.parse(JSON.stringify(answer(JSON.parse(given!)))), given).toEqual(JSON.parse(expected!));
  });
}
