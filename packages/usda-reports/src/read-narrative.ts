import {cutNotices, readNotices} from "./notices.ts";
import {plainText} from "./plain-text.ts";
import type {Reporter, Trend} from "./reporter-fields.ts";
import {plainParagraph, sentencesOf} from "./sentences.ts";
import {demandOf, qualityWordsOf, supplyOf, supplyShares} from "./supply.ts";
import {readTrend} from "./trend.ts";

/** Whom to credit for the text of a report. */
const credit = "USDA AMS Livestock, Poultry and Grain Market News";

/** What a report says beside its tables, as a reader found it. */
export type Narrative = {
  /** The market comment; null without one. */
  readonly text: string | null;
  /** Notices, without their asterisks. */
  readonly notices: readonly string[];
  /** The office that wrote it, as printed. */
  readonly office: string | null;
};

/**
 * Reads what a reporter writes (`docs/design/market.md` section 6.1), from print and from a text column alike; null for a report without a
 * comment and without notices. `endDate` is the last day of the report. A sentence that no form fits sets nothing.
 */
export function readNarrative({text, notices, office}: Narrative, endDate: string): Reporter | null {
  const paragraph = plainParagraph(plainText(text) ?? "");
  const {text: rest, notices: inside} = cutNotices(paragraph);
  const comment = rest.replaceAll(/\s+/g, " ").trim();
  const sentences = sentencesOf(comment);
  const {announced, specialSale} = readNotices([...notices, ...inside], sentences, endDate);
  if (comment === "" && announced.length === 0 && specialSale === null) return null;
  const {trend, unparsed} = readTrend(sentences);
  const [demand, supply] = [demandOf(sentences), supplyOf(sentences)];
  return {
    trend: [...trend],
    demand: demand?.from ?? null,
    demand_to: demand?.to ?? null,
    supply: supply?.from ?? null,
    supply_to: supply?.to ?? null,
    supply_shares: supplyShares(comment),
    market_test: marketTest(trend),
    quality: qualityWordsOf(sentences),
    special_sale_name: specialSale,
    announced: [...announced],
    trend_unparsed: unparsed,
    text: comment,
    text_published_by: office,
    credit,
  };
}

/** `none` if the whole report, or all that it speaks of, was not tested. */
function marketTest(trend: readonly Trend[]): Reporter["market_test"] {
  const untested = trend.filter(({direction}) => direction === "not_tested");
  const tested = trend.filter(({direction}) => ["higher", "lower", "steady", "mixed"].includes(direction));
  if (trend.length === 0) return "unstated";
  if (untested.length === 0) return tested.length > 0 ? "tested" : "unstated";
  return tested.length === 0 ? "none" : "partly";
}
