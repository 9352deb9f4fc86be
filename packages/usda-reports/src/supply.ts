import {snakeCase} from "./plain-text.ts";
import type {Amount} from "./report-words.ts";
import type {SupplyShares} from "./reporter-fields.ts";
import {scannable} from "./sentences.ts";

/** A word of a range, such as `moderate to good`; `to` is null for a single word. */
export type AmountRange = {readonly from: Amount; readonly to: Amount | null};

const amount = "(very good|good|moderate|very light|light|poor|mixed|very heavy|heavy)";
const amounts = `(?:mostly |fairly |again |all |overall |only )*${amount}(?:(?: to |-)(?:mostly )?${amount})?`;
const is = "(?:,? (?:was|were|is|are|remained|remains)(?: again| mostly)?|,? again|)";
/** Words that may stand between a subject and its verb. */
const between =
  "(?: (?:overall|today|this week|this sale|for|on|of|from|all|the|feeder|stocker|cattle|feeders|calves|classes|weights|and|steers|heifers|offerings|most|buyers))*";

/** Forms of demand, the surest first; a form of demand and supply together gives both. */
const demandForms: readonly RegExp[] = [
  `^(?:the )?(?:buyer |trade activity and |trade and |overall )?demand${between}${is} ${amounts}`,
  `^(?:the )?(?:demand and suppl(?:y|ies)|suppl(?:y|ies) and demand)${is} ${amounts}`,
  `\\b(?:the )?demand${is} ${amounts}(?=[,.;]| on | for )`,
  `(?:^|with |on |met |there (?:is|was) )(?:a )?${amounts} (?:buyer )?demand\\b`,
].map((form) => new RegExp(form, "i"));

const supplyForms: readonly RegExp[] = [
  `^(?:the )?suppl(?:y|ies)${between}${is} ${amounts}`,
  `^(?:the )?(?:demand and suppl(?:y|ies)|suppl(?:y|ies) and demand)${is} ${amounts}`,
  `\\b(?:the )?suppl(?:y|ies)${is} ${amounts}(?=[,.;]|$)`,
  `(?:for|on) (?:a |an )?${amounts} suppl(?:y|ies)\\b`,
].map((form) => new RegExp(form, "i"));

/** Where a sentence turns to what surrounds the market: `as slaughter cattle prices rose`. */
const surroundings = /\b(?:as|despite|while|but|because|although|however)\b.*$/i;
/** Sentences on the demand of packers, for cows, or for other goods say nothing of the sale's. */
const ofOthers =
  /\b(?:packers?|slaughter|cows?|bulls?|pairs|bred|replacements?|hay|corn|grain|beef|canadian|meat|sheep|goats?)\b/i;

/**
 * Demand at a sale or in a week: what a sentence says of it in general or for feeder cattle; null if none does. A sentence on the demand
 * for other cattle is left to its text.
 */
export function demandOf(sentences: readonly string[]): AmountRange | null {
  return firstOf(
    demandForms,
    sentences.filter((sentence) => !ofOthers.test(sentence.replace(surroundings, ""))),
  );
}

/** Supply at a sale or in a week, in the same way. */
export function supplyOf(sentences: readonly string[]): AmountRange | null {
  return firstOf(
    supplyForms,
    sentences.filter((sentence) => !ofOthers.test(sentence)),
  );
}

function firstOf(forms: readonly RegExp[], sentences: readonly string[]): AmountRange | null {
  for (const form of forms)
    for (const sentence of sentences) {
      const match = form.exec(
        scannable(sentence).replace(/^[^.;:]*\bcompared (?:to|with)[^,:;]*[,:;] */i, ""),
      );
      if (match === null) continue;
      const [from, to] = match.slice(1).filter((word) => word !== undefined);
      return {from: amountOf(from!), to: to === undefined ? null : amountOf(to)};
    }
  return null;
}

function amountOf(words: string): Amount {
  return snakeCase(words) as Amount;
}

const shareOfAll = /(\d+(?:\.\d+)?)% (Feeder|Slaughter|Replacement) Cattle(?: \(([^)]*)\))?/gi;
const over600 = /\bover 600 ?(?:lb|pound)s?\.? (?:was|were|is|at) (\d+(?:\.\d+)?)%/i;

/** What the supply consisted of, in percent as printed; null if the comment does not say. */
export function supplyShares(paragraph: string): SupplyShares | null {
  const supply = /\bsupply included:?(.*)$/i.exec(paragraph)?.[1] ?? "";
  const found = [...supply.matchAll(shareOfAll)];
  const heavy = over600.exec(paragraph)?.[1];
  if (found.length === 0 && heavy === undefined) return null;
  const of = (name: string) => found.find(([, , commodity]) => commodity!.toLowerCase() === name);
  const percent = (name: string) => (of(name) === undefined ? null : Number(of(name)![1]));
  const kinds = (name: string) => {
    const inner = of(name)?.[3];
    return inner === undefined ? null : sharesIn(inner);
  };
  return {
    feeder_pct: percent("feeder"),
    feeder: kinds("feeder"),
    over_600_lb_pct: heavy === undefined ? null : Number(heavy),
    slaughter_pct: percent("slaughter"),
    slaughter: kinds("slaughter"),
    replacement_pct: percent("replacement"),
    replacement: kinds("replacement"),
  };
}

/** `58% Steers, 40% Heifers` as `{steers_pct: 58, heifers_pct: 40}`. */
function sharesIn(inner: string): Record<string, number> {
  const parts = [...inner.matchAll(/(\d+(?:\.\d+)?)% ([A-Za-z/ -]+)/g)];
  return Object.fromEntries(parts.map(([, percent, name]) => [`${snakeCase(name!)}_pct`, Number(percent)]));
}

const qualityWords =
  /\b(very attractive|attractive|plain|average|fancy|mixed|lower quality|better quality|higher quality|thin|medium flesh|light flesh|fleshy|long weaned|unweaned|green|full)\b/gi;
const ofQuality =
  /\bquality\b[^.;]*\b(?:was|were|is|of|:)|^quality\b|\b(?:lower|better|higher) quality offering\b|\bflesh(?: condition)?\b[^.;]*\b(?:was|were|is)\b/i;

/** Words of the sentences on quality and flesh of feeders and of the sale in general, in order, each once. */
export function qualityWordsOf(sentences: readonly string[]): string[] {
  const words = sentences
    .filter((sentence) => ofQuality.test(sentence) && !/\b(?:cows?|bulls?|hay)\b/i.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(qualityWords)].map(([word]) => snakeCase(word)));
  return [...new Set(words)];
}
