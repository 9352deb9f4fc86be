/** The first line of a newswire report: its number, above the title. */
const wireMark = /^AMS_(\d{3,5}) MARS$/;

const amount = String.raw`\d[\d,]*(?:\.\d{1,2})?`;
/**
 * A complete row: age and stage of replacement cattle, head, weights, average weight, prices, average price, comment. Prices that fill
 * their column touch the average.
 */
const wireRow = new RegExp(
  String.raw`^(\s*(?:(?:[<>]\d+|\d+-\d+)\s+)?(?:(?:O|T\d(?:-\d)?)\s+)?\d[\d,]*\s+\d[\d,]*(?:-\d[\d,]*)?\s+\d[\d,]*\s+)(${amount})(?:-(${amount}))?(\s+|(?<=\.\d\d))(${amount})(\s.*)?$`,
);
const receiptsRow = /^([A-Z][A-Z/& ]+?)\s{2,}(\d[\d,]*)\s+(\d[\d,]*)\s+(\d[\d,]*)$/;
const periods = /This Week|Last Reported|Last Year/g;

/** The report numbers in a newswire text; empty for another text. */
export function wireNumbers(text: string): string[] {
  const marks = text.split("\n").flatMap((line) => wireMark.exec(line.trim())?.[1] ?? []);
  return [...new Set(marks)];
}

/**
 * Converts a newswire text to the publisher's print layout, line by line: prices get cents, rules between sections become
 * blank, section receipts get labels and a total, and lines above the title are blanked. A line that is not a complete row
 * stays as it is, and so do other texts.
 */
export function fromNewswire(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const mark = lines.findIndex((line) => wireMark.test(line.trim()));
  if (mark < 0) return text;
  const body = lines.map((line, at) => (at <= mark || /^\s*-[-,]+$/.test(line) ? "" : withCents(line)));
  return withReceipts(body).join("\n");
}

/** Restores two decimals in the prices of a complete row: a newswire drops trailing zeros. */
function withCents(line: string): string {
  const [row, before, low, high, between, average, after = ""] = wireRow.exec(line) ?? [];
  if (row === undefined) return line;
  const range = [low!, ...(high === undefined ? [] : [high])].map(money).join("-");
  return `${before}${range}${between || " "}${money(average!)}${after}`;
}

function money(price: string): string {
  const [dollars, cents = ""] = price.split(".");
  return `${dollars}.${cents.padEnd(2, "0")}`;
}

/**
 * A newswire prints section receipts in capitals below a total without a number; here each gets its label and stands under its
 * period.
 */
function withReceipts(lines: readonly string[]): string[] {
  const header = lines.findIndex((line) => [...line.matchAll(periods)].length === 3);
  const total = lines.findIndex((line, at) => at > header && /^\s*Total Receipts:\s*$/.test(line));
  const last = lines.findIndex((line, at) => at > total && line.trim() !== "" && !receiptsRow.test(line));
  if (header < 0 || total < 0 || last < 0) return [...lines];
  const starts = [...lines[header]!.matchAll(periods)].map(({index}) => index);
  const placed = (label: string, heads: readonly number[]) =>
    heads.reduce((line, head, column) => `${line.padEnd(starts[column]!)}${head}`, `${label}:`);
  const read = lines.map((line, at) => (at > total && at < last ? receiptsRow.exec(line) : null));
  const heads = read.map((match) => match?.slice(2).map((head) => Number(head.replaceAll(",", ""))) ?? null);
  const sums = starts.map((_, column) => heads.reduce((sum, row) => sum + (row?.[column] ?? 0), 0));
  return lines.map((line, at) => {
    if (at === total) return placed("Total Receipts", sums);
    return heads[at] == null ? line : placed(titleCase(read[at]![1]!), heads[at]);
  });
}

function titleCase(capitals: string): string {
  return capitals.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
