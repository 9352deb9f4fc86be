import {createReadStream} from "node:fs";
import {summarizeGeometry} from "@open-cattle/parcel-outlines";
import type {Geometry, Polygon, Position} from "geojson";
import {htmlTables} from "./html-tables.ts";
import {atLeastOne, closed, FileError, type FileFormat, type FileRow, messageOf} from "./parcel-file.ts";
import {children, ElementCutter, parseXml, type XmlNode} from "./xml-elements.ts";

/** Maximum characters of a placemark, more than any outline needs. */
const longestPlacemark = 64 * 2 ** 20;

/** Reads KML placemark by placemark: the cells of its extended data, or those of the table in its description. */
export const kmlFormat: FileFormat = {
  name: "KML",
  accepts: ({extension, head}) => extension === "kml" || /<kml[\s>]/.test(head.toString("utf8")),
  async open({path, shownPath}) {
    return {
      columns: null,
      remark: null,
      rows: () => atLeastOne(records(path, shownPath), `${shownPath}: no placemarks; expected at least one.`),
      account: () => undefined,
      ...closed,
    };
  },
};

async function* records(path: string, shownPath: string): AsyncGenerator<FileRow> {
  let row = 0;
  for await (const text of placemarks(path, shownPath)) {
    row += 1;
    const placemark = parsed(text, `${shownPath}: placemark ${row}`);
    yield {cells: cellsOf(placemark), geometry: summarizeGeometry(geometryOf(placemark))};
  }
}

/** Yields the text of each placemark. Throws a `FileError` for an unterminated one. */
async function* placemarks(path: string, shownPath: string): AsyncGenerator<string> {
  const cutter = new ElementCutter("Placemark");
  for await (const piece of createReadStream(path, {encoding: "utf8", highWaterMark: 1 << 20})) {
    yield* cutter.next(piece as string);
    if (cutter.waiting > longestPlacemark)
      throw new FileError(`${shownPath}: a placemark without an end; the file is damaged.`);
  }
  if (cutter.isOpen)
    throw new FileError(`${shownPath}: ends within a placemark: the file is cut off. Fetch it again.`);
}

function parsed(text: string, place: string): XmlNode {
  try {
    return children(parseXml(text), "Placemark")[0]!;
  } catch (error) {
    throw new FileError(`${place}: not XML: ${messageOf(error)}`);
  }
}

function cellsOf(placemark: XmlNode): Record<string, string> {
  const data = children(placemark, "ExtendedData");
  const simple = data
    .flatMap((each) => children(each, "SchemaData"))
    .flatMap((each) => children(each, "SimpleData"));
  const pairs = [
    ...simple.map((cell) => [textOf(cell["@name"]), textOf(cell)] as const),
    ...data
      .flatMap((each) => children(each, "Data"))
      .map((cell) => [textOf(cell["@name"]), textOf(cell["value"])] as const),
  ];
  const described = pairs.length > 0 ? pairs : tableOf(textOf(placemark["description"]));
  const named = described.filter(([name]) => name !== "");
  return {Name: textOf(placemark["name"]), ...Object.fromEntries(named)};
}

/** Returns the two-cell rows of the tables that mapping software writes into descriptions. */
function tableOf(html: string): (readonly [string, string])[] {
  const rows = htmlTables(html).flat();
  return rows.flatMap((cells) => (cells.length === 2 ? [[cells[0]!, cells[1]!] as const] : []));
}

/** The polygons of a placemark as one geometry, else its point; null if it has neither. */
function geometryOf(placemark: XmlNode): Geometry | null {
  const polygons = polygonsOf(placemark);
  const [only, second] = polygons;
  if (second !== undefined)
    return {type: "MultiPolygon", coordinates: polygons.map(({coordinates}) => coordinates)};
  if (only !== undefined) return only;
  const point = [placemark, ...children(placemark, "MultiGeometry")]
    .flatMap((element) => children(element, "Point"))
    .flatMap((element) => positionsOf(element["coordinates"]));
  return point[0] === undefined ? null : {type: "Point", coordinates: point[0]};
}

function polygonsOf(element: XmlNode): Polygon[] {
  const own = children(element, "Polygon").map((polygon): Polygon => {
    const rings = [...children(polygon, "outerBoundaryIs"), ...children(polygon, "innerBoundaryIs")];
    return {
      type: "Polygon",
      coordinates: rings.map((ring) => positionsOf(children(ring, "LinearRing")[0]?.["coordinates"])),
    };
  });
  return [...own, ...children(element, "MultiGeometry").flatMap(polygonsOf)];
}

/** Parses `lon,lat,altitude` tuples separated by blanks. */
function positionsOf(coordinates: unknown): Position[] {
  const tuples = textOf(coordinates).split(/\s+/);
  return tuples
    .map((tuple) => tuple.split(",").slice(0, 2).map(Number))
    .filter((position) => position.length === 2);
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : children(value, "#text")[0];
  return typeof text === "string" ? text.trim() : "";
}
