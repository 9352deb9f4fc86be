import {XMLParser, XMLValidator} from "fast-xml-parser";
import {messageOf, UserError} from "../../../lib/errors.ts";
import type {RawFile} from "../../raw/raw-files.ts";

/** An XML element: its name, attributes, text and children in the order of the document. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlElement[];
};

type Ordered = Record<string, unknown>;

/**
 * The root element of an XML text. Throws a UserError with the place of a fault, and for a text that declares entities: no
 * publisher does, and they can be made to grow without bounds.
 */
export function xmlRoot({path}: RawFile, text: string): XmlElement {
  if (/<!ENTITY/i.test(text)) throw new UserError(`${path}: XML that declares entities is not read.`);
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    const {msg, line} = valid.err;
    throw new UserError(`${path}: not valid XML, perhaps cut off: ${msg} (line ${line}).`);
  }
  try {
    const parser = new XMLParser({
      preserveOrder: true,
      ignoreAttributes: false,
      attributeNamePrefix: "",
      parseTagValue: false,
      parseAttributeValue: false,
      processEntities: true,
      ignoreDeclaration: true,
      ignorePiTags: true,
    });
    const [root] = elementsOf(parser.parse(text) as Ordered[]);
    if (root !== undefined) return root;
  } catch (thrown) {
    throw new UserError(`${path}: XML that cannot be read: ${messageOf(thrown)}.`);
  }
  throw new UserError(`${path}: XML without an element.`);
}

function elementsOf(nodes: readonly Ordered[]): XmlElement[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ":@" && key !== "#text");
    if (name === undefined) return [];
    const inner = node[name] as Ordered[];
    return [
      {
        name,
        attributes: (node[":@"] ?? {}) as Record<string, string>,
        text: inner.map((child) => String(child["#text"] ?? "")).join(""),
        children: elementsOf(inner),
      },
    ];
  });
}
