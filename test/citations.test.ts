import {expect, test} from "vitest";
import {brokenLinks, missingDocuments, missingRules, missingSections} from "./citations.ts";
import {projectFiles, projectText} from "./project-files.ts";
import {designRules, heldByNone, testsOf} from "./rules.ts";

const texts = projectFiles()
  .filter((file) => /\.(ts|js|json|md|sh|py|yml|service|timer|conf|env)$|^(Makefile|\.ci\/run)$/.test(file))
  .filter((file) => !/^(package-lock\.json|test\/citations\.test\.ts)$/.test(file))
  .map((file) => ({file, text: projectText(file)}));
const code = texts.filter(({file}) =>
  /^(bin|packages|schemas|lib|pipeline|server|bench|test|\.ci)\/.*\.[jt]s$/.test(file),
);

/** The faults of each file that has any. */
function faults(of: typeof texts, find: (file: string, text: string) => string[]): [string, string[]][] {
  return of.flatMap(({file, text}): [string, string[]][] => {
    const found = find(file, text);
    return found.length === 0 ? [] : [[file, found]];
  });
}

test("every section that is cited is a heading of its document", () => {
  expect(faults(texts, missingSections)).toEqual([]);
});

test("every document that is named is in the repository, or listed as not built yet", () => {
  expect(faults(texts, missingDocuments)).toEqual([]);
});

test("every rule that a title or comment names is in docs/design", () => {
  expect(faults(code, (_, text) => missingRules(text))).toEqual([]);
});

test("every rule of docs/design has a test that names it, but for those that are listed, none of which has one", () => {
  const without = designRules().filter((rule) => testsOf(rule).length === 0);
  expect(without.map(({id}) => id).sort()).toEqual(heldByNone);
});

test("every relative link of a document leads to a file and to a heading", () => {
  const documents = texts.filter(({file}) => file.endsWith(".md"));
  expect(faults(documents, brokenLinks)).toEqual([]);
});

test("only the conformance tests and their runner refer to a folder outside the repository", () => {
  const elsewhere = texts.filter(({file}) => !/^(test\/conformance|\.ci)\/|^Makefile$/.test(file));
  expect(elsewhere.filter(({text}) => text.includes("../shared")).map(({file}) => file)).toEqual([]);
});

test("finds a missing section, document, rule, link and heading, even in a wrapped comment", () => {
  const comment =
    "/**\n * As `docs/design/market.md`\n * sections 3 and 99 say (docs/design/parcels.md section 5.1, X99).\n */";
  expect(missingSections("lib/a.ts", comment)).toEqual(["market.md section 99"]);
  expect(missingSections("lib/a.ts", "// docs/design/market.md 3")).toEqual(["docs/design/market.md 3"]);
  expect(missingSections("docs/design/market.md", "as section 77 says")).toEqual(["market.md section 77"]);
  expect(missingDocuments("lib/a.ts", "// domain.md and docs/design/none.md, not README.md")).toEqual([
    "domain.md",
    "docs/design/none.md",
  ]);
  expect(missingRules(`${comment}\ntest("D5, D99: kept"); it("V98 weights"); // L99`)).toEqual(
    expect.arrayContaining(["D99", "V98", "X99"]),
  );
  expect(missingRules("/** L05 with its numbers, L00 */")).toEqual(["L00"]);
  const links = "[a](README.md) [b](none.md) [c](docs/design/market.md#14-test-vectors) [d](README.md#none)";
  expect(brokenLinks("README.md", links)).toEqual(["none.md", "README.md#none"]);
});
