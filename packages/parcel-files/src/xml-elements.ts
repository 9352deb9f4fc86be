import {XMLParser} from "fast-xml-parser";

/** An element as parsed: attributes under `@name`, text under `#text`. */
export type XmlNode = {readonly [name: string]: unknown};

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Numbers of characters too (`&#233;`), which the library reads with the names of HTML alone.
  htmlEntities: true,
});

/** Parses XML into a tree by local names; all values are text with their blanks. Throws if the text is not XML. */
export function parseXml(text: string): XmlNode {
  return parser.parse(text) as XmlNode;
}

/** Maximum characters of a start tag; Excel writes about two hundred for a row. */
const longestTag = 1 << 12;

/** Extracts the elements with a name from text that arrives in pieces; each character is scanned once or twice. */
export class ElementCutter {
  readonly #start: RegExp;
  readonly #end: RegExp;
  /** An incomplete start tag at the end of the text. */
  readonly #cutStart: RegExp;
  #text = "";
  /** Where the search continues. */
  #from = 0;
  /** Where the open element starts; -1 between elements. */
  #began = -1;

  constructor(element: string) {
    this.#start = new RegExp(`<(?:\\w{1,20}:)?${element}(?=[\\s/>])[^>]*>`, "g");
    this.#end = new RegExp(`</(?:\\w{1,20}:)?${element}\\s*>`, "g");
    this.#cutStart = new RegExp(`<(?:\\w{1,20}:)?${element}(?:[\\s/][^>]*)?$`);
  }

  /** Characters held for an unfinished element. */
  get waiting(): number {
    return this.#text.length;
  }

  /** True inside an element or its start tag. */
  get isOpen(): boolean {
    return this.#began >= 0 || this.#cutStart.test(this.#text);
  }

  /** Returns the elements that end in this piece. */
  next(piece: string): string[] {
    this.#text += piece;
    const elements: string[] = [];
    for (;;) {
      const tag = this.#began < 0 ? this.#start : this.#end;
      tag.lastIndex = this.#from;
      const match = tag.exec(this.#text);
      if (match === null) break;
      this.#from = tag.lastIndex;
      if (this.#began < 0) this.#began = match.index;
      if (tag === this.#start && !match[0].endsWith("/>")) continue;
      elements.push(this.#text.slice(this.#began, this.#from));
      this.#began = -1;
    }
    this.#forget();
    return elements;
  }

  /** Drops processed text. A tag may be split between pieces, so the longest possible beginning of one is kept. */
  #forget(): void {
    const again = Math.max(this.#from, this.#text.length - longestTag);
    const keep = this.#began < 0 ? again : this.#began;
    this.#text = this.#text.slice(keep);
    this.#from = again - keep;
    if (this.#began >= 0) this.#began = 0;
  }
}

/** Returns the child elements with a name. The parser represents an element without children as an empty string. */
export function children(node: unknown, name: string): XmlNode[] {
  if (typeof node !== "object" || node === null) return [];
  const found = (node as XmlNode)[name];
  return (found === undefined ? [] : [found].flat()) as XmlNode[];
}
