import {z} from "zod";
import {stateCodeOf} from "../../lib/geography/states.ts";
import {CattleClass, Commodity} from "../../schemas/price-row.ts";
import {meantNames} from "../http/meant-names.ts";
import {listedWords, stateCodes} from "../http/parameter-kinds.ts";

/** The parameters whose values people say in other words than HTTP takes; each gives the value, or the word as it came where none is meant. */
const meanings: Readonly<Record<string, (text: string) => string>> = {
  state: (text) => stateCodeOf(text) ?? text,
  class: listOf(CattleClass.options),
  commodity: listOf(Commodity.options),
};

/** Gives the values of a question on the terminal as HTTP takes them: `Kansas` is KS, `steer` steers, `cow-calf pairs` cow_calf_pairs. */
export function plainValues(said: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(said).map(([name, text]) => [
      name,
      Object.hasOwn(meanings, name) ? meanings[name]!(text) : text,
    ]),
  );
}

function listOf(words: readonly string[]): (text: string) => string {
  return (text) =>
    text
      .split(",")
      .map((part) => meantWord(part, words) ?? part)
      .join(",");
}

/** The one word of a list that is said in the singular, with blanks or hyphens, or without its ending (`feeder` is feeder_cattle, `pairs` cow_calf_pairs). */
function meantWord(said: string, words: readonly string[]): string | undefined {
  const folded = said
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
    .replace(/calf$/, "calves");
  const plural = folded.endsWith("s") ? folded : `${folded}s`;
  if (plural === "pairs") return words.find((word) => word === "cow_calf_pairs");
  return words.find((word) => word === plural || word === `${plural.slice(0, -1)}_cattle`);
}

/** Gives the words that a shell completes for a parameter: those of its list, or its only values. */
export function completedWords(name: string, schema: z.ZodType): string[] {
  if (name === "state") return [...stateCodes];
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return [...(listedWords.get(schema)?.words ?? [])].concat(
    inner instanceof z.ZodEnum ? inner.options.map(String) : [],
  );
}

/** Gives an error of the command line with the options that an unknown one means (`--latitude` is `--lat`), by the names of the command's own. */
export function withMeantOptions(error: string, names: readonly string[]): string {
  const given = /^error: unknown option '--([^'=]+)/.exec(error)?.[1];
  const meant = given === undefined ? [] : meantNames(given, names);
  if (meant.length === 0) return error;
  return `${error.split("\n")[0]}\n(Did you mean ${meant.map((name) => `--${name}`).join(" or ")}?)\n`;
}
