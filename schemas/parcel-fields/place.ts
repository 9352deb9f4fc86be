import {z} from "zod";
import {statedFlags} from "../vocabulary/parcel-provenance.ts";
import {column, fact, finds, member, number, type ParcelField, required, string} from "./parcel-field.ts";
import * as text from "./texts.ts";

const parsedSitus = {made: "parsed", mapped: "situs_raw"} as const;

/** Ids and the county, which identify a parcel. */
export const identity: readonly ParcelField[] = [
  column(
    null,
    "parcel_uid",
    "text",
    "Stable key: county key, hyphen, parcel id in upper case (`48453-0241101058`)",
    {
      ...required,
      ...finds,
    },
  ),
  column(null, "country", "dictionary", "`US` or `CA`", {...required, values: ["US", "CA"]}),
  column(null, "state", "dictionary", "Two letters, upper case", required),
  column(null, "county_key", "dictionary", "5-digit FIPS code; in Manitoba `MB` and 3 digits", {
    ...required,
    ...finds,
  }),
  column(null, "county_name", "dictionary", 'Upper case, without "County"', required),
  column(
    null,
    "parcel_id",
    "text",
    "As the county prints it, trimmed; null only for a source without parcel numbers",
    finds,
  ),
  member(
    null,
    "parcelId",
    "Parcel number as the county prints it; absent only for sources that publish none",
    {json: text.words("parcel_id"), section: "identity"},
  ),
  member(null, "state_parcelId", "State, hyphen, parcel number", {
    json: text.words("state || '-' || parcel_id"),
    section: "identity",
  }),
  column(
    null,
    "parcel_id_tok",
    "text",
    "Upper case, runs of other characters than A-Z and 0-9 as one hyphen",
  ),
  column(null, "parcel_id_std", "text", "`parcel_id_tok` without hyphens, leading zeros kept", finds),
  member(null, "state_parcelIdSTD", "State, hyphen, parcel number in normal form", {
    json: text.words("state || '-' || parcel_id_std"),
    section: "identity",
  }),
  column(null, "parcel_id_loose", "text", "Leading zeros of each part removed, parts joined"),
  column(null, "alt_ids", "list", "Other ids of the source that also find the parcel; sorted, unique", finds),
  member(null, "altParcelIds", "Other ids of the source that also find the parcel", {
    shape: z.array(string),
    json: text.list("alt_ids"),
    section: "identity",
  }),
  column(null, "alt_ids_std", "list", "Their `std` forms; sorted, unique"),
  column("identity", "account_id", "text", "Roll account, if it is not the parcel id"),
  fact("identity", ["parent_id", "text"], "parentParcelId", ["Shell parcel of a stack (condominium)"], {
    traits: finds,
  }),
  member(null, "county", 'County name, upper case, without "County"', {
    json: text.words("county_name"),
    section: "situs",
    always: true,
  }),
  member(null, "state", "Two letters", {json: text.words("state"), section: "situs", always: true}),
  member(null, "country", "Country", {
    shape: z.enum(["US", "CA"]),
    json: text.words("country"),
    section: "situs",
    always: true,
  }),
  member(null, "fipsState", "State FIPS code, 2 digits; in the US", {
    json: text.fips("left(county_key, 2)"),
    section: "situs",
  }),
  member(null, "fipsCounty", "County FIPS code, 3 digits; in the US", {
    json: text.fips("substr(county_key, 3)"),
    section: "situs",
  }),
];

