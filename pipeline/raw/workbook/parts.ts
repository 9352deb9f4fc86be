import {XMLParser} from "fast-xml-parser";
import {UserError} from "../../../lib/errors.ts";
import {expansionLimits} from "../expansion-limit.ts";
import {openZipMember, zipNames} from "../zip-file.ts";

/** An element as the parser gives it: attributes under `@name`, texts under `#text`. */
export type XmlNode = {readonly [name: string]: unknown};

const lists: ReadonlySet<string> = new Set(["sheet", "Relationship", "xf", "numFmt", "c", "t", "r"]);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => lists.has(name),
});
/** Characters of one row or shared text; a worksheet has at most 16,384 cells of 32,767 characters in a row. */
const longestElement = 1 << 26;

/** The files in a workbook (ECMA-376: Office Open XML). `shown` names the workbook in messages. */
export class Workbook {
  readonly #shown: string;
  readonly #path: string;

  constructor(path: string, shown: string) {
    this.#path = path;
    this.#shown = shown;
  }

  /** Gives a small part as a tree; null for a part that the workbook does not have. Throws a `UserError` for damage. */
  async part(name: string): Promise<XmlNode | null> {
    if (!(await this.#names()).includes(name)) return null;
    let text = "";
    for await (const chunk of await this.#open(name)) text += chunk;
    return parser.parse(text) as XmlNode;
  }

  /** Gives the elements of a name (`row`, `si`) of a part one after another, each as a tree; nothing for an absent part. */
  async *elements(name: string, element: string): AsyncGenerator<XmlNode> {
    if (!(await this.#names()).includes(name)) return;
    const whole = new RegExp(
      `<(?:\\w+:)?${element}(?:\\s[^>]*?)?(?:/>|>[\\s\\S]*?</(?:\\w+:)?${element}>)`,
      "g",
    );
    let text = "";
    for await (const chunk of await this.#open(name)) {
      text += chunk;
      let end = 0;
      for (const match of text.matchAll(whole)) {
        yield (parser.parse(match[0]) as Record<string, XmlNode>)[element]!;
        end = match.index + match[0].length;
      }
      text = text.slice(end);
      if (text.length > longestElement)
        throw new UserError(`${this.#shown}: ${name}: no end of an element in ${longestElement} characters.`);
    }
  }

  async #names(): Promise<readonly string[]> {
    return zipNames(this.#shown, this.#path, expansionLimits);
  }

  async #open(name: string): Promise<AsyncIterable<string>> {
    const stream = await openZipMember(this.#shown, this.#path, name, expansionLimits);
    stream.setEncoding("utf8");
    return stream as AsyncIterable<string>;
  }
}

/** Gives the child elements of a name; an element without any parses as an empty text. */
export function children(node: unknown, name: string): XmlNode[] {
  if (typeof node !== "object" || node === null) return [];
  const found = (node as XmlNode)[name];
  return (found === undefined ? [] : [found].flat()) as XmlNode[];
}

/** Gives the text of an element, that of its runs put together (a shared text in several fonts). */
export function textOf(node: unknown): string {
  if (typeof node === "string") return node;
  if (typeof node !== "object" || node === null) return "";
  const own = (node as XmlNode)["#text"];
  const below = [...children(node, "t"), ...children(node, "r")].map(textOf).join("");
  return `${typeof own === "string" && own.trim() !== "" ? own : ""}${below}`;
}
