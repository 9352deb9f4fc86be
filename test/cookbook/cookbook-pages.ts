import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import type {PlotRequest} from "./plot-file.ts";

/** A cookbook question with its query, the answer printed on its page, and its plot. */
export type Question = {
  readonly page: string;
  readonly number: number;
  readonly heading: string;
  readonly sql: string;
  readonly answer: string;
  readonly plot: {readonly request: PlotRequest; readonly file: string} | null;
};

export const cookbook = join(packageRoot, "docs/cookbook");

/** All questions in numerical order. Throws for a section without a query, an answer, or advice for no rows. */
export function questions(): Question[] {
  const pages = readdirSync(cookbook).filter((name) => name.endsWith(".md") && name !== "README.md");
  return pages.flatMap(questionsOf).sort((a, b) => a.number - b.number);
}

function questionsOf(page: string): Question[] {
  const sections = readFileSync(join(cookbook, page), "utf8").split(/^## /m).slice(1);
  return sections.map((section) => {
    const found =
      /^(\d+)\. (.+)\n[\s\S]*?\nNo rows: [\s\S]{20,}?\n\n```sql\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(
        section,
      );
    if (found === null)
      throw new Error(`${page}: no "No rows", query and answer below "${section.split("\n")[0]}"`);
    const [, number, heading, sql, answer] = found;
    return {
      page,
      number: Number(number),
      heading: heading!,
      sql: sql!,
      answer: answer!,
      plot: plotOf(section),
    };
  });
}

/** The plot described in a comment: a kind, `line`, `x`, `y` as column names, and the unit of `y`. */
function plotOf(section: string): Question["plot"] {
  const asked = /<!-- plot: (lines|bars) (.*) -->\n\n!\[.*\]\((.+)\)/.exec(section);
  if (asked === null) return null;
  const [, kind, words, file] = asked;
  const given = Object.fromEntries(
    [...words!.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, bare]) => [
      name!,
      quoted ?? bare!,
    ]),
  );
  const {line, x = "", y = "", unit = ""} = given;
  return {
    file: file!,
    request: {kind: kind as "lines" | "bars", x, y, unit, ...(line === undefined ? {} : {line})},
  };
}

/** Replaces the answer below the query of a question. */
export function writeAnswer({page, sql, answer: before}: Question, answer: string): void {
  const path = join(cookbook, page);
  const block = (text: string) => `${sql}\`\`\`\n\n\`\`\`text\n${text}\`\`\``;
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(block(before), () => block(answer)),
  );
}
