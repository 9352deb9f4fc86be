import {createReadStream} from "node:fs";
import {XMLParser} from "fast-xml-parser";
import type {Geometry, Polygon, Position} from "geojson";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import {type SourceRecord, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import type {Reader} from "./reader.ts";

const opening = "<Placemark";
const closing = "</Placemark>";
/** Characters of the largest placemark: more than any outline has. */
const longestPlacemark = 64 * 2 ** 20;

type Element = Record<string, unknown>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name) => /^(?:SchemaData|SimpleData|Data|Polygon|MultiGeometry|innerBoundaryIs)$/.test(name),
});

/** Reads KML, placemark by placemark: the cells of its extended data, else those of the table in its description. */
export const kmlReader: Reader = {
  name: "KML",
  accepts: ({extension, head}) => extension === "kml" || /<kml[\s>]/.test(head.toString("utf8")),
  async read(request) {
    const {path, shown} = request.dataset;
    const staged = await stageRecords(request.db, request, records(path, shown));
    if (staged.rows === 0) throw new UserError(`${shown}: no placemarks; expected at least one.`);
    return staged;
  },
};

async function* records(path: string, shown: string): AsyncGenerator<SourceRecord> {
  let row = 0;
  for await (const text of placemarks(path, shown)) {
    row += 1;
    const placemark = parsed(text, `${shown}: placemark ${row}`);
    yield {cells: cellsOf(placemark), geometry: summarizeGeometry(geometryOf(placemark))};
  }
}

/** Gives the text of each placemark of a file. Throws a `UserError` for one that does not end. */
async function* placemarks(path: string, shown: string): AsyncGenerator<string> {
  let text = "";
  let searched = 0;
  for await (const piece of createReadStream(path, {encoding: "utf8", highWaterMark: 1 << 20})) {
    text += piece as string;
    for (;;) {
      const end = text.indexOf(closing, searched);
      if (end < 0) break;
      const start = text.indexOf(opening);
      if (start >= 0 && start < end) yield text.slice(start, end + closing.length);
      text = text.slice(end + closing.length);
      searched = 0;
    }
    if (!text.includes(opening)) text = text.slice(-opening.length);
    searched = Math.max(0, text.length - closing.length);
    if (text.length > longestPlacemark)
      throw new UserError(`${shown}: a placemark without an end; the file is damaged.`);
  }
  if (text.includes(opening))
    throw new UserError(`${shown}: ends within a placemark: the file is cut off. Fetch it again.`);
}

function parsed(text: string, place: string): Element {
  try {
    return elementOf((parser.parse(text) as Element)["Placemark"]);
  } catch (error) {
    throw new UserError(`${place}: not XML: ${messageOf(error)}`);
  }
}

function cellsOf(placemark: Element): Record<string, string> {
  const data = elementOf(placemark["ExtendedData"]);
  const simple = elementsOf(data["SchemaData"]).flatMap((schema) => elementsOf(schema["SimpleData"]));
  const pairs = [
    ...simple.map((cell) => [textOf(cell["@name"]), textOf(cell)] as const),
    ...elementsOf(data["Data"]).map((cell) => [textOf(cell["@name"]), textOf(cell["value"])] as const),
  ];
  const described = pairs.length > 0 ? pairs : tableOf(textOf(placemark["description"]));
  const named = described.filter(([name]) => name !== "");
  return {Name: textOf(placemark["name"]), ...Object.fromEntries(named)};
}

/** Gives the rows of two cells of the table that map programs write into a description. */
function tableOf(html: string): (readonly [string, string])[] {
  const rows = html.split(/<tr\b[^>]*>/i).map((row) =>
    row
      .split(/<t[dh]\b[^>]*>/i)
      .slice(1)
      .map(plainText),
  );
  return rows.flatMap((cells) => (cells.length === 2 ? [[cells[0]!, cells[1]!] as const] : []));
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": " ",
};

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity]!)
    .trim();
}

/** The polygons of a placemark as one geometry, else its point; null where it has neither. */
function geometryOf(placemark: Element): Geometry | null {
  const polygons = polygonsOf(placemark);
  const [only, second] = polygons;
  if (second !== undefined)
    return {type: "MultiPolygon", coordinates: polygons.map(({coordinates}) => coordinates)};
  if (only !== undefined) return only;
  const point = [placemark, ...elementsOf(placemark["MultiGeometry"])]
    .flatMap((element) => elementsOf(element["Point"]))
    .flatMap((element) => positionsOf(element["coordinates"]));
  return point[0] === undefined ? null : {type: "Point", coordinates: point[0]};
}

function polygonsOf(element: Element): Polygon[] {
  const own = elementsOf(element["Polygon"]).map((polygon): Polygon => {
    const rings = [...elementsOf(polygon["outerBoundaryIs"]), ...elementsOf(polygon["innerBoundaryIs"])];
    return {
      type: "Polygon",
      coordinates: rings.map((ring) => positionsOf(elementOf(ring["LinearRing"])["coordinates"])),
    };
  });
  return [...own, ...elementsOf(element["MultiGeometry"]).flatMap(polygonsOf)];
}

/** Gives the positions of `lon,lat,altitude` parted by blanks. */
function positionsOf(coordinates: unknown): Position[] {
  const tuples = textOf(coordinates).split(/\s+/);
  return tuples
    .map((tuple) => tuple.split(",").slice(0, 2).map(Number))
    .filter((position) => position.length === 2);
}

function elementOf(value: unknown): Element {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Element) : {};
}

function elementsOf(value: unknown): Element[] {
  if (value === undefined || value === "") return [];
  return (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === "string" ? {"#text": each} : elementOf(each),
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  const text = elementOf(value)["#text"];
  return typeof text === "string" ? text.trim() : "";
}
