import {type FakeRow, pageOf, side, square} from "./fake-arcgis.ts";

/** A reply that reaches the reader: of the right form, for a parcel that exists, and odd in one thing. */
export type NastyReply = {
  readonly name: string;
  /** The answer to the query. */
  readonly page?: string | Buffer;
  /** Members that replace those of the usual metadata. */
  readonly metadata?: Record<string, unknown>;
};

type Ring = number[][];

/** The invented replies for one row of a layer. */
export function nastyReplies(row: FakeRow): NastyReply[] {
  return [
    ...outlineReplies(row),
    ...coordinateReplies(row),
    ...attributeReplies(row),
    ...bodyReplies(row),
    ...metadataReplies(),
  ];
}

const text = (more: Record<string, unknown>, row: FakeRow) => JSON.stringify(pageOf([row], more));

/** A small square at so many steps from the row's corner. */
function cell({west, south}: FakeRow, column: number, line: number, step: number): Ring {
  const [x, y] = [west + column * step, south + line * step];
  const size = step / 2;
  return [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
}

/** A ring through so many points of a circle in the row's square, each so many further than the one before. */
function star({west, south}: FakeRow, points: number, jump: number): Ring {
  const ring = Array.from({length: points}, (_, i) => {
    const angle = (2 * Math.PI * i * jump) / points;
    return [west + (side / 2) * (1 + Math.cos(angle)), south + (side / 2) * (1 + Math.sin(angle))];
  });
  return [...ring, ring[0]!];
}

/** Long slanting teeth whose boxes all overlap, and a last edge through them. */
function comb({west, south}: FakeRow, teeth: number): Ring {
  const ring = Array.from({length: teeth}, (_, i) => {
    const x = west + (side * i) / teeth;
    return i % 2 === 0 ? [x, south] : [x, south + side];
  });
  return [...ring, [west + side, south + side / 2], [west - side, south + side / 2], ring[0]!];
}

function bowTie({west, south}: FakeRow): Ring {
  return [
    [west, south],
    [west + side, south + side],
    [west + side, south],
    [west, south + side],
    [west, south],
  ];
}

const many = <Value>(count: number, make: (i: number) => Value): Value[] =>
  Array.from({length: count}, (_, i) => make(i));

/** Outlines that cost much to judge, and are not valid. */
function outlineReplies(row: FakeRow): NastyReply[] {
  const {attributes, west, south} = row;
  const page = (...rings: Ring[][]) =>
    text({features: rings.map((each) => ({attributes, geometry: {rings: each}}))}, row);
  const shell = square(row);
  const field = (count: number) => many(count, (i) => cell(row, i % 100, Math.floor(i / 100), side / 100));
  const line = many(90_000, (i) => [west + i * 1e-8, south]);
  return [
    {name: "700 odd outlines", page: page(...many(700, () => [star(row, 60, 7)]))},
    {name: "499 odd outlines", page: page(...many(499, () => [star(row, 60, 7)]))},
    {name: "9,000 holes", page: page([shell, ...field(9_000)])},
    {
      name: "499 holes, one of them outside",
      page: page([shell, ...field(497), cell(row, 300, 0, side / 100)]),
    },
    {name: "499 parts on one another", page: page(many(499, () => shell))},
    {name: "499 rings in rings", page: page(many(499, (i) => cell(row, 0, 0, side / (i + 1)).reverse()))},
    {name: "a comb of 90,000 teeth that crosses itself", page: page([comb(row, 90_000)])},
    {name: "a star of 90,000 points whose edges all cross", page: page([star(row, 89_999, 44_999)])},
    {name: "a star of 30,000 points and 400 holes", page: page([star(row, 30_001, 7), ...field(400)])},
    {name: "90,000 vertices on one line", page: page([[...line, line[0]!]])},
    {
      name: "45,000 spikes",
      page: page([[...many(90_000, (i) => [west + i * 1e-8, south + (i % 2) * side]), [west, south]]]),
    },
    {name: "the same ring 400 times", page: page([shell, ...many(400, () => cell(row, 1, 1, side / 10))])},
    {name: "a ring that turns back on itself", page: page([[...shell, ...[...shell].reverse()]])},
    {
      name: "499 rings through one point",
      page: page(
        many(499, (i) => [
          [west, south],
          [west + side, south + (i * side) / 499],
          [west + side, south + ((i + 2) * side) / 499],
          [west, south],
        ]),
      ),
    },
    {name: "one point 90,000 times", page: page([many(90_000, () => [west, south])])},
    {
      name: "100,001 vertices",
      page: page([[...many(100_001, (i) => [west + i * 1e-9, south]), [west, south]]]),
    },
  ];
}

/** Coordinates that are none, or too large, too small or too many. */
function coordinateReplies(row: FakeRow): NastyReply[] {
  const {attributes} = row;
  const shell = square(row);
  const geometry = (value: unknown) => text({features: [{attributes, geometry: value}]}, row);
  const mapped = (change: (value: number) => unknown) =>
    geometry({rings: [shell.map((corner) => corner.map(change))]});
  const raw = (word: string) => text({}, row).replaceAll(String(row.west), word);
  return [
    {name: "coordinates of 1e308", page: mapped((value) => value * 1e306)},
    {name: "coordinates that differ by denormal numbers", page: mapped((value) => (value % 1) * 1e-310)},
    {name: "coordinates beyond 2^53", page: mapped((value) => value * 2 ** 60)},
    {name: "coordinates of metres", page: mapped((value) => value * 111_320)},
    {name: "coordinates that are null", page: mapped(() => null)},
    {name: "coordinates that are texts", page: mapped(String)},
    {name: "coordinates that are lists", page: mapped((value) => [value])},
    {name: "coordinates NaN", page: raw("NaN")},
    {name: "coordinates -Infinity", page: raw("-Infinity")},
    {name: "coordinates of 400 digits", page: raw(`-${"9".repeat(400)}`)},
    {name: "rings that are an object", page: geometry({rings: {0: shell}})},
    {name: "rings that are null", page: geometry({rings: [null, null]})},
    {name: "empty rings", page: geometry({rings: many(400, () => [])})},
    {name: "a bow tie", page: geometry({rings: [bowTie(row)]})},
    {name: "curves", page: geometry({curveRings: [[shell[0], {c: [shell[1], shell[2]]}]]})},
    {name: "100,001 points", page: geometry({points: many(100_001, () => [200, 100])})},
    {name: "a reference system that is a list", page: text({spatialReference: [4326]}, row)},
    {
      name: "a description of a reference system of 1 MB",
      page: text({spatialReference: {wkt: "x".repeat(1_000_000)}}, row),
    },
  ];
}

/** Attributes that databases and texts stumble over; the outline crosses itself, so that none of them is found. */
function attributeReplies(row: FakeRow): NastyReply[] {
  const geometry = {rings: [bowTie(row)]};
  const page = (more: Record<string, unknown>, count = 1) =>
    text({features: many(count, () => ({attributes: {...row.attributes, ...more}, geometry}))}, row);
  const deep = (levels: number) => many(levels, (i) => i).reduce<unknown>((inner) => ({a: inner}), 1);
  return [
    {name: "1,000 parcels of one number", page: page({}, 1_000)},
    {name: "a lone surrogate for a number", page: page({APN: "x"}).replace('"x"', '"\\ud800"')},
    {name: "a lone surrogate for a name", page: page({xx: 1}).replace('"xx"', '"\\udfff"')},
    {name: "a name of 1 MB", page: page({["n".repeat(1_000_000)]: 1})},
    {name: "10,000 names", page: page(Object.fromEntries(many(10_000, (i) => [`f${i}`, i])))},
    {name: "values 26 levels deep", page: page({SITUS: deep(26)})},
    {name: "values 33 levels deep", page: page({SITUS: deep(33)})},
    {name: "a number of 1e400", page: page({ACRES: 0.5}).replace("0.5", "1e400")},
    {name: "a number of 10,000 digits", page: page({ACRES: 0.5}).replace("0.5", "9".repeat(10_000))},
    {name: "a date of the year 275761", page: page({LASTUPDATE: 8.64e15 + 1})},
    {name: "NUL in every text", page: page({APN: "R-100-1\u0000", SITUS: "\u0000".repeat(4_000)})},
    {name: "400 texts of 8,000 combining signs", page: page({SITUS: "\u0301".repeat(3_900)}, 400)},
  ];
}

/** Bodies that are hard on the parser. */
function bodyReplies(row: FakeRow): NastyReply[] {
  const {attributes} = row;
  const feature = (geometry: unknown) => ({type: "Feature", properties: attributes, geometry});
  const collection = (geometry: unknown) =>
    JSON.stringify({type: "FeatureCollection", features: [feature(geometry)]});
  const polygon = {type: "Polygon", coordinates: [bowTie(row)]};
  return [
    {name: "GeoJSON whose coordinates are a number", page: collection({type: "Polygon", coordinates: 5})},
    {name: "GeoJSON of collections", page: collection({type: "GeometryCollection", geometries: [polygon]})},
    {name: "features that are null", page: '{"spatialReference":{"wkid":4326},"features":[null]}'},
    {name: "20,001 objects", page: text({features: many(20_001, () => ({}))}, row)},
    {
      name: "150,001 lists",
      page: text({features: [{attributes, geometry: {rings: many(150_001, () => [])}}]}, row),
    },
    {name: "3 MiB of blanks", page: Buffer.concat([Buffer.alloc(3 * 1024 * 1024, " "), Buffer.from("{}")])},
    {name: "3 MiB of opening brackets", page: Buffer.alloc(3 * 1024 * 1024, "[")},
    {name: "3 MiB of escapes", page: `{"features":"${"\\u0000".repeat(500_000)}"}`},
  ];
}

/** Metadata that are large or odd. */
function metadataReplies(): NastyReply[] {
  const named = (names: readonly string[]) => ({
    fields: names.map((name) => ({name, type: "esriFieldTypeString"})),
  });
  return [
    {name: "metadata with 19,000 fields", metadata: named(many(19_000, (i) => `FIELD_${i}`))},
    {
      name: "metadata with names of 1,500 characters",
      metadata: named(many(2_000, (i) => `F${i}${"x".repeat(1_500)}`)),
    },
    {name: "metadata whose date is none", metadata: {editingInfo: {lastEditDate: 1e300}}},
    {name: "metadata whose names are SQL", metadata: named(many(500, (i) => `A"); DROP TABLE x${i}; --`))},
  ];
}
