import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeAll, expect, test, vi} from "vitest";
import {main} from "../../pipeline/cli.ts";
import {sampleBuild} from "../sample-build.ts";
import {cookbook, type Question, questions, writeAnswer} from "./cookbook-pages.ts";
import {plotFile} from "./plot-file.ts";

const update = process.env["UPDATE_DOCS"] === "1";
let data: string;

beforeAll(async () => {
  data = (await sampleBuild("2026-11-21")).data.root;
});
afterEach(() => vi.restoreAllMocks());

/** What `cattle sql` prints for a query. */
async function printed(...words: string[]): Promise<string> {
  let out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  const code = await main(["sql", ...words, "--out", data]);
  vi.restoreAllMocks();
  expect(code, words[0]).toBe(0);
  return out;
}

test("the cookbook has twenty questions, numbered in order, and no plot that none of them shows", () => {
  expect(questions().map(({number}) => number)).toEqual(Array.from({length: 20}, (_, i) => i + 1));
  expect(questions().filter(({plot}) => plot !== null).length).toBeGreaterThanOrEqual(5);
});

test.each(questions())("question $number: $heading", async (question: Question) => {
  const answer = await printed(question.sql);
  if (update) writeAnswer(question, answer);
  else expect(answer).toBe(question.answer);
  if (question.plot === null) return;
  const path = join(cookbook, question.plot.file);
  const drawn = plotFile(JSON.parse(await printed(question.sql, "--json")), question.plot.request);
  if (update) writeFileSync(path, drawn);
  expect(existsSync(path) && readFileSync(path, "utf8") === drawn, question.plot.file).toBe(true);
});
