import {plainText, snakeCase} from "./plain-text.ts";
import {rangeBeforeDate} from "./published-date.ts";
import {
  type Dressing,
  dressings as dressingNames,
  type LotDescriptor,
  lotDescriptors,
} from "./report-words.ts";

/** Descriptors by our name and by publishers' wordings. */
const descriptors = new Map<string, readonly LotDescriptor[]>([
  ...lotDescriptors.map((name) => [name, [name]] as const),
  ["value_enhanced", ["value_added"]],
  ["va", ["value_added"]],
  ["va_calves", ["calves", "value_added"]],
  ["thin", ["thin_fleshed"]],
  ["replacements", ["replacement"]],
  ["source_and_aged", ["source_aged"]],
  ["source_age_verified", ["source_aged"]],
  ["brahman_cross", ["brahman_x"]],
  ["dairy_x", ["dairy_cross"]],
  ["beef_x", ["beef_cross"]],
  ["beef_dairy", ["beef_cross"]],
  ["beef_dairy_cross", ["beef_cross"]],
  ["beef_on_dairy", ["beef_cross"]],
  ["exotics", ["exotic"]],
  ["lightweight", ["light_weight"]],
  ["mexican", ["mexican_origin"]],
  ["canadian", ["canadian_origin"]],
  ["broken_mouthed", ["broken_mouth"]],
  ["returned_to_feed", ["return_to_feed"]],
]);

/**
 * Descriptors of a lot comment, sorted and unique; none for an empty comment. A comment outside the vocabulary (`Muddy`)
 * becomes `other`, never a plain lot. Commas, semicolons and slashes separate comments.
 */
export function lotDescriptorsOf(comment: string | null): LotDescriptor[] {
  const text = plainText(comment);
  if (text === null) return [];
  const whole = descriptors.get(snakeCase(text));
  if (whole) return [...whole];
  const parts = text.split(/\s*[,;/]\s*/).filter((part) => part !== "");
  return [...new Set(parts.flatMap((part) => descriptors.get(snakeCase(part)) ?? ["other" as const]))].sort();
}

const dressings = new Set<string>(dressingNames);

/** The dressing of a column such as `Very Low`; null for nothing, undefined for an unknown word. */
export function dressingOf(published: string | null): Dressing | null | undefined {
  const text = plainText(published);
  if (text === null) return null;
  const name = snakeCase(text);
  return dressings.has(name) ? (name as Dressing) : undefined;
}

/** Splits `Average Return to Feed` into dressing and comment; a text without a dressing is all comment. */
export function splitDressing(text: string): {dressing: string | null; comment: string | null} {
  const match = /^(very low|very high|average|high|low)\b\s*(.*)$/i.exec(text.trim());
  return match
    ? {dressing: match[1]!, comment: plainText(match[2])}
    : {dressing: null, comment: plainText(text)};
}

/**
 * A range of ages in years or of calf weights in lb: `Middle Aged (5-8 yrs)` → `5-8`, `Aged (>8 yrs)` → `>8`, `w/ <150 lbs
 * calf` → `<150`; other words are kept.
 */
export function rangeOf(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  const plain = rangeBeforeDate(text);
  const range = /[<>]\s*\d+|\d+\s*(?:-|to)\s*\d+/.exec(plain)?.[0] ?? plain;
  return range.replace(/\s+/g, "").replace(/(?<=\d)to(?=\d)/, "-");
}

/** Pregnancy stage in the code of printed reports: `1st/2nd Stage (1-6 mo)` → `T1-2`, `Open` → `O`; other words are kept. */
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

/** Splits a joined column `age · pregnancy_stage · dressing`, recognising each part by its words. */
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
