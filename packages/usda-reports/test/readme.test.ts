import {readFileSync} from "node:fs";
import {join} from "node:path";
import {format} from "node:util";
import {expect, test} from "vitest";
import * as door from "../src/index.ts";

test("the example of the README prints what the README says", async () => {
  const text = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, code, printed] = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(text)!;
  const body = code!.replace(/^import (\{.*\}) from "@open-cattle\/usda-reports";/, "const $1 = door;");
  const lines: string[] = [];
  const log = (...values: unknown[]) => lines.push(`${format(...values)}\n`);
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  await AsyncFunction("door", "console", body)(door, {log});
  expect(lines.join("")).toBe(printed);
});
