import type {Random} from "../../server/parcels/invented-state.ts";
import type {Said} from "./mutant-build.ts";
import {encoded} from "./table.ts";

/** A damaged file: the damages, how many rows now say something else, and columns by which no row can be judged. */
export type Damaged = {
  readonly content: Buffer;
  readonly told: string;
  /** The kind of each damage that was done. */
  readonly kinds: readonly string[];
  readonly changedRows: number;
  readonly unsaid: readonly Said[];
  /** True if a heading was removed with everything that separates two tables, so that the page reads like a single table. */
  readonly traceless: boolean;
};

/** A change of the lines of a text. */
type Change = {
  readonly lines: string[];
  readonly told: string;
  readonly changed?: number;
  readonly unsaid?: readonly Said[];
};
type Damage = (lines: readonly string[], random: Random) => Change | null;

/** A newswire's row: prices without cents. */
const wireRow = /^\d[\d,]*\s+\d+-\d+\s+\d+\s+[\d.]+-[\d.]+\s+[\d.]+/;
const isRow = (line: string) =>
  (/\d\.\d{2}(?!\d)/.test(line) || wireRow.test(line)) &&
  /^\s*(?:\S+\s+|[A-Z][a-z]{2,6}(?: ?- ?[A-Z][a-z]{2})? +[A-Z]{3}\s+)?[\d<>*]/.test(line);
const isHeading = (line: string) => /\(Per [^)]*\)/.test(line);
const isColumns = (line: string) => /\bHead\b.*\bAvg Price\b/.test(line);

/** Indices of the matching lines. */
function placesOf(lines: readonly string[], fits: (line: string) => boolean): number[] {
  return [...lines.keys()].filter((at) => fits(lines[at]!));
}

function without(lines: readonly string[], from: number, count: number): string[] {
  return [...lines.slice(0, from), ...lines.slice(from + count)];
}

/** Words that occur in rows, each replaced by another of its kind. */
const rowWords = [
  ["<2", "2-4", "2-8", "5-8", ">5", ">8"],
  ["O", "T1", "T1-2", "T2", "T2-3", "T3"],
  ["Average", "High", "Low", "Very Low"],
  ["Unweaned", "Fancy", "Value Added", "Return to Feed", "Broken Mouth", "Beef Cross", "Guaranteed Bred"],
];
const gradeWords = [
  "Medium and Large 1",
  "Medium and Large 1-2",
  "Large 3",
  "Small 3-4",
  "Choice 2 - 3",
  "Lean 85-90%",
  "N/A",
  "Medium and Large 9-9",
  "1-2",
];

