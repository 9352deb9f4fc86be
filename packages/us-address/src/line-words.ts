import {upperPlain} from "./fold-text.ts";

/** The words of a line, and what was printed before each. */
export type LineWords = {
  readonly words: string[];
  /**
   * True for a word after a comma, semicolon, line feed or lone punctuation mark, even at the start of the
   * line.
   */
  readonly breaks: boolean[];
  /** True for a word after such a break of which a bracket, or a lone hyphen or slash, is all: it sets apart more than towns. */
  readonly asides: boolean[];
  /** True for a word after two or more blanks. */
  readonly gaps: boolean[];
};

const hash = 35;
const ampersand = 38;
const apostrophe = 39;
const comma = 44;
const hyphen = 45;
const period = 46;
const slash = 47;
const atSign = 64;
const backquote = 96;

/**
 * Splits a line into upper-case words without accents. Apostrophes and the periods of abbreviations are
 * dropped; commas, semicolons, line feeds, and lone periods or hyphens are breaks; `#` and `&` are words.
 */
export function lineWords(line: string): LineWords {
  return splitLine(upperPlain(line));
}

/** The words of a line that is in upper case without accents. */
export function splitLine(line: string): LineWords {
  return new LineSplitter(line).split();
}

class LineSplitter {
  private readonly text: string;
  private readonly found: LineWords = {words: [], breaks: [], asides: [], gaps: []};
  private word = "";
  private blanks = 0;
  private afterBreak = false;
  private afterAside = false;

  constructor(text: string) {
    this.text = text;
  }

  split(): LineWords {
    for (let at = 0; at < this.text.length; ) {
      const end = endOfRun(this.text, at);
      if (end > at) this.word += this.text.slice(at, end);
      else this.read(at, this.text.charCodeAt(at));
      at = Math.max(end, at + 1);
    }
    this.endWord();
    return this.found;
  }

  private read(at: number, code: number): void {
    if (code === period) {
      this.readPeriod(at);
    } else if (code === hash || code === ampersand || code === atSign) {
      this.endWord();
      this.word = code === hash ? "#" : "&";
      this.endWord();
    } else if (isBracket(code)) {
      this.endWord();
      this.afterAside = true;
    } else if (isBreak(code)) {
      this.endWord();
      this.afterBreak = true;
    } else if (code !== apostrophe && code !== backquote) {
      this.endWord();
      this.blanks++;
    }
  }

  private readPeriod(at: number): void {
    const kind = periodKind(this.text, at, this.word);
    if (kind === "keep") this.word += ".";
    else if (kind === "blank") this.endWord();
    else if (kind === "break") this.afterBreak = true;
  }

  private endWord(): void {
    if (this.word === "") return;
    const bare = withoutHyphens(this.word);
    if (bare === "" || bare === "/") this.afterAside = true;
    else {
      this.found.words.push(bare);
      this.found.breaks.push(this.afterBreak || this.afterAside);
      this.found.asides.push(this.afterAside && !this.afterBreak);
      this.found.gaps.push(this.blanks > 1);
      this.afterBreak = false;
      this.afterAside = false;
    }
    this.word = "";
    this.blanks = 0;
  }
}

/** The end of the letters, digits, hyphens and slashes that begin at `from`. */
function endOfRun(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code) && !isDigit(code) && code !== hyphen && code !== slash) return at;
  }
  return text.length;
}

/** True for a comma, semicolon, line feed or vertical bar. */
function isBreak(code: number): boolean {
  return code === comma || code === 59 || code === 10 || code === 13 || code === 124;
}

function isBracket(code: number): boolean {
  return code === 40 || code === 41 || code === 91 || code === 93;
}

/** Strips leading and trailing hyphens. */
function withoutHyphens(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && word[from] === "-") from++;
  while (to > from && word[to - 1] === "-") to--;
  return to - from === word.length ? word : word.slice(from, to);
}

function isLetter(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * What a period does: it stays in a decimal, is dropped after an initial, separates words, or alone is a
 * break.
 */
function periodKind(text: string, at: number, word: string): "keep" | "drop" | "blank" | "break" {
  const next = text.charCodeAt(at + 1);
  if (word === "") return isLetter(next) || isDigit(next) || next === period ? "drop" : "break";
  const last = word.charCodeAt(word.length - 1);
  if (isDigit(last) && isDigit(next)) return "keep";
  // In `F.M. 1826` and `U.S.` the next letter is an initial too, so the abbreviation continues.
  const afterNext = text.charCodeAt(at + 2);
  const initial = isLetter(next) && !isLetter(afterNext) && !isDigit(afterNext);
  return initial && word.length <= 3 && isLetter(last) ? "drop" : "blank";
}
