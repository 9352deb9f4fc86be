import type {Random} from "../server/parcels/invented-state.ts";

export const idQuestions = ["own number", "dashes", "spaces", "leading zeros"] as const;
export type IdQuestionName = (typeof idQuestions)[number];

/** Gives the questions for a parcel number: without its dashes or with added ones, with blanks, and without its leading zeros. */
export function idQuestionsOf(id: string, random: Random): Map<IdQuestionName, string> {
  const trimmed = id.trim();
  const separated = /[^A-Za-z0-9]/.test(trimmed);
  const at = 1 + random.below(Math.max(1, trimmed.length - 1));
  const dashed = separated
    ? trimmed.replace(/[^A-Za-z0-9]+/g, "")
    : `${trimmed.slice(0, at)}-${trimmed.slice(at)}`;
  const blanks = separated
    ? trimmed.replace(/[^A-Za-z0-9]+/g, "  ")
    : `  ${trimmed.slice(0, at)} ${trimmed.slice(at)} `;
  const questions = new Map<IdQuestionName, string>([
    ["own number", trimmed],
    ["dashes", dashed],
    ["spaces", blanks],
  ]);
  const bare = trimmed.replace(/^0+(?=[A-Za-z1-9])/, "");
  if (bare !== trimmed) questions.set("leading zeros", bare);
  return questions;
}
