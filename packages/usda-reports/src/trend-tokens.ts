import {type Move, moveAt} from "./moves.ts";
import {type CattleWord, cattleWordAt} from "./named-cattle.ts";
import {dateFrom} from "./published-date.ts";

type Undertone = "undertone_higher" | "undertone_lower" | "undertone_steady";

/** A part of a sentence on the market. */
export type Token =
  | {readonly kind: "opening"; readonly with: string | null}
  | {readonly kind: "cattle"; readonly word: CattleWord}
  | {readonly kind: "weight"; readonly low: number | null; readonly high: number | null}
  | {readonly kind: "vague"}
  | {readonly kind: "move"; readonly move: Move}
  | {readonly kind: "undertone"; readonly direction: Undertone}
  /** An undertone whose direction follows: `undertone on steers was higher`. */
  | {readonly kind: "undertoneOf"}
  /** `whole`: without cattle it is of the whole report. */
  | {readonly kind: "untested"; readonly whole: boolean}
  | {readonly kind: "lightly"}
  /** What follows happened to some of the cattle only. */
  | {readonly kind: "instance"}
  | {readonly kind: "notEnough"}
  | {readonly kind: "forTest"}
  | {readonly kind: "on"}
  | {readonly kind: "comma"}
  | {readonly kind: "break"}
  /** A word that joins or fills and changes nothing. */
  | {readonly kind: "filler"; readonly isVerb: boolean; readonly isJoin: boolean}
  /** A subject that is no cattle: what follows it is not of the market. */
  | {readonly kind: "foreign"; readonly isLasting: boolean}
  /** A `higher` or `lower` that no form fits. */
  | {readonly kind: "stray"}
  | {readonly kind: "other"};

type Reader = (match: RegExpExecArray) => Token;

const last = "(?:the )?(?:last|previous|prior)";
const opening = new RegExp(
  `(?<!\\bare )(?:when )?compared (?:to|with) (?:an? (?:very )?light test )?(?:(?<week>${last} week(?:'?s)?(?: (?:light )?(?:sale|auction|test|market)s?)?|(?:a|one) week ago|last (?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?<two>(?:two|2) weeks? ago(?:'?s)?(?: sale)?)|(?<weeks>(?:three|3|four|4) weeks ago)|(?<year>last year|a year ago)|(?<sale>${last} (?:reported |regular |sale|auction|market|report|comparable )+(?:test)?(?: on)?))?(?:[:,]? ?\\(?(?<date>\\d{1,2}[-/]\\d{1,2}[-/]\\d{2,4})\\)?)?`,
  "iy",
);

const comparison =
  "(?:(?:accurate |good |recent |price |market |valid |real |true )*(?:comparisons?|comparable sales|market test|test|trend))";
const undertoneWords =
  "(?<u>(?:steady|firm|weak)(?: to| -|/) ?(?:higher|lower|weak|firm|strong)(?:er)?|higher|lower|stead(?:y|ier)|firm(?:er)?|weak(?:er)?|strong(?:er)?)";

