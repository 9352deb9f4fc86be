import {plainText, snakeCase, vocabulary} from "./plain-text.ts";
import {rangeBeforeDate} from "./published-date.ts";
import type {Commodity} from "./report-words.ts";

type Grade = {frame: string | null; muscleGrade: string | null; qualityGrade: string | null};

type GradeWords = {
  commodity: Commodity | null;
  /** Frame and grade in one text, as headings print them: `Medium and Large 1-2`, `M&L 3`, `Boner 80-85%`, `1-2`. */
  grade: string | null;
  frame: string | null;
  muscleGrade: string | null;
  qualityGrade: string | null;
  yieldGrade: string | null;
};

const frameWord = "(?:small|medium|large|med|lg|sm|s|m|l)";
const framedGrade = new RegExp(
  `^(${frameWord}(?:(?:\\s+and\\s+|\\s*[&/]\\s*)${frameWord})?)\\s*(\\d(?:-\\d)?)?$`,
  "i",
);
const frameWords = vocabulary({m: "medium", med: "medium", l: "large", lg: "large", s: "small", sm: "small"});
const gradeNumber = /^\d(?:-\d)?$/;
const qualityWord =
  "(?:prime|choice|select|standard|commercial|utility|cutter|canner|cull|good|breaker|boner|lean|light|premium white|selection|number|no\\.|non graded|inferior|unthrifty)";
const namedGrade = new RegExp(
  `^${qualityWord}(?:\\s*(?:and|to|or|&|/|-)\\s*${qualityWord})*(?:\\s*\\d(?:-\\d)?)?(?:\\s*\\d+(?:-\\d+)?\\s*%.*)?$`,
  "i",
);

/** False for a grade, combined or with frame and muscle apart, with a word that the publisher never uses, as in a damaged heading. */
export function isGrade({
  grade,
  frame,
  muscleGrade,
}: Pick<GradeWords, "grade" | "frame" | "muscleGrade">): boolean {
  const apart = [plainText(frame), gradeText(muscleGrade)].filter((part) => part !== null).join(" ");
  return [gradeText(grade), apart || null].every(
    (text) => text === null || [framedGrade, gradeNumber, namedGrade].some((known) => known.test(text)),
  );
}

/** True for a combined grade with a frame; slaughter cattle never have one. */
export function isFramedGrade(published: string): boolean {
  return framedGrade.test(published);
}

/** True for a combined grade that only slaughter cattle have: a number without a frame, or a lean percentage. */
export function isSlaughterGrade(published: string): boolean {
  return gradeNumber.test(published) || /\d%/.test(published);
}

/**
 * Frame and grade of a row. For slaughter cattle a lone number is a yield grade and goes into `qualityGrade`; expected lean
 * percentages are stripped from the grade's name (`docs/design/market.md` section 1).
 */
export function gradeOf(words: GradeWords): Grade {
  const combined = splitGrade(gradeText(words.grade), words.commodity);
  const frame = frameOf(plainText(words.frame)) ?? combined.frame;
  const muscle = gradeText(words.muscleGrade);
  const quality = qualityOf(plainText(words.qualityGrade), gradeText(words.yieldGrade));
  const slaughterNumber = words.commodity === "slaughter_cattle" && frame === null ? muscle : null;
  return {
    frame,
    muscleGrade: slaughterNumber === null ? (muscle ?? combined.muscleGrade) : null,
    qualityGrade: quality ?? slaughterNumber ?? combined.qualityGrade,
  };
}

function splitGrade(text: string | null, commodity: Commodity | null): Grade {
  const none = {frame: null, muscleGrade: null, qualityGrade: null};
  if (text === null) return none;
  const framed = framedGrade.exec(text);
  if (framed) return {...none, frame: frameOf(framed[1]!), muscleGrade: framed[2] ?? null};
  if (gradeNumber.test(text) && commodity !== "slaughter_cattle") return {...none, muscleGrade: text};
  return {...none, qualityGrade: qualityOf(text, null)};
}

function frameOf(text: string | null): string | null {
  if (text === null) return null;
  const words = snakeCase(text.replace("/", " and ")).split("_");
  return words.map((word) => frameWords.get(word) ?? word).join("_");
}

/** A grade with its numbers as printed, `1` or `1-2`: programs write `1.0` and `2-Jan`, and people `#1`, `No. 1` and `1 - 2`. */
function gradeText(published: string | null): string | null {
  const text = plainText(published)
    ?.replace(/(?<=\d)\s*-\s*(?=\d)/, "-")
    .replace(/^(?:#|no\.)\s*(?=\d)/i, "")
    .replace(/^(\d)\.0$/, "$1");
  return text === undefined ? null : rangeBeforeDate(text);
}

/** `Boner 80-85%` → `boner`, `Premium White 65-75%` → `premium_white`, `Choice 2-3` → `choice_2-3`, `1-2` stays. */
function qualityOf(quality: string | null, yieldGrade: string | null): string | null {
  const name =
    quality?.replace(/\s*(?:\d+(?:\.\d+)?(?:\s*-\s*\d+(?:\.\d+)?)?\s*%.*|\d{2}\s*-\s*\d{2})$/, "").trim() ??
    "";
  const numbers = /(?:^|\s)(\d(?:-\d)?)$/.exec(name)?.[1] ?? yieldGrade;
  const word = snakeCase(name.replace(/(?:^|\s)\d(?:-\d)?$/, ""));
  return [word, numbers ?? ""].filter((part) => part !== "").join("_") || null;
}
