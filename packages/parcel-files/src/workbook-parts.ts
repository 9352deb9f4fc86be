import {expansionLimits} from "./expansion.ts";
import {FileError} from "./parcel-file.ts";
import {children, ElementCutter, parseXml, type XmlNode} from "./xml-elements.ts";
import {openZipMember, zipNames} from "./zip-file.ts";

/** Maximum characters of a row or shared string; a worksheet row has at most 16,384 cells of 32,767 characters. */
const longestElement = 1 << 26;
/** A workbook may unpack to 64 times its size, and always to 64 MiB. */
const limits = {...expansionLimits, ratio: 64, ratioFromBytes: 64 * 2 ** 20};

/** The files in a workbook (ECMA-376: Office Open XML). `shownPath` names the workbook in messages. */
export class Workbook {
  readonly #shownPath: string;
  readonly #path: string;

  constructor(path: string, shownPath: string) {
    this.#path = path;
    this.#shownPath = shownPath;
  }

  /** Parses a small part; null if the workbook lacks it. Throws a `FileError` for damage. */
  async part(name: string): Promise<XmlNode | null> {
    if (!(await this.#names()).includes(name)) return null;
    let text = "";
    for await (const chunk of await this.#open(name)) text += chunk;
    return parseXml(text);
  }

  /** Yields the elements with a name (`row`, `si`) in a part, each as a tree; nothing if the part is absent. */
  async *elements(name: string, element: string): AsyncGenerator<XmlNode> {
    if (!(await this.#names()).includes(name)) return;
    const cut = new ElementCutter(element);
    for await (const chunk of await this.#open(name)) {
      for (const whole of cut.next(chunk)) yield parseXml(whole)[element] as XmlNode;
      if (cut.waiting > longestElement)
        throw new FileError(
          `${this.#shownPath}: ${name}: no end of an element in ${longestElement} characters.`,
        );
    }
  }

  async #names(): Promise<readonly string[]> {
    return zipNames(this.#shownPath, this.#path, limits);
  }

  async #open(name: string): Promise<AsyncIterable<string>> {
    const stream = await openZipMember(this.#shownPath, this.#path, name, limits);
    stream.setEncoding("utf8");
    return stream as AsyncIterable<string>;
  }
}

/**
 * Returns the text of an element, with its runs joined (a shared string in several fonts) and its escaped characters read (`_x000D_`, ECMA-376
 * part 1, 22.9.2.19).
 */
export function textOf(node: unknown): string {
  if (typeof node === "string")
    return node.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  if (typeof node !== "object" || node === null) return "";
  const own = (node as XmlNode)["#text"];
  const below = [...children(node, "t"), ...children(node, "r")].map(textOf).join("");
  return `${typeof own === "string" && own.trim() !== "" ? textOf(own) : ""}${below}`;
}
