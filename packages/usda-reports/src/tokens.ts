/** A word of a table line. Kinds overlap: `2-4` may be an age or a weight range. */
export type Token = {
  readonly text: string;
  /** Centre of the word within its line, in characters. */
  readonly center: number;
  readonly kind: "integer" | "integer_range" | "price" | "price_range" | "age" | "stage" | "unknown" | "text";
};

const price = String.raw`\$?(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{2}`;
const integer = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`;
const patterns: readonly (readonly [Token["kind"], RegExp])[] = [
  ["price_range", new RegExp(`^${price}-${price}$`)],
  ["price", new RegExp(`^${price}$`)],
  ["integer_range", new RegExp(`^${integer}-${integer}$`)],
  ["integer", new RegExp(`^${integer}$`)],
  ["age", /^[<>]\d+$/],
  ["stage", /^(?:O|T\d(?:-\d)?)$/],
  ["unknown", /^\*$/],
];

/** A range written with spaces around the dash, or with a long dash. */
const spacedRange = new RegExp(
  `(?<!\\S)(?:(${integer}) ?[-–—] ?(${integer})|(${price}) ?[-–—] ?(${price}))(?!\\S)`,
  "g",
);

/** The tokens of a line in order. Adjacent words that are not values form one text: `Broken Mouth`. */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  let textEnd = -1;
  for (const match of withRanges(line).matchAll(/\S+/g)) {
    const [text, start, end] = [match[0], match.index, match.index + match[0].length];
    const kind = patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? "text";
    const last = tokens.at(-1);
    if (kind === "text" && last?.kind === "text" && start === textEnd + 1) {
      tokens[tokens.length - 1] = {
        text: `${last.text} ${text}`,
        center: last.center + (text.length + 1) / 2,
        kind,
      };
    } else {
      tokens.push({text, center: (start + end) / 2, kind});
    }
    textEnd = kind === "text" ? end : -1;
  }
  return tokens;
}

/** Writes ranges such as `600 - 640` as one word, keeping every position on the line. */
function withRanges(line: string): string {
  return line.replace(spacedRange, (whole: string, ...ends: (string | undefined)[]) => {
    const joined = `${ends[0] ?? ends[2]}-${ends[1] ?? ends[3]}`;
    const before = Math.floor((whole.length - joined.length) / 2);
    return joined.padStart(joined.length + before).padEnd(whole.length);
  });
}

/** True for a line with a weight or an age and a price with two decimals: it must become a row or be reported as unread. */
export function looksLikeRow(line: readonly Token[]): boolean {
  return (
    line.some(({kind}) => kind === "price" || kind === "price_range") &&
    line.some(({kind}) => kind === "integer" || kind === "integer_range" || kind === "age")
  );
}

/** True for `2-4`, `<2`, `>8`: an age in years. */
export function isAge({kind, text}: Token): boolean {
  return kind === "age" || (kind === "integer_range" && /^\d{1,2}-\d{1,2}$/.test(text));
}

/** Both ends of `555-583` or `440.00-465.00`; a single value is both ends. */
export function rangeOf(text: string): [number, number] {
  const ends = text.replaceAll(/[,$]/g, "").split("-").map(Number);
  return [ends[0]!, ends[1] ?? ends[0]!];
}
