import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {expect, it} from "vitest";

const path = join(import.meta.dirname, "../data/epsg.tsv");
const packageFolder = join(dirname(createRequire(import.meta.url).resolve("epsg-index/package.json")), "s");
const header = `# Coordinate reference systems: the definition as proj4 reads it, then the EPSG codes that have it.
# From the package epsg-index (ISC; a test compares and, with UPDATE_DOCS=1, writes this), which has it from the EPSG dataset of the IOGP by epsg.io.
`;

it("is what the package says of every code, without the rest of its 40 MB", () => {
  const codesOf = new Map<string, number[]>();
  const files = readdirSync(packageFolder).map((name) => Number.parseInt(name, 10));
  for (const code of files.filter((each) => each > 0).sort((a, b) => a - b)) {
    const text = readFileSync(join(packageFolder, `${code}.json`), "utf8");
    const {proj4 = null} = (text === "" ? {} : JSON.parse(text)) as {proj4?: string | null};
    if (proj4 === null || proj4 === "") continue;
    const definition = proj4.trim();
    codesOf.set(definition, [...(codesOf.get(definition) ?? []), code]);
  }
  const table = [...codesOf].map(([definition, codes]) => `${definition}\t${codes.join(" ")}\n`).join("");
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(path, header + table);
  expect(readFileSync(path, "utf8") === header + table).toBe(true);
});
