import {upperPlain} from "./fold-text.ts";

/** The words of a line, each with what was printed before it. */
export type LineWords = {
  readonly words: string[];
  /** True for a word after a comma, semicolon, line feed or lone mark, also one at the start of the line. */
  readonly breaks: boolean[];
  /** True for a word after two or more blanks. */
  readonly gaps: boolean[];
};

const comma = 44;
const period = 46;
const hash = 35;
const ampersand = 38;

/**
 * Splits a line into upper-case words without accents. Periods of abbreviations and apostrophes are dropped; commas,
 * semicolons, line feeds, and single periods or hyphens are breaks; `#` and `&` are words.
 */
export function lineWords(line: string): LineWords {
  const text = upperPlain(line);
  const result: LineWords = {words: [], breaks: [], gaps: []};
  let word = "";
  let blanks = 0;
  let pendingBreak = false;
  const push = () => {
    if (word === "") return;
    const bare = withoutHyphens(word);
    if (bare === "" || bare === "/") pendingBreak = true;
    else {
      result.words.push(bare);
      result.breaks.push(pendingBreak);
      result.gaps.push(blanks > 1);
      pendingBreak = false;
    }
    word = "";
    blanks = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLetter(code) || isDigit(code) || code === 45 || code === 47) {
      word += text[at];
    } else if (code === period) {
      const kind = periodKind(text, at, word);
      if (kind === "keep") word += ".";
      else if (kind === "blank") push();
      else if (kind === "break") pendingBreak = true;
    } else if (code === hash || code === ampersand || code === 64) {
      push();
      word = code === hash ? "#" : "&";
      push();
    } else if (code === comma || code === 59 || code === 10 || code === 13 || isBracket(code)) {
      push();
      pendingBreak = true;
    } else if (code !== 39 && code !== 96) {
      push();
      blanks++;
    }
  }
  push();
  return result;
}

function isBracket(code: number): boolean {
  return code === 40 || code === 41 || code === 91 || code === 93 || code === 124;
}

/** Drops the hyphens at the ends of a word, which join nothing. */
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
 * Gives the effect of a period: kept in a decimal, dropped after an initial, a blank between words, a break when it is
 * alone.
 */
function periodKind(text: string, at: number, word: string): "keep" | "drop" | "blank" | "break" {
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 32;
  if (word === "") return isLetter(next) || isDigit(next) || next === period ? "drop" : "break";
  const last = word.charCodeAt(word.length - 1);
  if (isDigit(last) && isDigit(next)) return "keep";
  // In `F.M. 1826` and `U.S.` the next letter is an initial too: the abbreviation goes on.
  const afterNext = at + 2 < text.length ? text.charCodeAt(at + 2) : 32;
  const initial = isLetter(next) && !isLetter(afterNext) && !isDigit(afterNext);
  return initial && word.length <= 3 && isLetter(last) ? "drop" : "blank";
}