const damages: Readonly<Record<string, Damage>> = {
  "rows cut out": (lines, random) => {
    const at = random.pick(placesOf(lines, isRow));
    if (at === undefined) return null;
    const count = 1 + random.below(5);
    return {lines: without(lines, at, count), told: `${count} lines from ${at + 1}`};
  },
  "a heading cut out": (lines, random) => {
    const at = random.pick(placesOf(lines, isHeading));
    return at === undefined ? null : {lines: without(lines, at, 1), told: lines[at]!.trim()};
  },
  "a heading cut out with lines around it": (lines, random) => {
    const at = random.pick(placesOf(lines, isHeading));
    if (at === undefined) return null;
    const from = Math.max(0, at - random.below(4));
    return {lines: without(lines, from, at - from + 1 + random.below(4)), told: lines[at]!.trim()};
  },
  "column names cut out": (lines, random) => {
    const at = random.pick(placesOf(lines, isColumns));
    return at === undefined ? null : {lines: without(lines, at, 1), told: `line ${at + 1}`};
  },
  "a section cut out": (lines, random) => {
    const at = random.pick(
      placesOf(lines, (line) => /^\s*(FEEDER|SLAUGHTER|REPLACEMENT) [A-Z ]+$/.test(line)),
    );
    return at === undefined ? null : {lines: without(lines, at, 1), told: lines[at]!.trim()};
  },
  "a line twice": (lines, random) => {
    const at = random.below(lines.length);
    return {lines: [...lines.slice(0, at), lines[at]!, ...lines.slice(at)], told: `line ${at + 1}`};
  },
  "two pages swapped": (lines, random) =>
    movedPages(lines, random, (pages, at) => [
      ...pages.slice(0, at),
      pages[at + 1]!,
      pages[at]!,
      ...pages.slice(at + 2),
    ]),
  "a page left out": (lines, random) => movedPages(lines, random, (pages, at) => pages.toSpliced(at, 1)),
  "a page twice": (lines, random) =>
    movedPages(lines, random, (pages, at) => pages.toSpliced(at, 0, pages[at]!)),
  "the end cut off": (lines, random) => {
    const at = Math.floor(lines.length * (0.3 + 0.7 * random.next()));
    return {lines: lines.slice(0, at), told: `from line ${at + 1}`};
  },
  "columns shifted": (lines, random) => {
    const from = random.below(lines.length);
    const blanks = " ".repeat(1 + random.below(12));
    const count = 1 + random.below(40);
    return {
      lines: lines.map((line, at) =>
        at >= from && at < from + count && line !== "" ? `${blanks}${line}` : line,
      ),
      told: `${blanks.length} blanks before ${count} lines from ${from + 1}`,
    };
  },
  "another word of its kind": (lines, random) => {
    const words = random.pick(rowWords);
    const holds = (line: string, word: string) => isRow(line) && line.split(/\s+|,/).includes(word);
    const at = random.pick(placesOf(lines, (line) => words.some((word) => holds(line, word))));
    if (at === undefined) return null;
    const [from, to] = [words.find((word) => holds(lines[at]!, word))!, random.pick(words)];
    return {lines: lines.with(at, lines[at]!.replace(from, to)), told: `${from} -> ${to}`, changed: 1};
  },
  "another grade": (lines, random) => {
    const at = random.pick(placesOf(lines, (line) => isHeading(line) && / - /.test(line)));
    if (at === undefined) return null;
    const grade = random.pick(gradeWords);
    return {
      lines: lines.with(at, lines[at]!.replace(/ - .*? \(/, ` - ${grade} (`)),
      told: grade,
      // A section without its line is known by its grades.
      unsaid: ["commodity", "frame", "muscle_grade", "quality_grade"],
    };
  },
  "a damaged heading": (lines, random) => {
    const at = random.pick(placesOf(lines, isHeading));
    if (at === undefined) return null;
    const char = random.below(lines[at]!.length);
    return {
      lines: lines.with(
        at,
        lines[at]!.slice(0, char) + random.pick(["", " ", "#", "l", "\u00a0"]) + lines[at]!.slice(char + 1),
      ),
      told: `${lines[at]!.trim()} at ${char}`,
    };
  },
  "another head": (lines, random) => {
    const at = random.pick(placesOf(lines, isRow));
    return at === undefined
      ? null
      : {
          lines: lines.with(at, lines[at]!.replace(/\d+/, String(random.pick([0, 7, 99999, 1_000_000])))),
          told: `line ${at + 1}`,
          changed: 1,
        };
  },
};

function movedPages(
  lines: readonly string[],
  random: Random,
  move: (pages: string[], at: number) => string[],
): Change | null {
  const pages = lines.join("\n").split(/(?=\f)/);
  if (pages.length < 2) return null;
  const at = random.below(pages.length - 1);
  return {lines: move(pages, at).join("\n").split("\n"), told: `page ${at + 1}`};
}

/** Maximum damages of a file's lines or rows; 4.5 on average. */
export const mostDamages = 8;

/** A printed text with several damages of its lines, saved in some encoding. */
export function damageText(content: Buffer, random: Random): Damaged {
  const whole = content.toString("utf8").split("\n");
  let lines = whole;
  const [told, kinds]: [string[], string[]] = [[], []];
  const unsaid: Said[] = [];
  let changedRows = 0;
  for (let left = 1 + random.below(mostDamages); left > 0 && lines.length > 2; left--) {
    const kind = random.pick(Object.keys(damages));
    const change = damages[kind]!(lines, random);
    if (change === null) continue;
    lines = change.lines;
    told.push(`${kind} (${change.told})`);
    kinds.push(kind);
    changedRows += change.changed ?? 0;
    unsaid.push(...(change.unsaid ?? []));
  }
  const saved = encoded(lines.join("\n"), random);
  return {
    content: saved.content,
    told: [...told, ...saved.encodings].join("; "),
    kinds: [...kinds, ...saved.encodings.map(() => "another encoding")],
    changedRows,
    unsaid,
    traceless: joinsTables(whole, lines),
  };
}

/**
 * True where rows of one table of the whole text stand below rows of another, or below its heading and column names; also on both sides
 * of a page break as each table has them that goes on: with at most three blank lines at the foot, as layouts of one PDF leave none to
 * three, and one at the head.
 */
function joinsTables(whole: readonly string[], after: readonly string[]): boolean {
  // Another damage may have changed a heading's grade, or a row's head or a word.
  const keysOf = (line: string) =>
    isHeading(line)
      ? [line.trim(), line.trim().split(/\s+-\s/)[0]!]
      : [(line.match(/\d[\d,.-]*/g) ?? []).slice(-4).join(" ")];
  const tables = new Map<string, Set<number>>();
  for (const [at, line] of whole.entries())
    if (isRow(line) || isHeading(line)) {
      const table = whole.slice(0, at + 1).findLastIndex(isHeading);
      for (const key of keysOf(line)) tables.set(key, (tables.get(key) ?? new Set()).add(table));
    }
  const tablesOf = (line: string) => keysOf(line).flatMap((key) => tables.get(key) ?? [])[0];
  const text = after.map((line) => line.trimEnd()).join("\n");
  const body = text
    .replaceAll(/\n{1,4} *Source:[\s\S]*?\n *Email us with accessibility.*\n{1,2}/g, "\n")
    .split("\n")
    .filter((line, at, lines) => !(isColumns(line) && isHeading(lines[at - 1] ?? "")));
  return body.some((line, at) => {
    const below = body[at + 1] ?? "";
    const [above, own] = [tablesOf(line), isRow(below) ? tablesOf(below) : undefined];
    return above !== undefined && own !== undefined && ![...above].some((table) => own.has(table));
  });
}
