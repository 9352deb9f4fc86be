import {plainText} from "./plain-text.ts";

/**
 * Age of replacement cattle in years, or the weight of the calf in lb, as a range: `Middle Aged (5-8 yrs)` → `5-8`, `Aged (>8 yrs)` → `>8`,
 * `w/ <150 lbs calf` → `<150`; other words stay.
 */
export function rangeOf(published: string | null): string | null {
  const text = plainText(published);
  return text === null ? null : (/[<>]\s*\d+|\d+\s*-\s*\d+/.exec(text)?.[0] ?? text).replace(/\s+/g, "");
}

/** Pregnancy stage as the printed reports code it: `1st/2nd Stage (1-6 mo)` → `T1-2`, `Open` → `O`; other words stay. */
export function pregnancyStageOf(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  if (/^(o|open)$/i.test(text)) return "O";
  if (/^t\d(-\d)?$/i.test(text)) return text.toUpperCase();
  if (/^all (stages|trimesters)/i.test(text)) return "T1-3";
  const trimesters = [...text.matchAll(/([123])(?:st|nd|rd)/gi)].map((match) => Number(match[1]));
  if (trimesters.length === 0) return text;
  const [first, last] = [Math.min(...trimesters), Math.max(...trimesters)];
  return first === last ? `T${first}` : `T${first}-${last}`;
}

type AgeStageDressing = {age: string | null; stage: string | null; dressing: string | null};

/** Parts of a joined column `age · pregnancy_stage · dressing`, recognised by their words. */
export function splitAgeStageDressing(joined: string | null): AgeStageDressing {
  const found: AgeStageDressing = {age: null, stage: null, dressing: null};
  for (const part of (plainText(joined) ?? "").split("·").map((piece) => plainText(piece))) {
    if (part === null) continue;
    if (/^dressing /i.test(part)) found.dressing = part.slice("dressing ".length);
    else if (/^open$|stage|trimester|^o$|^t\d/i.test(part)) found.stage = part;
    else found.age = part;
  }
  return found;
}
