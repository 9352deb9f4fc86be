import {isNullText} from "../parcels/null-text.ts";

/** Cells of a column, row by row; `known` is false without any. */
export class ColumnValues {
  /** One for each sampled row, trimmed; empty where the row has no value. */
  readonly cells: readonly string[];
  readonly filled: readonly string[];

  constructor(samples: readonly string[] | undefined) {
    this.cells = (samples ?? []).map((cell) => (isNullText(cell, "number") ? "" : cell.trim()));
    this.filled = this.cells.filter((cell) => cell !== "");
  }

  get known(): boolean {
    return this.filled.length > 0;
  }

  /** The share of the filled cells that pass a test; 0 without any. */
  share(test: (cell: string) => boolean): number {
    return this.known ? this.filled.filter(test).length / this.filled.length : 0;
  }

  /** True for cells that are dictionaries or lists in JSON or in Python's spelling: they hold members, and are no value themselves. */
  get isNested(): boolean {
    return this.share((cell) => /^(?:\{.*\}|\[.*\])$/s.test(cell)) >= 0.5;
  }

  /** The names of the members of such cells. */
  get members(): readonly string[] {
    const names = this.filled.flatMap((cell) =>
      [...cell.matchAll(/['"](\w+)['"]\s*:/g)].map(([, name]) => name!),
    );
    return [...new Set(names)];
  }

  /** The share of different values among the filled cells. */
  get distinct(): number {
    return this.known ? new Set(this.filled).size / this.filled.length : 0;
  }

  /** The cells as numbers, row by row; NaN for a cell without a number. */
  get numbers(): readonly number[] {
    return this.cells.map(numberOf);
  }

  /** The middle of the numbers above 0; null without one. */
  get median(): number | null {
    const positive = this.numbers.filter((each) => each > 0).sort((a, b) => a - b);
    return positive[Math.floor(positive.length / 2)] ?? null;
  }
}

/** The number of a printed cell (`$1,200.50`); NaN for a text. */
export function numberOf(cell: string): number {
  return /\d/.test(cell) ? Number(cell.replace(/[$,\s]/g, "")) : Number.NaN;
}
