import {existsSync, readFileSync} from "node:fs";
import {dirname, join, normalize} from "node:path";
import type {AnyModel} from "../../lib/models/model.ts";
import {packageRoot} from "../../lib/paths.ts";

/** Rooms in which values of the market and of parcels are decided. */
const rooms = /^(pipeline\/market|lib\/market|schemas\/market-fields|(lib|pipeline)\/parcels)\//;
const depth = 3;
const mostFiles = 5;

/**
 * The files that decide a column which a model computes, by their text, the likeliest first: where a field has the formula, whose SQL has the
 * formula, or says `AS <name>` as it does; for rows of TypeScript the `readers` and `computedIn`, then where a member has the column's name.
 * The model's own file alone where no text tells, or the sources are not there.
 */
export function decidingFiles(
  {file, name, sql, computedIn = []}: AnyModel,
  column: string,
  {formula, readers}: {formula: string | null; readers: readonly string[]},
): string[] {
  const near = [...readers, ...computedIn, file];
  const texts = new Map(
    [...near, ...near.flatMap((each) => importedBy(each, depth))].map((each) => [each, textOf(each)]),
  );
  const having = (pattern: RegExp) => [...texts.keys()].filter((each) => pattern.test(texts.get(each)!));
  const chosen = sql === undefined ? ofRows() : ofSql();
  return chosen.length === 0 ? [file] : [...new Set(chosen)].slice(0, mostFiles);

  function ofSql(): string[] {
    const fields = /^(county|state|latest)_prices$/.test(name)
      ? fieldFormulas(texts, column.replace(/_unrounded$/, ""))
      : [];
    if (fields.length > 0) return fields;
    const exact = formula === null ? [] : having(patternOf(formula));
    const alias = /\bAS "?(\w+)"?$/.exec(formula ?? "")?.[1] ?? column;
    const files = exact.length > 0 ? exact : having(new RegExp(`\\bAS "?${alias}"?\\b`));
    const isBeside = (each: string) => dirname(each) === dirname(file);
    return [...files.filter(isBeside), ...files.filter((each) => !isBeside(each))];
  }

  function ofRows(): string[] {
    const camel = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const names = `"?(?:${column}|${camel})"?`;
    // A member of a type ends with a semicolon.
    const members = having(new RegExp(`^(?!.*;$).*(?<![\\w.])${names}\\s*:|\\.${column} =`, "m"));
    const passing = new RegExp(`(?<![\\w.])${names}: (?:[\\w!?]+\\.)*${names}(?=,|$| \\})`, "m");
    const computing = members.filter((each) => !passing.test(texts.get(each)!));
    const table = name.replace(/^staged_|_values$/g, "");
    const ofTable = computing.filter((each) => each.includes(table) && each !== file);
    const data = computedIn.filter((each) => !each.endsWith(".ts"));
    const stated =
      column === "source_id" ? readers : [...readers, ...computedIn].filter((each) => members.includes(each));
    return [...data, ...ofTable, ...(stated.length > 0 ? stated : computedIn), ...computing, ...members];
  }
}

/** A pattern for a formula in the text of a program: DuckDB adds brackets and takes blanks away. */
function patternOf(formula: string): RegExp {
  const tokens = formula.replaceAll(/[()"]/g, " ").trim().split(/\s+/);
  return new RegExp(
    tokens.map((token) => token.replaceAll(/[.*+?^${}|[\]\\]/g, "\\$&")).join('[\\s()"]+'),
    "i",
  );
}

/** Where a field says its formula, or the file of a formula that it names; none for a field without one. */
function fieldFormulas(texts: ReadonlyMap<string, string>, column: string): string[] {
  return [...texts].flatMap(([file, text]) => {
    const entry = text
      .split(new RegExp(`^ +"?${column}"?: field\\(`, "m"))[1]
      ?.split(/^ {2}\w+: field\(/m)[0];
    const formula = /\bsql: (?:(\w+)\b|"\w+")?/.exec(entry ?? "");
    // A plain name is that of another column of the same statement.
    if (formula === null || formula[0].endsWith('"')) return [];
    const [, name] = formula;
    const declared = new RegExp(`(const|function) ${name}\\b`);
    return name === undefined
      ? [file]
      : [...[...texts].filter(([, each]) => declared.test(each)).map(([each]) => each), file];
  });
}

/** The files of these rooms that a file imports, and those that they import, `levels` deep. */
function importedBy(file: string, levels: number): string[] {
  if (levels === 0) return [];
  const paths = [...textOf(file).matchAll(/ from "(\.[^"]+)"/g)].map(([, path]) =>
    normalize(join(dirname(file), path!)),
  );
  const inRooms = paths.filter((path) => rooms.test(path));
  return [...inRooms, ...inRooms.flatMap((path) => importedBy(path, levels - 1))];
}

function textOf(file: string): string {
  const path = join(packageRoot, file);
  return /\.ts$/.test(file) && existsSync(path) ? readFileSync(path, "utf8") : "";
}
