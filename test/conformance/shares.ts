import type {Outcome} from "./outcomes.ts";

/** Outcome counts of each question. */
export type Shares = Map<string, Map<Outcome, number>>;

/** Counts one outcome. */
export function count(shares: Shares, question: string, outcome: Outcome): void {
  const counts = shares.get(question) ?? new Map<Outcome, number>();
  shares.set(question, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
}

/** Number of questions that are not verbatim another parcel's. */
export function askedOf(shares: Shares, question: string): number {
  const counts = shares.get(question) ?? new Map<Outcome, number>();
  return [...counts].reduce((sum, [outcome, times]) => sum + (outcome === "another's own" ? 0 : times), 0);
}

/** The share of these with the parcel in first place; 1 without questions. */
export function firstShare(shares: Shares, question: string): number {
  const asked = askedOf(shares, question);
  return asked === 0 ? 1 : (shares.get(question)?.get("first") ?? 0) / asked;
}

/** A table of all questions for people: how many, the share in first place in percent, and what came of the others. */
export function sharesTable(title: string, shares: Shares): string {
  const lines = [...shares].map(([question, counts]) => {
    const others = [...counts]
      .filter(([outcome]) => outcome !== "first")
      .map(([outcome, times]) => `${times} ${outcome}`);
    const share = (100 * firstShare(shares, question)).toFixed(2);
    return `${question.padEnd(28)} ${String(askedOf(shares, question)).padStart(7)} ${share.padStart(7)} %  ${others.join(", ")}`;
  });
  return `${title}\n${lines.join("\n")}\n`;
}