/** What is looked for at each place, in this order. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [opening, ({groups = {}}) => ({kind: "opening", with: comparedWith(groups)})],
  [/,? ?(?:however|but|while|whereas|although|though|yet)\b,?|;|:/iy, () => ({kind: "break"})],
  [
    /(?:,? ?(?:and )?(?:some|few|a few|several) (?:limited |spots? of |sales? )+(?:up )?(?:to |at )?|,? ?(?:with |and )?(?:some |a few |few |several |isolated )?(?:instances?|spots?) (?:of |up to |to )?)(?=\d)/iy,
    () => ({kind: "instance"}),
  ],
  [
    /(?:no|not enough|without) (?:[a-z]+ ){0,3}?trades (?:[a-z]+ ){0,3}?to establish (?:a|any) trend/iy,
    () => ({kind: "untested", whole: true}),
  ],
  [
    /no (?:accurate |market |price )*trend (?:is |was )?(?:applicable|available|established)/iy,
    () => ({kind: "untested", whole: true}),
  ],
  [/(?:thus |so )?no (?:market )?trend (?:is |was )?available/iy, () => ({kind: "untested", whole: true})],
  [
    /(?:an? )?(?:market |price )*comparisons? (?:is|are|was|were) not (?:applicable|available|possible)/iy,
    () => ({kind: "untested", whole: true}),
  ],
  [
    new RegExp(
      `(?:there (?:was|were|is|are) )?(?:no|without) (?:an? )?${comparison}s?(?: (?:is |are |was |were )?(?<available>available|(?:can be |could be )?made))?`,
      "iy",
    ),
    ({groups}) => ({kind: "untested", whole: groups?.["available"] !== undefined}),
  ],
  [
    /(?:(?:were|was|are|is) )?(?:all |both )?(?:too (?:light(?:ly)?|few|limited|thinly) (?:to test|tested|for an? (?:accurate )?(?:market )?test|to compare)|not (?:well |fully |enough )?(?:tested|compared|comparable)|scarcely tested|untested)(?: (?:this|last) (?:week|sale|year))?(?: to develop (?:an? |any )?(?:accurate )?(?:market )?trend)?/iy,
    () => ({kind: "untested", whole: false}),
  ],
  [/(?:had |with )?insufficient (?:numbers?|supplies|supply|volume)/iy, () => ({kind: "notEnough"})],
  [/(?:there (?:was|were) )?not enough|too few/iy, () => ({kind: "notEnough"})],
  [
    new RegExp(
      `(?:for (?:an? )?${comparison}|to (?:compare|test|develop (?:an? |any )?(?:accurate )?(?:market )?trend|make an? [a-z ]*comparison))(?: (?:this|last) (?:week|sale))?`,
      "iy",
    ),
    () => ({kind: "forTest"}),
  ],
  [
    /(?:in|on) (?:an? )?(?:very )?(?:light|limited|narrow) (?:test|comparisons?|trade)|(?:were |was |are )?(?:lightly|limited) (?:tested|compared|comparisons?)(?: (?:this|last) (?:week|sale|year))?/iy,
    () => ({kind: "lightly"}),
  ],
  [
    new RegExp(
      `(?:the |an? |with |had |have |showed )*(?:mostly |moderately |slightly |sharply |overall )*(?<definite>definite )?(?:mostly )?${undertoneWords} (?:(?:market )?(?<tone>undertones?)|trend)(?: (?:was|were) (?:noted|noticed|seen|reported|evident))?`,
      "iy",
    ),
    undertoneToken,
  ],
  [
    new RegExp(
      `(?:the |an? )?undertones? (?:was|were|is|are|being) (?:mostly |moderately |slightly |sharply )*${undertoneWords}`,
      "iy",
    ),
    undertoneToken,
  ],
  [/(?:the |an? )?undertones? (?:on|for|of)/iy, () => ({kind: "undertoneOf"})],
  [
    /(?:weighing )?(?:from )?(\d{3,4}) ?(?:lb)? ?(?:-|to|and) ?(\d{3,4})(?!\.?\d)(?: lb| weights?)?(?! head| higher| lower)/iy,
    ([, low, high]) => weight(Number(low), Number(high)),
  ],
  [
    /(?:weighing )?(?:(?:under|below|less than|up to|lighter than)|(?:<)) ?(\d{3,4})(?!\.?\d)(?: lb| weights?)?/iy,
    ([, high]) => weight(null, Number(high)),
  ],
  [
    /(?:weighing )?(?:(?:over|above|more than|heavier than)|(?:>)) ?(\d{3,4})(?!\.?\d)(?: lb| weights?)?/iy,
    ([, low]) => weight(Number(low), null),
  ],
  [
    /(?:weighing )?(\d{3,4}) (?:lb )?(?:and|or) (?<up>over|up|heavier|above|under|down|lighter|below)(?: lb)?/iy,
    ([, at, way]) => (/over|up|heav|above/i.test(way!) ? weight(Number(at), null) : weight(null, Number(at))),
  ],
  [/(?:weighing )?(\d{3,4}) lb/iy, ([, at]) => weight(Number(at), Number(at))],
  [
    /(?:the )?(?:heavier|lighter|heavy|light|heavyweights?|lightweights?)(?: (?:weights?|cattle|feeders|offerings|ones))?(?= |,|$)/iy,
    () => ({kind: "vague"}),
  ],
];

const foreignLasting =
  /(?:cme|futures?|contracts?|board|cutouts?|boxed|corn|hay|wheat|grain|fed cattle|negotiated|formula|index|packages?|sheep|lambs?|goats?|hogs?|ewes?|kids|nann(?:y|ies)|drought|weather)\b/iy;
/** `Weights of cows lower` is no price; `all weights of cows` and `weights of 500-600` are cattle. */
const foreign =
  /(?:average weights?|(?<!\b(?:all|most|both) )(?:carcass |live )?weights? (?:of|on|for)(?= [a-z])|percent(?:age)?|counts?|runs?|demand|suppl(?:y|ies)|quality|buyers?|packers?|numbers?|receipts|volumes?|yields?|feedlots?|trade(?: activity)?(?= (?:was|is|active|fairly))|activity|attendance|prices? of|top|ratio|discounts?|premiums?|spreads?|crowd|offering(?= (?:was|is)))\b/iy;
