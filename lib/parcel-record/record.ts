import {formatAddress, formatAddressFull, formatUnit} from "../address/format-address.ts";
import type {ParcelRow} from "../parcel-row.ts";
import {wireProvenance} from "./provenance.ts";
import type {RecordContext} from "./record-context.ts";
import {compactDate, houseNumber, known, rounded, rowAddress} from "./values.ts";

/** A parcel as the API returns it (`parcels.md` section 2.1), without `match` and distance. */
export type PropertyRecord = Readonly<Record<string, unknown>> & {readonly parcelUid: string};

/**
 * The wire record of a row: what is known of it, in the order of the field table, each fact with provenance. Never holds
 * a polygon, and no owner where the source withholds it (the row has none then).
 */
export function parcelRecord(row: ParcelRow, context: RecordContext): PropertyRecord {
  const parcelUid = row.text("parcel_uid") ?? "";
  const record = {
    _id: parcelUid,
    parcelUid,
    ...identity(row),
    ...situs(row),
    ...county(row),
    ...location(row),
    ...land(row),
    ...owner(row),
    ...use(row),
    ...values(row),
    ...building(row),
    ...transfer(row),
  };
  return {...record, provenance: wireProvenance(record, row, context)};
}

function identity(row: ParcelRow) {
  const state = row.text("state");
  const id = row.text("parcel_id");
  const std = row.text("parcel_id_std");
  const others = row.list("alt_ids");
  return known({
    parcelId: id,
    state_parcelId: id === null ? null : `${state}-${id}`,
    state_parcelIdSTD: std === null ? null : `${state}-${std}`,
    altParcelIds: others.length === 0 ? null : others,
    parentParcelId: row.text("parent_id"),
  });
}

function situs(row: ParcelRow) {
  const address = rowAddress(row);
  const line = formatAddress(address);
  const place = {city: address.city, state: row.text("state"), zip: address.zip};
  return known({
    address: line,
    addressFull: line === null ? null : formatAddressFull(address, place),
    addressRaw: address.raw,
    streetNumber: houseNumber(address),
    streetDirectionPrefix: address.pre,
    street: address.name,
    streetType: address.type,
    streetDirectionSuffix: address.post,
    unitNumber: formatUnit(address),
    unitNumberStripped: address.unit,
    city: address.city,
    zipCode: address.zip,
    zipCodePlusFour: row.text("zip_plus_four"),
  });
}

/** Whose land book it stands in. */
function county(row: ParcelRow) {
  const key = row.text("county_key") ?? "";
  const inUs = row.text("country") === "US";
  return known({
    county: row.text("county_name"),
    state: row.text("state"),
    country: row.text("country"),
    fipsState: inUs ? key.slice(0, 2) : null,
    fipsCounty: inUs ? key.slice(2) : null,
  });
}

function location(row: ParcelRow) {
  const latitude = rounded(row.number("lat"), 7);
  const longitude = rounded(row.number("lon"), 7);
  if (latitude === null || longitude === null) return {};
  return known({
    latitude,
    longitude,
    location: {type: "Point", coordinates: [longitude, latitude]},
    pointMethod: row.text("point_method"),
  });
}

const squareFeetPerAcre = 43_560;

function land(row: ParcelRow) {
  const acres = row.number("acres");
  const squareFeet = row.number("land_area_sqft") ?? (acres === null ? null : acres * squareFeetPerAcre);
  return known({
    acres: rounded(acres, 4),
    landArea: rounded(squareFeet, 0),
    acresBasis: acres === null ? null : row.text("acres_basis"),
    legalDesc: row.text("legal_desc"),
    subdivision: row.text("subdivision"),
    blockNum: row.text("block_num"),
    lotNum: row.text("lot_num"),
    secTwnRng: row.text("sec_twn_rng"),
    zoningCode: row.text("zoning_code"),
    neighborhood: row.text("neighborhood"),
    jurisdiction: row.text("jurisdiction"),
    siteCensusTract: row.text("census_tract"),
  });
}

function owner(row: ParcelRow) {
  if (row.flag("owner_withheld") === true) return {};
  return known({
    ownerName: row.text("owner_name"),
    ownerAddressLine1: row.text("mail_line1"),
    ownerCity: row.text("mail_city"),
    ownerState: row.text("mail_state"),
    ownerZipCode: row.text("mail_zip"),
    ownerKind: row.text("owner_kind"),
  });
}

function use(row: ParcelRow) {
  const code = row.text("use_code");
  const description = row.text("use_description");
  const category = row.text("land_use_category");
  const landUse = known({
    codeSystem: row.text("use_code_system"),
    code,
    description,
    method: row.text("land_use_method") ?? "none",
    confidence: category === null ? null : rounded(row.number("land_use_confidence"), 4),
    isVacantLand: row.flag("is_vacant_land"),
  });
  return known({
    useCode: code,
    useDescription: description,
    residential: category === null ? null : category === "residential",
    landUseCategory: category,
    landUse: code === null && description === null ? null : landUse,
  });
}

function values(row: ParcelRow) {
  const assessedParts = row.text("value_kind") === "assessed";
  const money = known({
    totalAssessedValue: row.number("assessed_value"),
    // Parts of a market value have no field on the wire, and kinds of value never meet in one field.
    totalLandValue: assessedParts ? row.number("land_value") : null,
    totalBuildingValue: assessedParts ? row.number("building_value") : null,
    totalMarketValue: row.number("market_value"),
    taxableValue: row.number("taxable_value"),
    useValue: row.number("use_value"),
    taxValue: row.number("tax_amount"),
    transferPrice: row.number("transfer_price"),
  });
  const {totalAssessedValue, totalLandValue, totalBuildingValue, totalMarketValue} = money;
  return known({
    totalAssessedValue,
    totalLandValue,
    totalBuildingValue,
    assessedYear: row.number("assessed_year"),
    totalMarketValue,
    marketValueYear: row.number("market_year"),
    taxableValue: money["taxableValue"],
    useValue: money["useValue"],
    taxValue: money["taxValue"],
    taxYear: row.number("tax_year"),
    currency: Object.keys(money).length === 0 ? null : row.text("currency"),
  });
}

function building(row: ParcelRow) {
  return known({
    buildingArea: row.number("building_area"),
    buildingCount: row.number("building_count"),
    yearBuilt: row.number("year_built"),
    stories: rounded(row.number("stories"), 2),
    totalBedrooms: row.number("bedrooms"),
    totalBathrooms: rounded(row.number("bathrooms"), 2),
  });
}

function transfer(row: ParcelRow) {
  const date = row.date("transfer_date");
  return known({
    transferDate: compactDate(date),
    transferDateObject: date === null ? null : `${date}T00:00:00.000Z`,
    transferPrice: row.number("transfer_price"),
    recordingDate: compactDate(row.date("recording_date")),
    transferDocType: row.text("transfer_doc_type"),
    transferDocNum: row.text("transfer_doc_num"),
  });
}
