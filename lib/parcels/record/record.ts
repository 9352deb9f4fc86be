import {formatAddress, formatUnit, withPlace} from "../address/format-address.ts";
import type {ParcelRow} from "../parcel-row.ts";
import {FactText} from "./fact-text.ts";
import type {RecordContext} from "./record-context.ts";
import {type SharedProvenance, sharedProvenance} from "./shared-provenance.ts";
import {compactDate, houseNumber, known, rounded, rowAddress} from "./values.ts";

/** A parcel as an answer gives it: its facts as JSON text, and where they come from. */
export type PropertyRecord = {
  readonly facts: FactText;
  readonly parcelUid: string;
  readonly provenance: SharedProvenance;
};

/**
 * The record of a row as the API returns it (`docs/design/parcels.md` section 2.1), without `match` and distance: what is known of it, in the
 * order of the field table, each fact with provenance. Never holds a polygon, and no owner where the source withholds it (the row
 * has none then).
 */
export function parcelRecord(row: ParcelRow, context: RecordContext): PropertyRecord {
  row.ahead?.();
  const facts = new FactText();
  const put: Put = (name, value) => facts.put(name, value);
  for (const section of sections) section(row, put);
  return {
    facts,
    parcelUid: row.text("parcel_uid") ?? "",
    provenance: sharedProvenance(facts, row, context),
  };
}

/** JSON text of a record, with the members that a lookup gives it behind its own. */
export function recordText(
  {facts, parcelUid, provenance}: PropertyRecord,
  more: Readonly<Record<string, unknown>>,
): string {
  const tail = JSON.stringify(more).slice(1);
  const uid = JSON.stringify(parcelUid);
  return `{"_id":${uid},"parcelUid":${uid},${facts.json}"provenance":${provenance.json}${tail === "}" ? "" : ","}${tail}`;
}

/** Adds a fact to the record where its value is known. */
type Put = (name: string, value: unknown) => void;

type Section = (row: ParcelRow, put: Put) => void;

/** In the order of the field table of `docs/design/parcels.md` section 2.1. */
const sections: readonly Section[] = [
  identity,
  situs,
  county,
  location,
  land,
  owner,
  use,
  values,
  building,
  transfer,
];

function identity(row: ParcelRow, put: Put): void {
  const state = row.text("state");
  const id = row.text("parcel_id");
  const std = row.text("parcel_id_std");
  const others = row.list("alt_ids");
  put("parcelId", id);
  put("state_parcelId", id === null ? null : `${state}-${id}`);
  put("state_parcelIdSTD", std === null ? null : `${state}-${std}`);
  put("altParcelIds", others.length === 0 ? null : others);
  put("parentParcelId", row.text("parent_id"));
}

function situs(row: ParcelRow, put: Put): void {
  const address = rowAddress(row);
  const line = formatAddress(address);
  const place = {city: address.city, state: row.text("state"), zip: address.zip};
  put("address", line);
  put("addressFull", line === null ? null : withPlace(line, place));
  put("addressRaw", address.raw);
  put("streetNumber", houseNumber(address));
  put("streetDirectionPrefix", address.pre);
  put("street", address.name);
  put("streetType", address.type);
  put("streetDirectionSuffix", address.post);
  put("unitNumber", formatUnit(address));
  put("unitNumberStripped", address.unit);
  put("city", address.city);
  put("zipCode", address.zip);
  put("zipCodePlusFour", row.text("zip_plus_four"));
}

/** Whose land book it stands in. */
function county(row: ParcelRow, put: Put): void {
  const key = row.text("county_key") ?? "";
  const inUs = row.text("country") === "US";
  put("county", row.text("county_name"));
  put("state", row.text("state"));
  put("country", row.text("country"));
  put("fipsState", inUs ? key.slice(0, 2) : null);
  put("fipsCounty", inUs ? key.slice(2) : null);
}

function location(row: ParcelRow, put: Put): void {
  const latitude = rounded(row.number("lat"), 7);
  const longitude = rounded(row.number("lon"), 7);
  if (latitude === null || longitude === null) return;
  put("latitude", latitude);
  put("longitude", longitude);
  put("location", {type: "Point", coordinates: [longitude, latitude]});
  put("pointMethod", row.text("point_method"));
}

