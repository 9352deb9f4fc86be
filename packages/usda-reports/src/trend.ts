import type {NamedCattle} from "./named-cattle.ts";
import type {Trend} from "./reporter-fields.ts";
import {SentenceReading} from "./sentence-reading.ts";
import {scannable} from "./sentences.ts";
import {type Entry, entryOf, untested} from "./trend-entry.ts";
import {tokensOf} from "./trend-tokens.ts";

/** The trend of a market comment, and how many of its directions no form fits. */
export type TrendReading = {readonly trend: readonly Trend[]; readonly unparsed: number};

/** Words of which each statement on a market has one; other sentences are not looked at, which saves most of the time. */
const says =
  /\b(?:higher|lower|steady|firm|weak|strong|undertones?|trend|test|tested|untested|compar[a-z]+|lightly|gain(?:s|ed)?|losses|(?:advance|increase|decline|decrease)[sd]?)\b/i;

/** Reads the trend from the sentences of a comment. An opening (`Compared to last week`) holds until the next. */
export function readTrend(sentences: readonly string[]): TrendReading {
  const trend: Trend[] = [];
  let unparsed = 0;
  let comparedWith: string | null = null;
  let before: readonly NamedCattle[] = [];
  for (const sentence of sentences) {
    if (!says.test(sentence)) continue;
    const tokens = tokensOf(scannable(sentence));
    for (const token of tokens) if (token.kind === "opening") comparedWith = token.with;
    const reading = new SentenceReading(tokens, /^however\b/i.test(sentence) ? before : []);
    const said = (entry: Entry): Trend => ({...entry, compared_with: comparedWith, text: sentence.trim()});
    trend.push(...reading.entries.map(said));
    for (const cattle of reading.lightlyTested) {
      const before = trend.filter((entry) => entry.direction !== "not_tested" && isOf(entry, cattle));
      for (const entry of before) entry.qualifier ??= "limited";
      if (before.length === 0) trend.push(said(entryOf(cattle, untested)));
    }
    unparsed += reading.unparsed;
    if (reading.last.length > 0) before = reading.last;
  }
  return {trend: withoutRepeats(trend), unparsed};
}

function withoutRepeats(trend: readonly Trend[]): Trend[] {
  const seen = new Set<string>();
  return trend.filter((entry) => {
    const key = JSON.stringify(entry);
    return !seen.has(key) && seen.add(key) !== null;
  });
}

/** True for a statement on some of the cattle. */
function isOf(entry: Entry, cattle: NamedCattle): boolean {
  return (
    entry.kind === cattle.kind &&
    (cattle.class === null || entry.class === cattle.class) &&
    (cattle.commodity === null || entry.commodity === cattle.commodity) &&
    (entry.weight_low_lb ?? 0) < (cattle.high ?? Infinity) &&
    (entry.weight_high_lb ?? Infinity) > (cattle.low ?? 0)
  );
}
