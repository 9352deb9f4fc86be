import type {Random} from "../server/parcels/invented-state.ts";

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * One typing error in upper-case words: a letter replaced, dropped or inserted, or two different neighbours swapped; never the
 * unchanged text.
 */
export function typingError(text: string, random: Random): string {
  const places = [...text].flatMap((letter, at) => (letter === " " ? [] : [at]));
  for (;;) {
    const at = random.pick(places);
    const [before, letter, after] = [text.slice(0, at), text[at]!, text.slice(at + 1)];
    const next = after[0] ?? " ";
    const made = random.pick([
      before + random.pick(letters) + after,
      before + after,
      before + random.pick(letters) + letter + after,
      next === " " ? text : before + next + letter + after.slice(1),
    ]);
    if (made !== text && made.trim() === made && !made.includes("  ")) return made;
  }
}
