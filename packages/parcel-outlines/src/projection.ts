import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";

type Proj4 = typeof import("proj4");

const load = createRequire(import.meta.url);

/** The library, loaded when coordinates are first converted: who only reads outlines in degrees does not wait for it. */
const proj4 = () => load("proj4") as Proj4;

/** Converts coordinates of a reference system to WGS 84 longitude and latitude in degrees. */
export type ToLonLat = (x: number, y: number) => [lon: number, lat: number];

/** A spatial reference as ArcGIS servers and Esri files state it. */
export type SpatialReference = {
  readonly wkid?: number | null | undefined;
  readonly latestWkid?: number | null | undefined;
  readonly wkt?: string | null | undefined;
};

/** A reference system that is unknown or cannot be used; the message says which, and the cure. */
export class ReferenceSystemError extends Error {
  override name = "ReferenceSystemError";
}

type ProjJson = Exclude<Parameters<Proj4>[0], string>;

/** Systems whose coordinates already are WGS 84 degrees, longitude first, by the names that files use. */
const degrees: ReadonlySet<string> = new Set(["EPSG:4326", "OGC:CRS84", "CRS84"]);

/** Esri's own codes for web Mercator (EPSG 3857). */
const webMercator: ReadonlySet<number> = new Set([102100, 102113, 900913]);

/**
 * The projection of a reference system given as `EPSG:n`, `urn:ogc:def:crs:…`, `OGC:CRS84` or WKT (a .prj
 * file); of a compound system it uses the horizontal part. Throws a ReferenceSystemError for an unknown system.
 */
export function projectionOf(crs: string): ToLonLat {
  const text = crs.trim();
  const name = text.replace(/^urn:ogc:def:crs:(\w+):[\d.]*:(\w+)$/i, "$1:$2").toUpperCase();
  if (degrees.has(name)) return (x, y) => [x, y];
  const code = /^(?:EPSG|ESRI):(\d+)$/.exec(name)?.[1];
  if (code !== undefined) {
    const definition = definitionOf(Number(code));
    if (definition !== undefined) return project(definition, crs);
    throw new ReferenceSystemError(
      `coordinate system EPSG:${code} is unknown: give its WKT in the entry's "crs"`,
    );
  }
  if (/^[A-Z_]+\s*\[/i.test(text)) return project(horizontalPart(text), crs);
  throw new ReferenceSystemError(
    `coordinate system "${text.slice(0, 80)}" is unknown: expected EPSG:n, OGC:CRS84 or WKT`,
  );
}

/** The projection of an ArcGIS spatial reference: by `latestWkid` or `wkid` if known, else by its WKT. */
export function projectionOfEsri({latestWkid, wkid, wkt}: SpatialReference): ToLonLat {
  for (const code of [latestWkid, wkid]) {
    if (code && definitionOf(code) !== undefined) return projectionOf(`EPSG:${code}`);
  }
  if (wkt) return projectionOf(wkt);
  throw new ReferenceSystemError(
    `spatial reference without a known wkid or WKT: got latestWkid ${latestWkid}, wkid ${wkid}`,
  );
}

/**
 * The projection of a PROJJSON object (GeoParquet); of a compound system it uses the horizontal part. Throws
 * a ReferenceSystemError for a system that cannot be used.
 */
export function projectionOfProjJson(projJson: unknown): ToLonLat {
  const {components} = projJson as {components?: readonly unknown[]};
  return project((components?.[0] ?? projJson) as ProjJson, JSON.stringify(projJson));
}

let definitions: ReadonlyMap<number, string> | null = null;

/**
 * The proj4 definition of an EPSG code, from `data/epsg.tsv`, which the first call reads; undefined
 * for an unknown code.
 */
function definitionOf(code: number): string | undefined {
  definitions ??= definitionsByCode();
  return definitions.get(webMercator.has(code) ? 3857 : code);
}

function definitionsByCode(): Map<number, string> {
  const lines = readFileSync(join(import.meta.dirname, "../data/epsg.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  return new Map(
    lines
      .filter((line) => !line.startsWith("#"))
      .flatMap((line) => {
        const [definition, codes] = line.split("\t") as [string, string];
        return codes.split(" ").map((code): [number, string] => [Number(code), definition]);
      }),
  );
}

function project(definition: string | ProjJson, crs: string): ToLonLat {
  const shown = `coordinate system "${crs.slice(0, 80)}"`;
  const source = systemOf(definition, shown);
  if (needsGrid(source)) {
    throw new ReferenceSystemError(
      `${shown} is on a datum whose grid is not here: convert the file (ogr2ogr -t_srs EPSG:4326)`,
    );
  }
  if (isDegreesOfWgs84(source)) return (x, y) => [x, y];
  const converter = proj4()(source, "WGS84");
  return (x, y) => converter.forward([x, y]) as [number, number];
}

/** The members of a parsed proj4 definition that are used here. */
type System = InstanceType<Proj4["Proj"]> & {
  readonly projName?: string;
  readonly datumCode?: string;
  readonly from_greenwich?: number;
  readonly to_meter?: number | null;
  readonly datum: {
    readonly a: number;
    readonly datum_params?: readonly number[];
    readonly grids?: readonly {mandatory: boolean; grid: unknown}[];
  };
};

function systemOf(definition: string | ProjJson, shown: string): System {
  try {
    return new (proj4().Proj)(definition) as System;
  } catch (fault) {
    throw new ReferenceSystemError(`${shown} cannot be used: ${String(fault)}`);
  }
}

/**
 * NAD27 differs from WGS 84 by up to 100 m, depending on the place; without its grid proj4 returns NaN or
 * unshifted coordinates.
 */
function needsGrid({datum, datumCode}: System): boolean {
  const missing = datum.grids?.some(({mandatory, grid}) => mandatory && grid === null) ?? false;
  return missing || /^(?:nad27|north_american_1927|north_american_datum_1927)$/i.test(datumCode ?? "");
}

/**
 * True for degrees of WGS 84, or of a datum that proj4 treats as equal: converting would only add rounding
 * noise.
 */
function isDegreesOfWgs84({projName, from_greenwich, to_meter, datum}: System): boolean {
  const unshifted = datum.datum_params?.every((parameter) => parameter === 0) ?? true;
  const inDegrees = !to_meter || Math.abs(to_meter - (datum.a * Math.PI) / 180) < 1;
  return projName === "longlat" && datum.a === 6_378_137 && unshifted && !from_greenwich && inDegrees;
}

/** The first PROJCS or GEOGCS of a WKT; compound systems and .prj files append a vertical system. */
function horizontalPart(wkt: string): string {
  const start = wkt.search(/\b(PROJCS|PROJCRS|GEOGCS|GEOGCRS)\s*\[/i);
  if (start < 0) return wkt;
  let depth = 0;
  for (let i = wkt.indexOf("[", start); i < wkt.length; i++) {
    if (wkt[i] === "[") depth += 1;
    if (wkt[i] === "]" && --depth === 0) return wkt.slice(start, i + 1);
  }
  return wkt.slice(start);
}
