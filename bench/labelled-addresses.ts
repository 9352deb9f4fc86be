import {readFileSync} from "node:fs";

/** An address line, with the number and street that a person labelled in it. */
export type LabelledAddress = {readonly line: string; readonly number: string; readonly street: string};

const numberTags = new Set(["AddressNumberPrefix", "AddressNumber", "AddressNumberSuffix"]);
const streetTags = new Set([
  "StreetNamePreModifier",
  "StreetNamePreDirectional",
  "StreetNamePreType",
  "StreetName",
  "StreetNamePostType",
  "StreetNamePostDirectional",
  "StreetNamePostModifier",
  "suffix",
]);

/**
 * Reads labelled addresses in the XML of the usaddress project, which tags each word. Lines without a street are skipped; of
 * two addresses in a line, the first counts. Throws for a file that cannot be read.
 */
export function readLabelled(path: string): LabelledAddress[] {
  const text = readFileSync(path, "utf8");
  const found: LabelledAddress[] = [];
  for (const [, body] of text.matchAll(/<AddressString>([\s\S]*?)<\/AddressString>/g)) {
    const words = [...body!.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, tag, word]) => ({
      tag: tag!,
      word: decoded(word!),
    }));
    const label = firstAddress(words);
    if (label.street !== "") found.push({line: words.map(({word}) => word).join(" "), ...label});
  }
  return found;
}

function firstAddress(words: readonly {tag: string; word: string}[]): {number: string; street: string} {
  const number: string[] = [];
  const street: string[] = [];
  let after = false;
  for (const {tag, word} of words) {
    if (tag === "IntersectionSeparator") break;
    if (tag === "AddressNumber" && street.length > 0) break;
    if (numberTags.has(tag)) number.push(word);
    else if (streetTags.has(tag) && !after) street.push(word);
    else if (tag === "PlaceName" || tag === "StateName") after = street.length > 0;
  }
  return {number: number.join(" "), street: street.join(" ")};
}

function decoded(word: string): string {
  return word
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .trim();
}
