import {ParcelSource} from "../../../schemas/parcel-source.ts";

/** A registry entry of an invented Texas county source with only parcel numbers; `members` override its own. */
export function bareEntry(members: Record<string, unknown> = {}): ParcelSource {
  return ParcelSource.parse({
    id: "us-tx-invented",
    name: "Invented parcels",
    publisher: "Invented county",
    authority: "county",
    coverage: {country: "US", state: "TX", counties: ["48453"]},
    licence: "CC0-1.0",
    terms: {store: true, redistributeOwners: true, bulk: true},
    ids: {raw: "PIN"},
    vintage: ["retrieved"],
    fields: {},
    accept: {minRows: 1, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
    ...members,
  });
}

/** The same with addresses, owners, values and areas. */
export function invented(members: Record<string, unknown> = {}): ParcelSource {
  return bareEntry({
    vintage: [{rollYear: "YEAR"}, "retrieved"],
    fields: {
      situs_raw: {from: "SITUS"},
      owner_raw: {from: "OWNER"},
      market_value: {from: "VALUE", transform: ["money"]},
    },
    area: {from: "ACRES", unit: "acres"},
    values: {market_value: "market"},
    owners: {published: true, order: "last_first"},
    ...members,
  });
}

/** The map beside the roll of `invented()`: numbers and outlines alone. */
export function inventedMap(): ParcelSource {
  return invented({
    ...{id: "us-tx-map", vintage: ["retrieved"], fields: {}, area: undefined, values: undefined},
    owners: {published: false, order: "unknown"},
  });
}

/** A row as the invented source prints it. */
export function row(pin: string | null, members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    PIN: pin,
    SITUS: "100 OAK ST",
    OWNER: "HARLOW DALE M",
    VALUE: "1,000",
    ACRES: "2",
    YEAR: "2026",
    ...members,
  };
}

/**
 * A square parcel of about four acres, its south-west corner `east` and `north` of the county's centre, in hundredths of a
 * degree.
 */
export function square(east: number, north: number): {type: "Polygon"; coordinates: number[][][]} {
  const [x, y, side] = [-97.75 + east / 100, 30.3 + north / 100, 0.0012];
  return {
    type: "Polygon",
    coordinates: [
      [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
        [x, y],
      ],
    ],
  };
}

/** A GeoJSON file of rows with geometries. */
export function geojson(rows: readonly {properties: Record<string, unknown>; geometry: unknown}[]): string {
  return JSON.stringify({
    type: "FeatureCollection",
    features: rows.map((each) => ({type: "Feature", ...each})),
  });
}

/** A CSV file of rows. */
export function csv(rows: readonly Record<string, unknown>[], delimiter = ","): string {
  const columns = Object.keys(rows[0]!);
  const quoted = (cell: unknown) =>
    cell === null || cell === undefined ? "" : `"${String(cell).replaceAll('"', '""')}"`;
  return [
    columns.join(delimiter),
    ...rows.map((each) => columns.map((name) => quoted(each[name])).join(delimiter)),
  ].join("\n");
}
