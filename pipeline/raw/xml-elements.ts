import {XMLParser} from "fast-xml-parser";

/** An element as the parser gives it: attributes under `@name`, texts under `#text`. */
export type XmlNode = {readonly [name: string]: unknown};

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
});

/** Gives an XML text as a tree by the local names of its elements, all values texts with their blanks. Throws for a text that is no XML. */
export function parseXml(text: string): XmlNode {
  return parser.parse(text) as XmlNode;
}

/** Characters of a start tag, of which Excel writes two hundred for a row. */
const longestTag = 1 << 12;

/** Cuts the elements of a name out of a text that comes in pieces; each character is looked at once or twice. */
export class ElementCutter {
  readonly #start: RegExp;
  readonly #end: RegExp;
  /** A start tag without its end, at the end of a text. */
  readonly #cutStart: RegExp;
  #text = "";
  /** Where the search goes on. */
  #from = 0;
  /** Where the element that has begun stands; -1 between two. */
  #began = -1;

  constructor(element: string) {
    this.#start = new RegExp(`<(?:\\w{1,20}:)?${element}(?=[\\s/>])[^>]*>`, "g");
    this.#end = new RegExp(`</(?:\\w{1,20}:)?${element}\\s*>`, "g");
    this.#cutStart = new RegExp(`<(?:\\w{1,20}:)?${element}(?:[\\s/][^>]*)?$`);
  }

  /** Characters of an element that has not ended. */
  get waiting(): number {
    return this.#text.length;
  }

  /** True within an element, its start tag included. */
  get isOpen(): boolean {
    return this.#began >= 0 || this.#cutStart.test(this.#text);
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

/** Gives the child elements of a name; an element without any parses as an empty text. */
export function children(node: unknown, name: string): XmlNode[] {
  if (typeof node !== "object" || node === null) return [];
  const found = (node as XmlNode)[name];
  return (found === undefined ? [] : [found].flat()) as XmlNode[];
}
