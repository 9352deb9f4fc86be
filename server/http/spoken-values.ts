import {stateCodeOf} from "../../lib/geography/states.ts";
import {CattleClass, Commodity} from "../../schemas/vocabulary/price-row.ts";

/** Parameters whose values people and agents phrase differently than the API does. */
const translations: Readonly<Record<string, (text: string) => string>> = {
  state: (text) => stateCodeOf(text) ?? text,
  class: listOf(CattleClass.options),
  commodity: listOf(Commodity.options),
};

/** Returns the values as the API takes them: `Kansas` is KS, `steer` steers, `cow-calf pairs` cow_calf_pairs. Others stay as they are. */
export function spokenValues(said: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(said).map(([name, text]) => [
      name,
      Object.hasOwn(translations, name) ? translations[name]!(text) : text,
    ]),
  );
}

function listOf(words: readonly string[]): (text: string) => string {
  return (text) =>
    text
      .split(",")
      .map((part) => listedWord(part, words) ?? part)
      .join(",");
}

/**
 * Finds the listed word for a singular, for blanks or hyphens, or for a shortened form (`feeder` is feeder_cattle, `pairs` cow_calf_pairs).
 */
function listedWord(said: string, words: readonly string[]): string | undefined {
  const folded = said
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
    .replace(/calf$/, "calves");
  const plural = folded.endsWith("s") ? folded : `${folded}s`;
  if (plural === "pairs") return words.find((word) => word === "cow_calf_pairs");
  return words.find((word) => word === plural || word === `${plural.slice(0, -1)}_cattle`);
}