const squareFeetPerAcre = 43_560;

function land(row: ParcelRow, put: Put): void {
  const acres = row.number("acres");
  const squareFeet = row.number("land_area_sqft") ?? (acres === null ? null : acres * squareFeetPerAcre);
  put("acres", rounded(acres, 4));
  put("landArea", rounded(squareFeet, 0));
  put("acresBasis", acres === null ? null : row.text("acres_basis"));
  put("legalDesc", row.text("legal_desc"));
  put("subdivision", row.text("subdivision"));
  put("blockNum", row.text("block_num"));
  put("lotNum", row.text("lot_num"));
  put("secTwnRng", row.text("sec_twn_rng"));
  put("zoningCode", row.text("zoning_code"));
  put("neighborhood", row.text("neighborhood"));
  put("jurisdiction", row.text("jurisdiction"));
  put("siteCensusTract", row.text("census_tract"));
}

function owner(row: ParcelRow, put: Put): void {
  if (row.flag("owner_withheld") === true) return;
  put("ownerName", row.text("owner_name"));
  put("ownerAddressLine1", row.text("mail_line1"));
  put("ownerCity", row.text("mail_city"));
  put("ownerState", row.text("mail_state"));
  put("ownerZipCode", row.text("mail_zip"));
  put("ownerKind", row.text("owner_kind"));
}

function use(row: ParcelRow, put: Put): void {
  const code = row.text("use_code");
  const description = row.text("use_description");
  const category = row.text("land_use_category");
  put("useCode", code);
  put("useDescription", description);
  put("residential", category === null ? null : category === "residential");
  put("landUseCategory", category);
  if (code === null && description === null) return;
  put(
    "landUse",
    known({
      codeSystem: row.text("use_code_system"),
      code,
      description,
      method: row.text("land_use_method") ?? "none",
      confidence: category === null ? null : rounded(row.number("land_use_confidence"), 4),
      isVacantLand: row.flag("is_vacant_land"),
    }),
  );
}

function values(row: ParcelRow, put: Put): void {
  // Parts of a market value have no field on the wire, and kinds of value never meet in one field.
  const ofAssessed = row.text("value_kind") === "assessed";
  let hasMoney = row.number("transfer_price") !== null;
  const putMoney = (name: string, amount: number | null) => {
    hasMoney ||= amount !== null;
    put(name, amount);
  };
  putMoney("totalAssessedValue", row.number("assessed_value"));
  putMoney("totalLandValue", ofAssessed ? row.number("land_value") : null);
  putMoney("totalBuildingValue", ofAssessed ? row.number("building_value") : null);
  put("assessedYear", row.number("assessed_year"));
  putMoney("totalMarketValue", row.number("market_value"));
  put("marketValueYear", row.number("market_year"));
  putMoney("taxableValue", row.number("taxable_value"));
  putMoney("useValue", row.number("use_value"));
  putMoney("taxValue", row.number("tax_amount"));
  put("taxYear", row.number("tax_year"));
  if (hasMoney) put("currency", row.text("currency"));
}

function building(row: ParcelRow, put: Put): void {
  put("buildingArea", row.number("building_area"));
  put("buildingCount", row.number("building_count"));
  put("yearBuilt", row.number("year_built"));
  put("stories", rounded(row.number("stories"), 2));
  put("totalBedrooms", row.number("bedrooms"));
  put("totalBathrooms", rounded(row.number("bathrooms"), 2));
}

function transfer(row: ParcelRow, put: Put): void {
  const date = row.date("transfer_date");
  put("transferDate", compactDate(date));
  put("transferDateObject", date === null ? null : `${date}T00:00:00.000Z`);
  put("transferPrice", row.number("transfer_price"));
  put("recordingDate", compactDate(row.date("recording_date")));
  put("transferDocType", row.text("transfer_doc_type"));
  put("transferDocNum", row.text("transfer_doc_num"));
}
