import type {Point} from "@open-cattle/parcel-outlines";
import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import {mainNames, namesOf} from "../../lib/parcels/conform/column-references.ts";
import type {LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {parcelColumns} from "../../schemas/parcel-columns.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {AskedCounty} from "../../server/cadastre/asked-county.ts";
import {type FakeRow, pageOf} from "../server/cadastre/fake-arcgis.ts";
import type {Random} from "../server/parcels/invented-state.ts";
import type {AskedReply} from "./four-ways.ts";

/** Cells of an invented layer by the column of ours that they fill; all owners and streets are invented. */
const cells: Readonly<Record<string, readonly unknown[]>> = {
  situs_raw: [
    "101 OAKVALE RD",
    "103 Oakvale Rd Ashmere",
    "105 OAKVALE RD COLLEGE STATION",
    "107 OAKVALE RD MADISON 53703",
    "7 ELM ST, HOLTBY, TX 77801",
    "2200 CR 120",
    "1/2 MI N OF FM 1826",
    "LOT 4 BLK 2",
    "PO BOX 12",
    "12 1/2 ST JAMES AVE APT 2B",
    "9 ELM ST TULSA OK 74101",
    "",
    null,
  ],
  city: ["ASHMERE", "College Station", null],
  zip: ["77801", "77801-1234", 77845, "0"],
  owner_raw: ["QUISTAD HELGA", "VANTERPOOL ENZO & MILA", "CONFIDENTIAL", "PLAINSTEAD BANK & TRUST CO", null],
  // Most fit the outlines of 2.2 acres: a file whose areas do not is judged as a whole, which an answer of one parcel cannot be.
  acres: [2.2, 2.2, 2.2, 2.5, 162.5, 0, 50_000, null],
  use_code: ["A1", "D1", "C1", "E", "F1", "0100", "ZZ", null],
  use_description: ["SINGLE FAMILY", "VACANT LAND", "PASTURE", "GAS STATION", "NATIVE", null],
  land_value: [1000, 24_000, 0, null],
  building_value: [0, 84_200, null],
  market_value: [108_200, 24_000, 0, null],
  building_area: [0, 1850, null],
  year_built: [1974, 0, null],
  transfer_date: [Date.parse("2024-03-05T00:00:00Z"), 0, null],
  transfer_price: [1, 250_000, null],
  legal_desc: ["LOT 1 BLK 2 OAKVALE", "ABST 12 SMITHE SURVEY", null],
  subdivision: ["OAKVALE", null],
};
const kinds = new Map(parcelColumns.map(({name, kind}) => [name, kind]));

/** Cells of any other column: words or numbers, as its kind is. */
function otherCells(column: string): readonly unknown[] {
  const kind = kinds.get(column);
  return kind === "text" || kind === "dictionary" ? ["OAKVALE", "ELM", null] : [12, 2025, null];
}

/** The same by column names that counties use. */
const printed: Readonly<Record<string, string>> = {
  SITUS: "situs_raw",
  CITY: "city",
  ZIP: "zip",
  OWNER: "owner_raw",
  ACRES: "acres",
  GIS_ACRES: "acres",
  USE_CODE: "use_code",
  USE_DESC: "use_description",
  LAND_VALUE: "land_value",
  IMPR_VALUE: "building_value",
  MARKET_VALUE: "market_value",
  BLDG_SQFT: "building_area",
  YEAR_BUILT: "year_built",
  SALE_DATE: "transfer_date",
  SALE_PRICE: "transfer_price",
  LEGAL_DESC: "legal_desc",
  SUBDIV: "subdivision",
};
const dates: Readonly<Record<string, readonly unknown[]>> = {
  TAX_YEAR: [2025, 2026],
  LASTUPDATE: [Date.parse("2026-09-01T00:00:00Z"), null],
};

type Place = {readonly county: AskedCounty; readonly statewide: boolean; readonly prefix: string};

/** Rows of an invented answer of a layer, with parcel numbers starting with `prefix`. */
export function inventedReply(
  random: Random,
  source: LayerSource,
  {county, statewide, prefix, rows}: Place & {rows: number},
): AskedReply {
  const columns = source.fields === undefined ? unmapped(random, source) : mapped(source as ParcelSource);
  const corner = cornerIn(county.key, Number(prefix.slice(1)));
  const features = Array.from({length: rows}, (_, i): FakeRow => {
    const number = [...columns].map(([name, filled]) => [
      name,
      filled === "id" ? `${prefix}-${100 + i}` : filled === "county" ? county.key : random.pick(filled),
    ]);
    const place = {
      west: corner.lon + (i % 8) * 0.002,
      south: corner.lat + Math.floor(i / 8) * 0.002,
    };
    return {attributes: {OBJECTID: i + 1, ...Object.fromEntries(number)}, ...place};
  });
  const fields = ["OBJECTID", ...columns.keys()].map((name) => ({
    name,
    type: typeOf(name, columns.get(name)),
  }));
  return {source, county, statewide, fields, page: JSON.stringify({...pageOf(features), fields})};
}

/**
 * Where the rows of layer `n` start, inside even a small county: rows of an answer outside the county are refused, rows of a
 * file are not.
 */
function cornerIn(county: string, n: number): Point {
  const {west, south, east, north} = countyBox(county)!;
  const wanted = {
    lon: (west + east) / 2 + (n % 8) * 0.02 - 0.08,
    lat: (south + north) / 2 + Math.floor(n / 8) * 0.012 - 0.05,
  };
  const others = Array.from({length: 81}, (_, i) => ({
    lon: west + ((east - west) * ((i % 9) + 0.5)) / 9,
    lat: south + ((north - south) * (Math.floor(i / 9) + 0.5)) / 9,
  }));
  const holds = (point: Point) => countyAt(point)?.fips === county;
  const far = ({lon, lat}: Point) => ({lon: lon + 0.016, lat: lat + 0.004});
  return [wanted, ...others].find((corner) => holds(corner) && holds(far(corner))) ?? wanted;
}

type Filled = "id" | "county" | readonly unknown[];

/** Columns of a layer without a map: its number, and some of those that counties print. */
function unmapped(random: Random, {cadastre: {idField = "APN", ...asked}}: LayerSource): Map<string, Filled> {
  const names = Object.keys(printed).filter(() => random.below(3) > 0);
  const some = Object.keys(dates).filter(() => random.below(2) > 0);
  return new Map<string, Filled>([
    [idField, "id"],
    ...names.map((name) => [name, cells[printed[name]!]!] as const),
    ...some.map((name) => [name, dates[name]!] as const),
    ...(asked.addressField === undefined ? [] : [[asked.addressField, cells["situs_raw"]!] as const]),
  ]);
}

/** The columns that a registered map reads. */
function mapped({
  fields,
  ids,
  coverage: {countyFrom},
  use,
  area,
  ...entry
}: ParcelSource): Map<string, Filled> {
  const filled = new Map<string, Filled>();
  for (const name of mainNames({
    ...entry,
    fields,
    ids,
    use,
    area,
    coverage: {country: "US", state: "TX", counties: "all", countyFrom},
  }))
    filled.set(name, [2025, 2026]);
  for (const [column, spec] of Object.entries(fields))
    for (const name of namesOf(spec)) filled.set(name, cells[column] ?? otherCells(column));
  for (const name of [area?.from ?? []].flat()) filled.set(name, cells["acres"]!);
  for (const name of [use?.codeFrom ?? []].flat()) filled.set(name, cells["use_code"]!);
  if (use?.descriptionFrom !== undefined) filled.set(use.descriptionFrom, cells["use_description"]!);
  if (!("none" in ids))
    for (const name of [ids.raw, ...(ids.alt ?? [])].flatMap((id) => namesOf(id))) filled.set(name, "id");
  if (countyFrom !== undefined)
    for (const name of namesOf(countyFrom)) if (!/^(?:\d{5}|@point)$/.test(name)) filled.set(name, "county");
  return filled;
}

function typeOf(name: string, filled: Filled | undefined): string {
  if (name === "OBJECTID") return "esriFieldTypeOID";
  if (filled === dates["LASTUPDATE"] || filled === cells["transfer_date"]) return "esriFieldTypeDate";
  return typeof filled?.[0] === "number" ? "esriFieldTypeDouble" : "esriFieldTypeString";
}
