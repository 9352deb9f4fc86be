import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";

/**
 * A test for each case of a file below `test/cases`: a title behind `# `, then pairs of `given` and `expect`, both JSON.
 * `UPDATE_CASES=1` writes what comes now; the diff is then to be read.
 */
export function testCases<Given>(name: string, answer: (given: Given) => unknown): void {
  const path = join(packageRoot, "test/cases", name);
  const cases = readFileSync(path, "utf8").split(/^# /m).slice(1).map(parsed);
  if (process.env["UPDATE_CASES"] === "1") {
    test(`${name} is written`, async () => {
      const texts = [];
      for (const {title, pairs} of cases) {
        texts.push(`# ${title}\n`);
        for (const {given} of pairs)
          texts.push(`given ${inLines(given)}\nexpect ${inLines(await outcome(given))}\n`);
        texts.push("\n");
      }
      writeFileSync(path, `${texts.join("").trimEnd()}\n`);
    });
    return;
  }
  test.each(cases)("$title", async ({pairs}) => {
    for (const {given, expected} of pairs)
      expect(await outcome(given), JSON.stringify(given)).toEqual(expected);
  });

  /** The answer as JSON has it; of an error its message. */
  async function outcome(given: unknown): Promise<unknown> {
    const value = await new Promise((resolve) => resolve(answer(given as Given))).catch((error: Error) => ({
      error: error.message,
    }));
    return JSON.parse(JSON.stringify(value));
  }
}

type Body = {readonly [name: string]: unknown};
const isBody = (value: unknown): value is Body =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * A value in which each object with `like` is the object of that name in a file of `test/cases`, with its own members over it, also
 * deeper down; but `applied`, the parameters of a question, is replaced as a whole.
 */
export function withLikes(name: string, value: unknown): unknown {
  const likes = JSON.parse(readFileSync(join(packageRoot, "test/cases", name), "utf8")) as Record<
    string,
    Body
  >;
  return whole(value);

  function whole(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(whole);
    if (!isBody(part)) return part;
    const {like, ...members} = part;
    const own = Object.fromEntries(Object.entries(members).map(([each, member]) => [each, whole(member)]));
    return typeof like === "string" ? over(likes[like]!, own) : own;
  }
}

function over(like: Body, members: Body): Body {
  const merged = Object.entries(members).map(([name, member]) => {
    const below = like[name];
    return [name, isBody(member) && isBody(below) && name !== "applied" ? over(below, member) : member];
  });
  return {...like, ...Object.fromEntries(merged)};
}

function parsed(block: string): {title: string; pairs: {given: unknown; expected: unknown}[]} {
  const [title, ...parts] = block.split(/^(?=given |expect )/m);
  const pairs: {given: unknown; expected: unknown}[] = [];
  for (const part of parts) {
    const value: unknown = JSON.parse(part.slice(part.indexOf(" ")));
    if (part.startsWith("given")) pairs.push({given: value, expected: undefined});
    else pairs.at(-1)!.expected = value;
  }
  return {title: title!.trim(), pairs};
}

const width = 180;
/** JSON in lines of about that many letters. */
function inLines(value: unknown, indent = ""): string {
  const text = JSON.stringify(value);
  if (text.length + indent.length < width || value === null || typeof value !== "object") return text;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((each) => inLines(each, `${indent}  `))]
    : [
        "{",
        "}",
        Object.entries(value).map(
          ([name, each]) => `${JSON.stringify(name)}: ${inLines(each, `${indent}  `)}`,
        ),
      ];
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || `${last}${part}`.length > width || `${last}${part}`.includes("\n"))
      lines.push(part);
    else lines[lines.length - 1] = `${last}, ${part}`;
  }
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}