const fillers =
  /(?:and|nor|or|&|of|the|all|both|most|weights?|ranges?|these|those|cattle prices|prices?|offerings?|market|also|generally|to|this week|today|this sale|were|was|are|is|selling|sold|sell|sells|traded|trading|trade|sales?|called|being|holding|weighing|types?|kinds?|as|around|a|an|with the exception(?: of)?|suitable to feed(?: (?:or|and|to) (?:re-?breed|grass))*|except(?: for)?|excluding|with|yearling weights|overall|current|fob|f\.o\.b\.|bawling|again|fully|basis)(?![a-z])/iy;
/** `Lower quality` and `higher yielding` are words of cattle, no directions. */
const strays = /(?:higher|lower)\b(?![- ](?:qualit|dress|yield|grad|pric|value|end|half|third|side))/iy;
const verbs =
  /^(?:were|was|are|is|selling|sold|sell|sells|traded|trading|trade|sales?|called|being|holding|mostly|trended)$/i;
/** Fillers behind which something else is said than before. */
const joins = /^(?:and|nor|or|&|also|with.*|except.*|excluding)$/i;

/** The tokens of a scannable sentence, in order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let behind: "verb" | "cattle" | null = null;
  while (at < text.length) {
    if (/[\s"'*()]/.test(text[at]!)) {
      at += 1;
      continue;
    }
    const {token, end} = tokenAt(text, at, behind);
    const isCattle = token.kind === "cattle" || token.kind === "weight" || token.kind === "vague";
    behind = token.kind === "filler" && token.isVerb ? "verb" : isCattle ? "cattle" : null;
    tokens.push(token);
    at = end;
  }
  return tokens;
}

function tokenAt(text: string, at: number, behind: "verb" | "cattle" | null): {token: Token; end: number} {
  for (const [pattern, read] of readers) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null && match[0] !== "" && !/[a-z]/i.test(text[pattern.lastIndex] ?? ""))
      return {token: read(match), end: pattern.lastIndex};
  }
  const move = moveAt(text, at, behind);
  if (move !== null) return {token: {kind: "move", move: move.move}, end: move.end};
  for (const [pattern, isLasting] of [
    [foreignLasting, true],
    [foreign, false],
  ] as const) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return {token: {kind: "foreign", isLasting}, end: pattern.lastIndex};
  }
  const cattle = cattleWordAt(text, at);
  if (cattle !== null) return {token: {kind: "cattle", word: cattle.word}, end: cattle.end};
  if (text[at] === ",") return {token: {kind: "comma"}, end: at + 1};
  const on = /^(?:on|for)(?![a-z])/i.exec(text.slice(at));
  if (on !== null) return {token: {kind: "on"}, end: at + on[0].length};
  fillers.lastIndex = at;
  const filler = fillers.exec(text);
  if (filler !== null)
    return {
      token: {kind: "filler", isVerb: verbs.test(filler[0]), isJoin: joins.test(filler[0])},
      end: fillers.lastIndex,
    };
  strays.lastIndex = at;
  if (strays.test(text)) return {token: {kind: "stray"}, end: strays.lastIndex};
  const word = /^[^\s,;:]+/.exec(text.slice(at));
  return {token: {kind: "other"}, end: at + Math.max(1, word?.[0].length ?? 1)};
}

function weight(low: number | null, high: number | null): Token {
  return {kind: "weight", low, high};
}

/** `definite higher trend` is a direction without figures; a trend that was only noted is an undertone. */
function undertoneToken({groups = {}}: RegExpExecArray): Token {
  const words = groups["u"]!.toLowerCase();
  const way = /lower|weak/.test(words) ? "lower" : /higher|firm|strong/.test(words) ? "higher" : "steady";
  if (groups["definite"] !== undefined && groups["tone"] === undefined)
    return {
      kind: "move",
      move: {direction: way, low: null, high: null, unit: null, qualifier: null, isInstance: false},
    };
  return {kind: "undertone", direction: `undertone_${way}`};
}

function comparedWith({
  week,
  two,
  weeks,
  year,
  sale,
  date,
}: Readonly<Record<string, string | undefined>>): string | null {
  const day = dateFrom(date?.replaceAll("-", "/"));
  if (day !== null) return day;
  if (week !== undefined) return "last_week";
  if (two !== undefined) return "two_weeks";
  if (weeks !== undefined) return null;
  if (year !== undefined) return "last_year";
  return sale === undefined ? null : "last_sale";
}
