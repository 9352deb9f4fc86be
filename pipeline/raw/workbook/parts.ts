import {UserError} from "../../../lib/errors.ts";
import {expansionLimits} from "../document-reader.ts";
import {children, ElementCutter, parseXml, type XmlNode} from "../xml-elements.ts";
import {openZipMember, zipNames} from "../zip-file.ts";

/** Characters of one row or shared text; a worksheet has at most 16,384 cells of 32,767 characters in a row. */
const longestElement = 1 << 26;
/** What a workbook unpacks to: sixty-four times its bytes, of which a small one needs not be so full. */
const limits = {...expansionLimits, ratio: 64, ratioFromBytes: 64 * 2 ** 20};

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
    return parseXml(text);
  }

  /** Gives the elements of a name (`row`, `si`) of a part one after another, each as a tree; nothing for an absent part. */
  async *elements(name: string, element: string): AsyncGenerator<XmlNode> {
    if (!(await this.#names()).includes(name)) return;
    const cut = new ElementCutter(element);
    for await (const chunk of await this.#open(name)) {
      for (const whole of cut.next(chunk)) yield parseXml(whole)[element] as XmlNode;
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

/** Gives the text of an element, that of its runs put together (a shared text in several fonts). */
export function textOf(node: unknown): string {
  if (typeof node === "string") return node;
  if (typeof node !== "object" || node === null) return "";
  const own = (node as XmlNode)["#text"];
  const below = [...children(node, "t"), ...children(node, "r")].map(textOf).join("");
  return `${typeof own === "string" && own.trim() !== "" ? own : ""}${below}`;
}
