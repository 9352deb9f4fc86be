import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {listRawFiles, type RawFile} from "../../lib/raw-files.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import type {StateMade} from "../../schemas/part-file.ts";
import {temporaryFolder} from "../temporary-folder.ts";

/** A registry entry of an invented county source of Texas; members replace those that it has. */
export function invented(members: Record<string, unknown> = {}): ParcelSource {
  return ParcelSource.parse({
    id: "us-tx-invented",
    name: "Invented parcels",
    publisher: "Invented county",
    authority: "county",
    coverage: {country: "US", state: "TX", counties: ["48453"]},
    licence: "CC0-1.0",
    terms: {store: true, redistributeOwners: true, bulk: true},
    ids: {raw: "PIN"},
    vintage: [{rollYear: "YEAR"}, "retrieved"],
    fields: {
      situs_raw: {from: "SITUS"},
      owner_raw: {from: "OWNER"},
      market_value: {from: "VALUE", transform: ["money"]},
    },
    area: {from: "ACRES", unit: "acres"},
    values: {market_value: "market"},
    owners: {published: true, order: "last_first"},
    accept: {minRows: 1, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
    ...members,
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

/** A square parcel of about four acres whose south-west corner lies `east` and `north` of the county's middle, in hundredths of a degree. */
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

/** A raw folder with files of the entry `us-tx-invented`, by name, or of another where the name begins with its id and a slash. */
export async function rawFiles(
  files: Record<string, string | Buffer>,
  meta: Record<string, unknown> = {},
): Promise<RawFile[]> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, "parcels", name.includes("/") ? name : `us-tx-invented/${name}`);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, content);
    writeFileSync(`${path}.meta.json`, JSON.stringify({retrieved_at: "2026-11-01T00:00:00Z", ...meta}));
  }
  return listRawFiles(folder);
}

export type Built = StateMade & {readonly outDir: string};

/** Builds Texas from files of one or several entries. */
export async function built(
  files: readonly RawFile[],
  entries: readonly ParcelSource[] = [invented()],
): Promise<Built> {
  const outDir = join(temporaryFolder(), "state=TX");
  const made = await buildState({
    state: "TX",
    country: "US",
    entries,
    files,
    outDir,
    asOf: "2026-11-21",
    tempDir: temporaryFolder(),
  });
  return {...made, outDir};
}
