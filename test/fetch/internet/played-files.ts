import {mkdtempSync, readFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import type {Geometry} from "geojson";
import {countyOf} from "../../../lib/geography/counties.ts";
import {mainNames} from "../../../lib/parcels/conform/column-references.ts";
import {loadParcelSources} from "../../../lib/registry/parcel-sources.ts";
import {dbfOf} from "../../../packages/parcel-files/test/write-dbf.ts";
import {writeLayer} from "../../../packages/parcel-files/test/write-geopackage.ts";
import {shapesOf} from "../../../packages/parcel-files/test/write-shapefile.ts";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {degreesPrj} from "../../pipeline/parcels/readers/write-formats.ts";
import {type Answer, file, json, type ReplayServer} from "../replay-server.ts";
import {cellOf, playedShare} from "./played-layers.ts";

const refused: Answer = (_, reply) => void reply.writeHead(403).end();
const minnesotaRows = 2_708_126;
/** Rows of Winnipeg that are played. */
export const winnipegRows = Math.round(245_000 * playedShare);
/** Of so many counties the publisher's list has one. */
const countiesPerArchive = 10;
/** Rows of each county's archive. */
const archiveRows = 8;

/** Plays the files: Minnesota's GeoPackage, Texas' archives, which the publisher's own host refuses to servers, and Winnipeg's export. */
export function playFiles(server: ReplayServer): void {
  const [minnesota, texas, winnipeg] = ["us-mn-open", "us-tx-archives", "ca-mb-winnipeg"].map(entryOf) as [
    ParcelSource,
    ParcelSource,
    ParcelSource,
  ];
  server.on(pathOf(minnesota.url!), file(once(() => geopackageOf(minnesota))));
  const {counties} = texas.coverage;
  const [ownPath, mirrorPath] = [texas.url!, texas.mirror!].map(
    (url) => pathOf(url).split("{county}")[0]!,
  ) as [string, string];
  server.on(ownPath, refused);
  server.on(mirrorPath, (request, reply) => {
    const county = request.path.slice(mirrorPath.length, mirrorPath.length + 5);
    return file(() => archiveOf(texas, county))(request, reply);
  });
  const all = counties === "all" ? [] : counties;
  const listed = all.filter((_, i) => i % countiesPerArchive === 0);
  const list = listed.map((county) => ({resource: texas.url!.replace("{county}", county)}));
  server.on(
    pathOf(texas.fileList!),
    json(() => ({next: null, results: list})),
  );
  server.on(
    pathOf(winnipeg.url!),
    file(
      once(() => Buffer.from(exportOf(winnipeg))),
      {type: "text/csv"},
    ),
  );
}

/** Path of a URL on the played internet. */
export function pathOf(url: string): string {
  return `/${url.replace(/^https:\/\//, "").replace(/\?.*$/, "")}`;
}

function entryOf(id: string): ParcelSource {
  return loadParcelSources().find((entry) => entry.id === id)!;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function outline(lon: number, lat: number, row: number): Geometry {
  const [x, y] = [lon + (row % 500) * 0.0005, lat + Math.floor(row / 500) * 0.0005];
  return {
    type: "Polygon",
    coordinates: [
      [
        [x, y],
        [x, y + 0.0004],
        [x + 0.0004, y + 0.0004],
        [x + 0.0004, y],
        [x, y],
      ],
    ],
  };
}

function geopackageOf(entry: ParcelSource): Buffer {
  const path = join(mkdtempSync(join(tmpdir(), "cattle-played-")), "parcels.gpkg");
  const names = mainNames(entry);
  const rows = Array.from({length: Math.round(minnesotaRows * playedShare)}, (_, row) => ({
    geometry: outline(-93.6, 45.0, row),
    cells: names.map((name) => cellOf(entry, name, {county: {co_name: "Hennepin"}, row})),
  }));
  writeLayer(path, {name: "plan_parcels_open", columns: names, rows});
  return zipOf({"plan_parcels_open.gpkg": readFileSync(path)});
}

function archiveOf(entry: ParcelSource, county: string): Buffer {
  const {lon, lat} = countyOf(county)!.point;
  const rows = Array.from({length: archiveRows}, (_, row) => row);
  const {shp, shx} = shapesOf(rows.map((row) => outline(lon, lat, row)));
  const columns = mainNames(entry).map((name) => ({
    ...{name, type: "C", width: 40},
    text: (row: number) =>
      name === "DATE_ACQ" ? "20250601" : String(cellOf(entry, name, {county: {FIPS: county}, row}) ?? ""),
  }));
  const stem = `stratmap25-landparcels_${county}_lp`;
  return zipOf({
    [`${stem}.shp`]: shp,
    [`${stem}.shx`]: shx,
    [`${stem}.dbf`]: dbfOf(columns, rows),
    [`${stem}.prj`]: degreesPrj,
  });
}

function exportOf(entry: ParcelSource): string {
  const names = mainNames(entry);
  const place = (row: number): Readonly<Record<string, string>> => ({
    centroid_lon: String(-97.2 + (row % 500) * 0.0002),
    centroid_lat: String(49.85 + Math.floor(row / 500) * 0.0002),
  });
  const rows = Array.from({length: winnipegRows}, (_, row) =>
    names.map((name) => cellOf(entry, name, {county: place(row), row}) ?? "").join(","),
  );
  return `${[names.join(","), ...rows].join("\n")}\n`;
}
