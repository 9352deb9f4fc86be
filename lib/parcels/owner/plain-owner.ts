import {nullSpellings} from "../null-text.ts";
import {
  companyWords,
  governmentPhrases,
  nameParticles,
  nameSuffixes,
  nonprofitWords,
  ownerPhrases,
  spellings,
} from "./owner-vocabulary.ts";

const word = "[A-Z0-9]+";

/** Words that `parseOwner` reads in a way of their own, beside those of the vocabulary. */
const particular =
  "OF COUNTY ESTATE EST TRUST AND INT INTEREST UND UNDIVIDED ATTN ATTENTION CONFIDENTIAL WITHHELD UNKNOWN OWNER".split(
    " ",
  );

const particularPhrases = [
  ...particular,
  ...nonprofitWords,
  ...nameSuffixes,
  ...nameParticles,
  ...spellings.keys(),
  ...governmentPhrases.map((phrase) => phrase.join(" ")),
  ...ownerPhrases.map(({words}) => words.join(" ")),
  ...[...nullSpellings].filter((spelling) => spelling.includes(" ")),
];

function anyWord(phrases: Iterable<string>): string {
  const plain = [...new Set(phrases)].filter((phrase) => /^[A-Z0-9]+(?: [A-Z0-9&]+)*$/.test(phrase));
  return `\\b(?:${plain.sort().join("|")})\\b`;
}

/**
 * Patterns (of JavaScript and RE2 alike) for upper-case owner lines that need no reading: their words are what they look like, so
 * that kind, last name and tokens follow from their places. A line with something `particular` is none of them.
 */
export const plainOwner = {
  particular: anyWord(particularPhrases),
  /** With a word of `company`: a company, whatever the others are. */
  company: anyWord(companyWords),
  /** With a word of either. */
  particularOrCompany: anyWord([...particularPhrases, ...companyWords]),
  words: `${word}(?: (?:${word}|&))*`,
  /** One person, or several of whom the first word names the last name: `A B`, `A, B C`, `A B C & D`, `A B & D E`. */
  people: `${word},?(?: ${word}){1,3}(?: & ${word}(?: ${word})?)?`,
} as const;
