import {join} from "node:path";
import {AddressWords} from "../../../schemas/registry-tables.ts";
import {referenceDir} from "../../paths.ts";
import {readRegistryFile} from "../../reference/registry-file.ts";

/**
 * The words of address lines, which are facts about the country, from `data/reference/address-words.json`.
 */
export const addressWords: AddressWords = readRegistryFile(
  AddressWords,
  join(referenceDir, "address-words.json"),
);

/** The words of a text, separated by blanks. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Inverts a table of forms and their spellings: maps each spelling to its form. */
export function bySpelling(
  spellings: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(spellings).flatMap(([form, words]) => words.map((word) => [word, form] as const)),
  );
}
