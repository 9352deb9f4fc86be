import {addDays, weekdayOf} from "./calendar.ts";
import {namedDays, withNamedDays} from "./named-days.ts";
import {sentencesOf} from "./sentences.ts";

const sale = "(?:sales?|auctions?)";
/** Up to three words before `sale` that say which, as in `cattle` and `regular Thursday`, but not in `comparison with last`. */
const which =
  "(?:(?!(?:for|at|to|from|in|of|on|the|this|that|last|than|was|were|is|are|with|by|as|enough|comparable|comparisons?|recent|confirmed|reported|established|trend|test(?:ed)?|change)\\b)[\\w'/&-]+ ){0,3}";
/** A sale that was not or will not be held. */
const unheldSale = new RegExp(
  [
    `\\bno ${which}${sale}\\b(?! (?:reports?|prices?|barns?)\\b)`,
    `(?:\\bnot|n't) (?:be )?(?:(?:have|having|hold|holding)(?: an?| any| its| their| our| the)?|an?|any) ${which}${sale}\\b`,
    `\\b${sale}\\b(?: [\\w'{}/-]+){0,7}? (?:(?:not (?:be |been )?held|cancell?ed|postponed)\\b|(?:moved|rescheduled) (?:up |back )?(?:to|for) \\{)`,
  ].join("|"),
  "i",
);
/** A notice is short: that a yard is closed is enough. */
const unheldDay =
  /\b(?:closed|cancell?\w+|postpone\w*|will be no|(?:not|won't) (?:be )?(?:have|having|hold|holding|held|open|sell|selling))\b/i;
/** Whoever reports may stay away from a sale that is held. */
const reporter = /\b(?:reports?|offices?|usda|market news)\b/i;
const saleWords = /\b(?:sales?|auctions?|special|feature)\b/i;

/** True for words that name a sale. */
export function namesSale(words: string): boolean {
  return saleWords.test(words);
}

/** True for words that say of some sale that it was not or will not be held, or in a notice that a yard is closed. */
export function namesUnheld(words: string, isNotice: boolean): boolean {
  const isClosed = isNotice && unheldDay.test(words) && (namesSale(words) || !reporter.test(words));
  return isClosed || unheldSale.test(words);
}

/** True for words of a report that ended on a day that say that its own sale was not held, in that week; it names other sales, too. */
export function statesNoSale(words: string, endDate: string): boolean {
  const clauses = sentencesOf(withNamedDays(words, endDate)).flatMap(clausesOf);
  return clauses.some((clause) => {
    const said = unheldSale.exec(clause) ?? /\bno receipts\b/i.exec(clause);
    if (said === null) return false;
    const behind = clause.slice(said.index + said[0].length);
    if (/^ (?:held )?(?:next|last|on(?! \{))\b/i.test(behind)) return false;
    const [from, to] = [addDays(endDate, -6), addDays(endDate, /\bweek ending\b/i.test(clause) ? 6 : 0)];
    return (
      /^ (?:held )?this week\b/i.test(behind) || namedDays(clause).every((date) => date >= from && date <= to)
    );
  });
}

/** Where a sentence turns to other days. */
const turns =
  /[.;:!?,]+(?=\s|$)|\s-+\s|\bbut\b|(?=\bnext (?:[a-z/&]+ ){0,3}(?:sales?|auctions?)\b(?! (?:day|date))|\b(?:resum|re-?open)|\b(?:until|till?) \{)/i;
const turned = /^(?:next\b|resum|re-?open|until\b|till?\b)/i;
/** Words beside a day that say no more of it than the clause before: `and due to Thanksgiving on {2026-11-26}`. */
const bareWord =
  /^(?:and|or|both|on|due|to|because|of|for|in|observance|the|this|next|week|holidays?|thanksgiving|christmas|new|years?|s|\w*day)?$/i;
const list = String.raw`(?: on)? (\{[\d-]*\}(?: and \{[\d-]*\})*)`;
/** Before days on which no sale is announced: `consign by {2026-12-01}`. */
const beside = new RegExp(
  String.raw`\b(?:after|before|by|since|prior to|week(?:end)?s? (?:of|ending))${list}`,
  "gi",
);
const weekOf = new RegExp(String.raw`\bweek(end)?s? (?:of|ending)${list}`, "gi");

function clausesOf(sentence: string): string[] {
  return sentence.split(turns).flatMap((clause) => clause.trim() || []);
}

function isBare(words: string): boolean {
  return words
    .replaceAll(/\{[\d-]*\}/g, " ")
    .split(/\W+/)
    .every((word) => bareWord.test(word));
}

type Part = {readonly words: string; readonly isHeld: boolean | null};

/**
 * A clause with what it says of its days; one that moves a sale as two, each with its day. What is next, or resumes, is a sale where the
 * clause before is not of a report or an office: `reports` / `resume {2027-01-04}`.
 */
function partsOf(clause: string, before: string, isNotice: boolean): Part[] {
  const [from, to] = /\b(?:moved|postponed|rescheduled)\b/i.test(clause)
    ? clause.split(/ (?=(?:to|for) \{)/i)
    : [];
  if (to !== undefined)
    return [
      {words: from!, isHeld: false},
      {words: to, isHeld: true},
    ];
  if (namesUnheld(clause, isNotice)) return [{words: clause, isHeld: false}];
  const isTurned =
    turned.test(clause) && (!/^next\b/i.test(clause) || isBare(clause)) && !isOfReporter(before);
  return [{words: clause, isHeld: isTurned || namesSale(clause) || null}];
}

/** True for words of a report or an office and of no sale. */
function isOfReporter(words: string): boolean {
  return reporter.test(words) && !namesSale(words);
}

/** The days of a clause. A week without a sale has none on the day that it is named by, nor on the weekday of the report's own. */
function daysOf(clause: string, isHeld: boolean, endDate: string): string[] {
  const inWeek = (date: string) =>
    addDays(date, ((weekdayOf(endDate) + 6) % 7) - ((weekdayOf(date) + 6) % 7));
  const words = clause.replaceAll(weekOf, (all, end: string | undefined, days: string) =>
    isHeld || namedDays(days).includes("")
      ? all
      : namedDays(days)
          .map((date) => (end === undefined ? `{${date}} {${inWeek(date)}}` : `{${date}}`))
          .join(" "),
  );
  return namedDays(words.replaceAll(beside, " ")).filter((date) => date !== "");
}

/** A day on which a text says that a sale is, or is not, held, with the head that its sentence expects. */
type SaleDay = {readonly date: string; readonly isHeld: boolean; readonly head: number | null};

/**
 * The days of sales in a notice; in a comment, those of the sentences on a sale that is not held. A clause without a word of it is of the
 * clause before, else of the one behind, else of a sentence without days before it.
 */
export function saleDaysOf(text: string, endDate: string, isNotice: boolean): SaleDay[] {
  const days: SaleDay[] = [];
  let before: boolean | null = null;
  for (const sentence of sentencesOf(withNamedDays(text, endDate))) {
    if (!isNotice && !unheldSale.test(sentence)) continue;
    const parts = clausesOf(sentence).flatMap((clause, at, all) =>
      partsOf(clause, all[at - 1] ?? "", isNotice),
    );
    const first = parts.find(({isHeld}) => isHeld !== null);
    const head = expectedHead(sentence);
    let last: boolean | null = null;
    for (const {words, isHeld: said} of parts) {
      const isOther = said === null && ((last === false && !isBare(words)) || isOfReporter(sentence));
      last = said ?? last;
      const isHeld = last ?? first?.isHeld ?? before;
      if (isHeld === null || isOther) continue;
      days.push(...daysOf(words, isHeld, endDate).map((date) => ({date, isHeld, head})));
    }
    before = sentence.includes("{") ? null : (last ?? before);
  }
  return days;
}

/** The estimate of head in a notice. */
export function expectedHead(words: string): number | null {
  const head = /(\d{1,3}(?:,\d{3})+|\d{3,6})\+? (?:head|hd)\b/i.exec(words)?.[1];
  return head === undefined ? null : Number(head.replaceAll(",", ""));
}
