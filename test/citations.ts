import {basename, dirname, join} from "node:path";
import {projectFiles, projectText} from "./project-files.ts";
import {ruleDocument} from "./rules.ts";

const files = projectFiles();
const paths = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
const names = new Set(files.map((file) => basename(file)));
const design = files.filter((file) => /^docs\/design\/.*\.md$/.test(file));
const sections = new Map(design.map((file) => [basename(file), sectionsOf(projectText(file))]));
const rules = new Set(
  files.filter((file) => ruleDocument.test(file)).flatMap((file) => rulesOf(projectText(file))),
);
const planned = documentsIn(/## Not built yet\n[^#]*/.exec(projectText("docs/design/README.md"))![0]);

const number = /\d+(?:\.\d+)?/;
const cited = new RegExp(
  `(?:([\\w-]+\\.md)[\`)\\]]* )?(section ${number.source}|sections ${number.source}(?:(?:, | and )${number.source})+)`,
  "g",
);
/** A citation without the word "section", which the pattern above misses. */
const withoutWord = /docs\/design\/[\w-]+\.md`? \d[\d.]*/g;
const id = /[A-Z]\d{1,2}/;
/** Rules at the start of a title, as in "D5, C4: …" and "V19 follows …". */
const titled = new RegExp(`["\`](${id.source}(?:, ${id.source})*)(?=: | [a-z])`, "g");
/** A rule in a comment beside a section, as in "section 8, B1" and "section 3, vector V16". */
const besideSection = new RegExp(`\\.md\`? section [\\d.]+, (?:vector )?(${id.source})\\b`, "g");
/** Limitations have two digits, so that nothing else in the code looks like one. */
const limitation = /\b[LP][0-2]\d\b/g;

/** The sections of `docs/design/` that a text cites but that do not exist, each as document and number. */
export function missingSections(file: string, text: string): string[] {
  const own = design.includes(file) ? basename(file) : undefined;
  const line = flowing(text);
  const missing = [...line.matchAll(cited)].flatMap(([, document = own, list]) => {
    if (document === undefined) return [];
    const wanted = list!.match(new RegExp(number, "g"))!.filter((each) => !sections.get(document)?.has(each));
    return wanted.map((each) => `${document} section ${each}`);
  });
  return [...missing, ...(line.match(withoutWord) ?? [])];
}

/** The documents that a text names but that the repository neither has nor plans (`docs/design/README.md`). */
export function missingDocuments(file: string, text: string): string[] {
  return documentsIn(text).filter((name) => {
    const isThere = name.includes("/")
      ? paths.has(name) || paths.has(join(dirname(file), name)) || name.endsWith("/README.md")
      : names.has(name);
    return !isThere && !planned.includes(name);
  });
}

/** The rules that titles, comments and limitations name but that no document of `docs/design/` has. */
export function missingRules(text: string): string[] {
  const named = [titled, besideSection].flatMap((pattern) =>
    [...flowing(text).matchAll(pattern)].flatMap(([, ids]) => ids!.split(", ")),
  );
  return [...named, ...(text.match(limitation) ?? [])].filter((rule) => !rules.has(rule));
}

/** The relative links of a document to a missing file or heading. */
export function brokenLinks(file: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets.filter((target) => {
    const [path, heading] = target.split("#") as [string, string?];
    const to = path === "" ? file : join(dirname(file), path).replace(/\/$/, "");
    if (!paths.has(to)) return true;
    return heading !== undefined && !anchorsOf(to === file ? text : projectText(to)).includes(heading);
  });
}

/** The text on one line without comment marks, so that a wrapped citation is whole again. */
function flowing(text: string): string {
  return text.replaceAll(/\n\s*(?:(?:\*|\/\/|#)\s)?\s*/g, " ");
}

function documentsIn(text: string): string[] {
  return [...text.replaceAll(/https?:\S+/g, "").matchAll(/(?<![\w.@/-])[\w./-]*\w\.md\b(?!\w|[.-]\w)/g)].map(
    ([name]) => name.replace(/^\.\//, ""),
  );
}

function sectionsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/^##+ (\d+(?:\.\d+)?)\b/gm)].map(([, section]) => section!));
}

/** The rules of a document: each starts a table row or a bold paragraph. */
function rulesOf(text: string): string[] {
  return [...text.matchAll(/^(?:\| |\*\*)([A-Z]\d{1,2})(?= \||,)/gm)].map(([, rule]) => rule!);
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
