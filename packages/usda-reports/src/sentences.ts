/**
 * The paragraph of a report as one line: without marks of web pages and line ends, with plain hyphens between figures, decimal points
 * for decimal commas (`10,00`), no dollar signs, and the blank or hyphen that a misprint lost between two prices (`5.0010.00`).
 */
export function plainParagraph(text: string): string {
  return text
    .replace(/<[^<>]{1,200}>/g, " ")
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}

/** A sentence as the scanner reads it: figures without dollar signs and thousands, ranges with `to`, one spelling for words of print. */
export function scannable(sentence: string): string {
  return sentence
    .replace(/\$\s*(?=\d)/g, "")
    .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replace(/(?<![\d,])(\d{1,3}),(\d{2})(?![\d,])/g, "$1.$2")
    .replace(/(\.\d{2})(?=\d{1,3}\.\d)/g, "$1-")
    .replace(/\bthru\b|\bthrough\b/gi, "to")
    .replace(/\b(pounds?|lbs?)\.?(?![a-z])/gi, "lb")
    .replace(/(\d)-?lb\b/gi, "$1 lb")
    .replace(/\bmostly (sold|selling|traded|trading)\b/gi, "$1 mostly")
    .replace(/\b(steer|heifer), and (heifer|steer)(?= calves)/gi, "$1 and $2")
    .trim();
}

/** What ends with a full stop without ending a sentence, unless a capital follows. */
const units = /\b(?:lbs?|cwt|hd|wts?|ave?|approx)\.$/i;
const abbreviations = /\b(?:vs|no|nos|st|mt|ft|inc|co|etc|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$/i;

/** The sentences of a paragraph, in order. */
export function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const {index, 0: gap} of paragraph.matchAll(/(?<=[.!?])\s+/g)) {
    const sentence = paragraph.slice(start, index);
    const next = paragraph[index + gap.length] ?? "";
    if (abbreviations.test(sentence) || (units.test(sentence) && !/[A-Z*]/.test(next))) continue;
    sentences.push(sentence);
    start = index + gap.length;
  }
  return start < paragraph.length ? [...sentences, paragraph.slice(start)] : sentences;
}
