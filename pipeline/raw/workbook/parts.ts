import {XMLParser} from "fast-xml-parser";
import {UserError} from "../../../lib/errors.ts";
import {expansionLimits} from "../document-reader.ts";
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
/** Characters of the start tag of a row, of which Excel writes two hundred. */
const longestTag = 1 << 12;
/** What a workbook unpacks to: sixty-four times its bytes, of which a small one needs not be so full. */
const limits = {...expansionLimits, ratio: 64, ratioFromBytes: 64 * 2 ** 20};

/** Cuts the elements of a name out of a text that comes in pieces; each character is looked at once or twice. */
class ElementCutter {
  readonly #start: RegExp;
  readonly #end: RegExp;
  #text = "";
  /** Where the search goes on. */
  #from = 0;
  /** Where the element that has begun stands; -1 between two. */
  #began = -1;

  constructor(element: string) {
    this.#start = new RegExp(`<(?:\\w{1,20}:)?${element}(?=[\\s/>])[^>]*>`, "g");
    this.#end = new RegExp(`</(?:\\w{1,20}:)?${element}\\s*>`, "g");
  }

  /** Characters of an element that has not ended. */
  get waiting(): number {
    return this.#text.length;
  }

  /** Gives the elements that end in this piece. */
  next(piece: string): string[] {
    this.#text += piece;
    const whole: string[] = [];
    for (;;) {
      const tag = this.#began < 0 ? this.#start : this.#end;
      tag.lastIndex = this.#from;
      const match = tag.exec(this.#text);
      if (match === null) break;
      this.#from = tag.lastIndex;
      if (this.#began < 0) this.#began = match.index;
      if (tag === this.#start && !match[0].endsWith("/>")) continue;
      whole.push(this.#text.slice(this.#began, this.#from));
      this.#began = -1;
    }
    this.#forget();
    return whole;
  }

  /** Drops what is done. A tag may be cut between two pieces: its longest beginning stays to be looked at again. */
  #forget(): void {
    const again = Math.max(this.#from, this.#text.length - longestTag);
    const keep = this.#began < 0 ? again : this.#began;
    this.#text = this.#text.slice(keep);
    this.#from = again - keep;
    if (this.#began >= 0) this.#began = 0;
  }
}

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
    const cut = new ElementCutter(element);
    for await (const chunk of await this.#open(name)) {
      for (const whole of cut.next(chunk)) yield (parser.parse(whole) as Record<string, XmlNode>)[element]!;
      if (cut.waiting > longestElement)
        throw new UserError(`${this.#shown}: ${name}: no end of an element in ${longestElement} characters.`);
    }
  }

  async #names(): Promise<readonly string[]> {
    return zipNames(this.#shown, this.#path, limits);
  }

  async #open(name: string): Promise<AsyncIterable<string>> {
    const stream = await openZipMember(this.#shown, this.#path, name, limits);
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
