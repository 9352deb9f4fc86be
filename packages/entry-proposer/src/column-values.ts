import {nullSpellings} from "@open-cattle/us-address";

/** Pattern of a string in single or double quotes. */
export const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;

/** The cells of a column, row by row; `known` is false when all are empty. */
export class ColumnValues {
  /** One per sampled row, trimmed; empty where the row has no value. */
  readonly cells: readonly string[];
  readonly filled: readonly string[];

  constructor(samples: readonly string[] | undefined) {
    this.cells = (samples ?? []).map((cell) => (isNull(cell) ? "" : cell.trim()));
    this.filled = this.cells.filter((cell) => cell !== "");
  }

  get known(): boolean {
    return this.filled.length > 0;
  }

  /** The share of filled cells that pass a test; 0 when none is filled. */
  share(test: (cell: string) => boolean): number {
    return this.known ? this.filled.filter(test).length / this.filled.length : 0;
  }

  /**
   * True for a column of dictionaries or lists, in JSON or Python notation; its cells have members but are
   * not values.
   */
  get isNested(): boolean {
    return this.share((cell) => /^(?:\{.*\}|\[.*\])$/s.test(cell)) >= 0.5;
  }

  /** The member names in such cells. */
  get members(): readonly string[] {
    const names = this.filled.flatMap((cell) =>
      [...cell.matchAll(/['"](\w+)['"]\s*:/g)].map(([, name]) => name!),
    );
    return [...new Set(names)];
  }

  /** The share of distinct values among the filled cells. */
  get distinct(): number {
    return this.known ? new Set(this.filled).size / this.filled.length : 0;
  }

  /** The cells as numbers, row by row; NaN where a cell has no number. */
  get numbers(): readonly number[] {
    return this.cells.map(numberOf);
  }

  /** The median of the positive numbers; null when there are none. */
  get median(): number | null {
    const positive = this.numbers.filter((each) => each > 0).sort((a, b) => a - b);
    return positive[Math.floor(positive.length / 2)] ?? null;
  }
}

/** True for a cell that says that there is no value; a 0 is one. */
function isNull(cell: string): boolean {
  const text = cell.trim().toUpperCase();
  return text !== "0" && nullSpellings.has(text);
}

/** The number in a printed cell (`$1,200.50`); NaN for text. */
export function numberOf(cell: string): number {
  return /\d/.test(cell) ? Number(cell.replace(/[$,\s]/g, "")) : Number.NaN;
}

/**
 * A member's value in a dictionary cell, in JSON or Python notation: strings without quotes, the strings of a
 * list one per line, and a nested dictionary verbatim; null when absent. The transform `member` does the same
 * in SQL.
 */
export function memberOf(cell: string, name: string): string | null {
  const value = new RegExp(memberPattern(name)).exec(cell)?.[1]?.trim();
  if (value === undefined || /^(?:None|null|)$/.test(value)) return null;
  if (value.startsWith("["))
    return [...value.matchAll(new RegExp(quoted, "g"))].map(([text]) => text.slice(1, -1)).join("\n");
  return /^['"]/.test(value) ? value.slice(1, -1) : value;
}

/** Pattern of a member whose first group is its value; a nested dictionary may not contain another one. */
export function memberPattern(name: string): string {
  return String.raw`['"]${name}['"]\s*:\s*(\{[^{}]*\}|\[[^\[\]]*\]|${quoted}|[^,}\]]+)`;
}

/** The paths of the members in a column of dictionaries: names, and names within nested dictionaries. */
export function memberPaths(cells: readonly string[]): string[][] {
  const cellsByPath = new Map<string, number>();
  for (const cell of cells) {
    const inner = new Set<string>();
    for (const name of namesIn(cell)) {
      const value = memberOf(cell, name);
      if (value?.startsWith("{"))
        for (const member of namesIn(value)) inner.add(member).add(`${name} ${member}`);
    }
    for (const name of [
      ...namesIn(cell).filter((each) => !inner.has(each)),
      ...[...inner].filter((each) => each.includes(" ")),
    ])
      cellsByPath.set(name, (cellsByPath.get(name) ?? 0) + 1);
  }
  return [...cellsByPath].filter(([, n]) => n * 10 >= cells.length).map(([path]) => path.split(" "));
}

function namesIn(cell: string): string[] {
  return [...new Set([...cell.matchAll(/['"]([A-Za-z]\w*)['"]\s*:/g)].map(([, name]) => name!))];
}