export const situs: readonly ParcelField[] = [
  member("situs", "address", "House number, street and unit, normalised", {
    ...parsedSitus,
    json: text.addressLine,
  }),
  member("situs", "addressFull", "The address with city, state and ZIP", {
    ...parsedSitus,
    json: text.addressWithPlace,
  }),
  fact(
    "situs",
    ["situs_raw", "text"],
    "addressRaw",
    ["Address of the land, exactly as published", "Exactly as published"],
    {traits: finds},
  ),
  column("situs", "situs_number", "text", "House number, with its letter or grid prefix", {
    ...finds,
  }),
  member("situs", "streetNumber", "House number, with its letter, grid prefix or fraction", {
    made: "parsed",
    mapped: "situs_number",
    json: text.houseNumber,
  }),
  column("situs", "situs_fraction", "text", "`1/2` and the like", finds),
  fact("situs", ["situs_pre", "text"], "streetDirectionPrefix", ["Directional before the name"], {
    made: "parsed",
    traits: finds,
  }),
  fact(
    "situs",
    ["situs_name", "text"],
    "street",
    ["Street name in key form, without type", "Street name without type"],
    {made: "parsed", traits: finds},
  ),
  fact("situs", ["situs_type", "text"], "streetType", ["Street type, Publication 28 abbreviation"], {
    made: "parsed",
    traits: finds,
  }),
  fact("situs", ["situs_post", "text"], "streetDirectionSuffix", ["Directional after the type"], {
    made: "parsed",
    traits: finds,
  }),
  column("situs", "situs_unit_type", "text", "`APT`, `UNIT`, `STE` and the like", finds),
  member("situs", "unitNumber", "Unit with its designator: `APT 2B`; of several parts `BLDG 3 UNIT 12`", {
    made: "parsed",
    mapped: "situs_unit",
    json: text.unit,
  }),
  fact(
    "situs",
    ["situs_unit", "text"],
    "unitNumberStripped",
    ["Unit without its designator", "Unit without its designator: `2B`; of several parts `3 12`"],
    {made: "parsed", json: text.unitStripped, traits: finds},
  ),
  fact("situs", ["city", "text"], "city", ["Postal city, upper case", "Postal city as published"], {
    traits: finds,
  }),
  fact("situs", ["zip", "text"], "zipCode", ["Five digits", "ZIP code, five digits"], {
    traits: finds,
  }),
  fact("situs", ["zip_plus_four", "text"], "zipCodePlusFour", [
    "Nine digits with hyphen, if the source has them",
    "ZIP code, nine digits with hyphen",
  ]),
  column(
    "situs",
    "alt_situs",
    "list",
    "Further addresses that the source prints for the parcel, with town and ZIP; sorted, unique",
    finds,
  ),
  member("situs", "altAddresses", "Further addresses that the source prints for the parcel; each finds it", {
    shape: z.array(string),
    made: "parsed",
    mapped: "situs_raw",
    json: text.list("alt_situs"),
  }),
  column("situs", "situs_number_lo", "int32", "Numeric part of the house number", finds),
  column("situs", "situs_number_hi", "int32", "End of a house-number range, else equal to the start", finds),
  column(
    "situs",
    "situs_status",
    "dictionary",
    "`numbered`, `street_only`, `name_only`, `legal_only`, `po_box`, `rural_route` or `blank`",
    {
      ...required,
      ...finds,
      values: ["numbered", "street_only", "name_only", "legal_only", "po_box", "rural_route", "blank"],
    },
  ),
];

const GeoPoint = z
  .looseObject({
    type: z.literal("Point").describe("Kind of geometry"),
    coordinates: z.tuple([number, number]).describe("Longitude, latitude"),
  })
  .meta({id: "GeoPoint", description: "GeoJSON Point, WGS 84"});

const pointMethods = ["source_point", "centroid", "inside_point"] as const;
const ofPoint = {made: "point", mapped: null} as const;

export const location: readonly ParcelField[] = [
  column(null, "source_url", "text", "The source's own public page of the parcel"),
  fact(
    "location",
    ["lon", "float64"],
    "longitude",
    ["WGS 84 longitude of the served point", "Longitude of the served point, WGS 84, at most 7 decimals"],
    {...ofPoint, json: text.degrees("lon"), traits: finds},
  ),
  fact(
    "location",
    ["lat", "float64"],
    "latitude",
    ["WGS 84 latitude of the served point", "Latitude of the served point, WGS 84, at most 7 decimals"],
    {...ofPoint, json: text.degrees("lat"), traits: finds},
  ),
  member("location", "location", "The served point", {...ofPoint, shape: GeoPoint, json: text.pointMark}),
  fact(
    "location",
    ["point_method", "dictionary"],
    "pointMethod",
    ["`source_point`, `centroid` or `inside_point`", "How the point was determined"],
    {...ofPoint, shape: z.enum(pointMethods), json: text.pointMethod},
  ),
  column(
    "location",
    "xmin",
    "float64",
    "West edge of the outline, extended to contain the point; without an outline, the point",
  ),
  column("location", "ymin", "float64", "South edge, likewise"),
  column("location", "xmax", "float64", "East edge, likewise"),
  column("location", "ymax", "float64", "North edge, likewise"),
  column(null, "flags", "list", "Cleaning codes; sorted, unique"),
  member(null, "flags", "Cleaning codes that affect the use of the facts; absent without any", {
    shape: z.array(z.enum(statedFlags)),
    json: text.statedFlagsText,
    section: "transfer",
  }),
];
