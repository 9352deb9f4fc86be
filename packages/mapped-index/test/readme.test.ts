import {readFileSync} from "node:fs";
import {join} from "node:path";
import {format} from "node:util";
import {expect, test} from "vitest";
import * as door from "../src/index.ts";

test("the example of the README prints what the README says", async () => {
  const text = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, code, printed] = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(text)!;
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  const body = code!.replaceAll(/^import (\{.*\}) from "(.*)";$/gm, 'const $1 = await load("$2");');
  const load = async (name: string) => (name === "@open-cattle/mapped-index" ? door : import(name));
  const lines: string[] = [];
  const log = (...values: unknown[]) => lines.push(`${format(...values)}\n`);
  await AsyncFunction("load", "console", body)(load, {log});
  expect(lines.join("")).toBe(printed);
});
