/** What a printed report says above its tables, beside the receipts. */
type PrintedComment = {
  /** The paragraph of the reporter; null without one. */
  readonly narrative: string | null;
  /** Notices, without their asterisks. */
  readonly notices: readonly string[];
  /** The office that the letterhead names, such as `Kansas Dept of Ag Mrkt News`. */
  readonly office: string | null;
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

/** Reads the lines above the first table of a report; `letterhead` are the lines above its body. */
export function readComment(letterhead: readonly string[], above: readonly string[]): PrintedComment {
  const officeLine = [...letterhead, ...above.slice(0, 5)]
    .map((line) => line.trim())
    .find((line) => office.test(line));
  const isStarred = (line: string) => /^\s*\*/.test(line);
  // Titles that a newswire repeats stand above the receipts, the comment below them.
  const prose = above
    .slice(above.findLastIndex((line) => receipts.test(line)) + 1)
    .filter(
      (line) =>
        !isStarred(line) &&
        !capitals.test(line) &&
        line.trim() !== officeLine &&
        !notProse.some((kind) => kind.test(line)),
    );
  const text = prose.join(" ").replaceAll(/\s+/g, " ").trim();
  return {
    narrative: text === "" || !/[a-z]{2,} [a-z]{2,}/.test(text) ? null : text,
    notices: above
      .filter(isStarred)
      .flatMap((line) => line.split("*").map((part) => part.trim()))
      .filter((part) => part !== ""),
    office: officeLine?.replace(besideIt, "").trim() ?? null,
  };
}
