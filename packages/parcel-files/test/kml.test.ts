import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {readRows} from "./read-rows.ts";

const documentOf = (...placemarks: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemarks.join("\n")}</Document></kml>`;
const read = (text: string) => readRows("a.kml", text, ["Name", "PIN"]);

const square = (x: number) => `<Polygon><outerBoundaryIs><LinearRing>
  <coordinates>${x},33 ${x + 1},33 ${x + 1},34 ${x},34 ${x},33</coordinates></LinearRing></outerBoundaryIs></Polygon>`;

describe("the KML reader", () => {
  test.each([
    [
      "typed cells",
      '<ExtendedData><SchemaData><SimpleData name="PIN"> 01 &amp; 2 </SimpleData></SchemaData></ExtendedData>',
      "01 & 2",
    ],
    [
      "numbers of characters, once",
      '<ExtendedData><Data name="PIN"><value>Caf&#233; &#x41;&#38;amp; &amp;#66;</value></Data></ExtendedData>',
      "Café A&amp; &#66;",
    ],
    ["plain cells", '<ExtendedData><Data name="PIN"><value>01</value></Data></ExtendedData>', "01"],
    ["a cell without a value", '<ExtendedData><Data name="PIN"><value/></Data></ExtendedData>', ""],
    [
      "the table of a description",
      "<description><![CDATA[<table><tr><td>Parcel<tr><td><table><tr><th>PIN<td><b>0&#49;</b>&nbsp;&amp; 2</table></table>]]></description>",
      "01 & 2",
    ],
    [
      "cells rather than a description",
      '<description><![CDATA[<tr><td>PIN</td><td>02</td></tr>]]></description><ExtendedData><Data name="PIN"><value>01</value></Data></ExtendedData>',
      "01",
    ],
  ])("reads %s", async (_, content, pin) => {
    const {cells} = await read(documentOf(`<Placemark><name>A</name>${content}</Placemark>`));
    expect(cells).toEqual([{Name: "A", PIN: pin}]);
  });

  test("reads polygons, several as one geometry, else the point, and rows without either", async () => {
    const {geometry} = await read(
      documentOf(
        `<Placemark>${square(-99)}</Placemark>`,
        `<Placemark><MultiGeometry>${square(-99)}<MultiGeometry>${square(-97)}</MultiGeometry></MultiGeometry></Placemark>`,
        "<Placemark><Point><coordinates>-99,33,0</coordinates></Point></Placemark>",
        "<Placemark><name>B</name></Placemark>",
      ),
    );
    expect(geometry).toEqual([
      {lon: -98.5, lat: 33.5},
      {lon: -98.5, lat: 33.5},
      {lon: -99, lat: 33},
      {lon: null, lat: null},
    ]);
  });

  test("reads a placemark split into many chunks", async () => {
    const long = "0123456789".repeat(400_000);
    const {cells} = await read(
      documentOf(
        `<Placemark><name>${long}</name></Placemark>`,
        "<Placemark id='b'><name>B</name></Placemark>",
      ),
    );
    expect(cells.map(({Name}) => Name)).toEqual([long, "B"]);
  });

  test("reports a file truncated within a placemark, and reads one truncated between two", async () => {
    const [first, second] = [
      '<Placemark id="a"><name>A</name></Placemark>',
      '<Placemark id="b"><name>B</name></Placemark>',
    ];
    const whole = documentOf(first, second);
    const begins = whole.indexOf(second);
    await fc.assert(
      fc.asyncProperty(fc.nat({max: second.length - 1}), async (length) => {
        const reading = read(whole.slice(0, begins + length));
        if (length < "<Placemark".length) expect((await reading).cells).toHaveLength(1);
        else await expect(reading).rejects.toThrow("ends within a placemark: the file is cut off");
      }),
      {numRuns: 25},
    );
  });

  test("refuses a file without placemarks", async () => {
    await expect(read(documentOf())).rejects.toThrow("no placemarks");
  });
});
