import type {Random} from "../server/parcels/invented-state.ts";
import {typingError} from "./typing-error.ts";

/** The owner of a published row. */
export type OwnerRow = {
  parcel_uid: string;
  /** Recorded lines, `; ` between them. */
  owner_name: string;
  owner_kind: string | null;
};

export const ownerQuestions = [
  "own line",
  "words in another order",
  "initial of the given name",
  "middle initial left out",
  "one of two names",
  "one typo in a word",
] as const;
export type OwnerQuestionName = (typeof ownerQuestions)[number];

/** Parameters of owner-search. */
export type OwnerParameters = {owner: string} | {lastName: string; firstName: string};

/**
 * The questions for a row, from its first recorded line. Persons are queried by role if the line is a last name and given
 * names. A question is omitted if the line has nothing to mutate, or no word long enough for a typing error to be forgiven.
 */
export function ownerQuestionsOf(
  row: OwnerRow,
  {random, isLastFirst}: {random: Random; isLastFirst: boolean},
): Map<OwnerQuestionName, OwnerParameters> {
  const [line = ""] = row.owner_name.split("; ");
  const words = plainWords(line);
  const isPlainName = /^[A-Z]+(?: [A-Z]+)+$/.test(line.toUpperCase()) && row.owner_kind === "person";
  const questions: [OwnerQuestionName, OwnerParameters | null][] = [
    ["own line", {owner: line}],
    ["words in another order", words.length < 2 || line.includes("&") ? null : {owner: rotated(words)}],
    [
      "initial of the given name",
      isPlainName && isLastFirst && words[0]!.length > 1
        ? {lastName: words[0]!, firstName: words[1]![0]!}
        : null,
    ],
    ["middle initial left out", isPlainName ? withoutInitial(words) : null],
    ["one of two names", oneOfTwo(line, random)],
    ["one typo in a word", misspelt(line, random)],
  ];
  return new Map(
    questions.filter((entry): entry is [OwnerQuestionName, OwnerParameters] => entry[1] !== null),
  );
}

function plainWords(line: string): string[] {
  return line
    .toUpperCase()
    .split(/[\s,&]+/)
    .filter((word) => word !== "");
}

function rotated(words: readonly string[]): string {
  return [...words.slice(1), words[0]].join(" ");
}

function withoutInitial(words: readonly string[]): OwnerParameters | null {
  return words.length > 2 && words.at(-1)!.length === 1 ? {owner: words.slice(0, -1).join(" ")} : null;
}

/** `HARLOW DALE & JUNE`: HARLOW DALE, or HARLOW JUNE; both with the last name before a comma or blank. */
function oneOfTwo(line: string, random: Random): OwnerParameters | null {
  const two = /^([A-Z]+),? ([A-Z]+)(?: [A-Z])? ?& ?([A-Z]+)(?: [A-Z])?$/.exec(line.toUpperCase());
  if (two === null) return null;
  return {owner: `${two[1]} ${random.pick([two[2]!, two[3]!])}`};
}

function misspelt(line: string, random: Random): OwnerParameters | null {
  const long = [...line.toUpperCase().matchAll(/(?<![A-Z'-])[A-Z]{6,}(?![A-Z'-])/g)];
  if (long.length === 0) return null;
  const {0: word, index} = random.pick(long);
  return {owner: line.slice(0, index) + typingError(word, random) + line.slice(index + word.length)};
}
