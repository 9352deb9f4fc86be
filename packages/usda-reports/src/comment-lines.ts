import {namesSale, statesNoSale} from "./held-sales.ts";
import {cutNotices} from "./notices.ts";

/** What a printed report says above its tables, beside the receipts. */
type PrintedComment = {
  /** The paragraph of the reporter; null without one. */
  readonly narrative: string | null;
  /** Notices, without their asterisks. */
  readonly notices: readonly string[];
  /** The office that the letterhead names, such as `Kansas Dept of Ag Mrkt News`. */
  readonly office: string | null;
  /** True if it says that the sale of the report was not held. */
  readonly no_sale: boolean;
};

/** Lines above the comment: headings, dates, the columns and values of receipts, the marks of a newswire. */
const notProse = [
  /\bReport for\s+(?:week ending\s+)?\d{1,2}\/\d{1,2}\/\d{4}/i,
  /\b(?:This|Current) Week\b|\bLast Reported\b|\bLast Year\b/,
  /^\s*(?:Offered|Reported|% PO)\b/,
  /^\s*[A-Z][A-Za-z/ ]{2,40}:\s*(?:\(?(?<![\d,.])[\d,.]+%?\)?\s*)*$/,
  /^\s*(?:Feeder|Slaughter|Replacement) [A-Za-z/\s]+(?=[\d,])(?<=\s{2}(?:FOB|DEL)?\s*)/,
  /^[\s\d,.()%/-]*$/,
  /^[\s-]*,?\s*$/,
  /^\s*AMS_\d+/,
  /^\s*Email us with accessibility/i,
  /^\s*(?:Direct Livestock|VIDEO AUCTION|AUCTION|LIVESTOCK SUMMARY|DIRECT TRADES)\s*$/i,
];
/** A line of the receipts: its columns, a label with figures, or a commodity of a newswire with figures. */
const receipts =
  /\b(?:This|Current) Week\b|\bReport for\s+\d|^\s*[A-Z][A-Za-z/ ]{2,40}:\s*[\d,]+(?=[\s(]|$)|^\s*[A-Z][A-Z/ ]{5,39}\s{2,}[\d,]+/;
const capitals = /^[^a-z]*$/;
const office =
  /^(?!.*\b(?:AMS Livestock|Agricultural Marketing Service)\b).*\b(?:Dept\.? of Ag\w*|Department of Agriculture|USDA)\b.*\bMa?rke?t News\b/i;
/** A date or figure of another column at the end of a letterhead line. */
const besideIt =
  /\s{3,}.*$|\s+(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?[A-Z][a-z]{2,8}\.?\s+\d{1,2},\s+\d{4}.*$/;

/** A figure with which a sentence ends on a line of its own. */
const figures = /^(?=\D*\d)[\s\d,.()%$/-]+$/;

/** Reads the lines above the first table of a report that ended on a day; `letterhead` are the lines above its body. */
export function readComment(
  letterhead: readonly string[],
  above: readonly string[],
  endDate: string,
): PrintedComment {
  const officeLine = [...letterhead, ...above.slice(0, 5)]
    .map((line) => line.trim())
    .find((line) => office.test(line));
  const {text, notices} = cutNotices(above.join("\n"));
  const [opened, lines] = unclosed(text.split("\n"));
  // Titles that a newswire repeats stand above the receipts, the comment below them.
  const below = lines.slice(lines.findLastIndex((line) => receipts.test(line)) + 1);
  const prose: string[] = [];
  for (const [at, line] of below.entries()) {
    const isProse =
      !capitals.test(line) && line.trim() !== officeLine && !notProse.some((kind) => kind.test(line));
    const before = below[at - 1] ?? "";
    if (isProse || (prose.at(-1) === before && endsSentence(line, before))) prose.push(line);
  }
  const comment = prose.join(" ").replaceAll(/\s+/g, " ").trim();
  const said = [...notices, ...opened, comment, ...lines.filter((line) => !prose.includes(line))];
  return {
    narrative: /[a-z]{2} [a-z]{2}/.test(comment) ? comment : null,
    notices: [...notices, ...opened],
    office: officeLine?.replace(besideIt, "").trim() ?? null,
    no_sale: said.some((words) => statesNoSale(words, endDate)),
  };
}

/** True for a line of figures under one of prose without its full stop; figures further right have slipped from the receipts. */
function endsSentence(line: string, before: string): boolean {
  const indent = (text: string) => text.length - text.trimStart().length;
  return figures.test(line) && !/[.!?]\s*$/.test(before) && indent(line) <= indent(before) + 2;
}

/**
 * The notices among lines that open with an asterisk and do not close, and the other lines, without such asterisks: of these lines only a
 * comparison with earlier sales, and what says how the market was, is of the comment.
 */
function unclosed(lines: readonly string[]): [notices: string[], others: string[]] {
  const isNotice = (line: string) =>
    /^\s*\*/.test(line) &&
    !/\bcompared (?:to|with)\b/i.test(line) &&
    (namesSale(line) || !/\b(?:higher|lower|steady)\b/i.test(line));
  const words = (line: string) =>
    line
      .replace(/^\s*\*+/, "")
      .replaceAll("*", " ")
      .trim();
  return [
    lines.filter(isNotice).flatMap((line) => words(line) || []),
    lines.flatMap((line) => (isNotice(line) ? [] : /^\s*\*/.test(line) ? words(line) : line)),
  ];
}
