import type {ProvenanceGroup} from "../conform/groups.ts";

/** How a fact of the record is made of the row; decides its method factor (`docs/design/parcels.md` section 8). */
export type FactKind = "verbatim" | "parsed" | "area" | "squareFeet" | "point" | "category";

export type Fact = {
  readonly group: ProvenanceGroup | "default";
  readonly kind: FactKind;
  /** Column of the row that a source's field map would fill; null where it says nothing. */
  readonly column: string | null;
};

type Row = readonly [name: string, kind?: FactKind, column?: string];

/** The facts of the wire record by provenance group (`docs/design/parcels.md` section 2.1): name, kind, column. */
const factsByGroup: Readonly<Record<ProvenanceGroup | "default", readonly Row[]>> = {
  default: [
    ["parcelId"],
    ["state_parcelId"],
    ["state_parcelIdSTD"],
    ["altParcelIds"],
    ["county"],
    ["state"],
    ["country"],
    ["fipsState"],
    ["fipsCounty"],
  ],
  identity: [["parentParcelId", "verbatim", "parent_id"]],
  situs: [
    ["address", "parsed", "situs_raw"],
    ["addressFull", "parsed", "situs_raw"],
    ["addressRaw", "verbatim", "situs_raw"],
    ["streetNumber", "parsed", "situs_number"],
    ["streetDirectionPrefix", "parsed", "situs_pre"],
    ["street", "parsed", "situs_name"],
    ["streetType", "parsed", "situs_type"],
    ["streetDirectionSuffix", "parsed", "situs_post"],
    ["unitNumber", "parsed", "situs_unit"],
    ["unitNumberStripped", "parsed", "situs_unit"],
    ["city", "verbatim", "city"],
    ["zipCode", "verbatim", "zip"],
    ["zipCodePlusFour", "verbatim", "zip_plus_four"],
  ],
  location: [
    ["latitude", "point"],
    ["longitude", "point"],
    ["location", "point"],
    ["pointMethod", "point"],
  ],
  land: [
    ["acres", "area", "acres"],
    ["landArea", "squareFeet", "acres"],
    ["acresBasis", "area", "acres"],
    ["legalDesc", "verbatim", "legal_desc"],
    ["subdivision", "verbatim", "subdivision"],
    ["blockNum", "verbatim", "block_num"],
    ["lotNum", "verbatim", "lot_num"],
    ["secTwnRng", "verbatim", "sec_twn_rng"],
    ["zoningCode", "verbatim", "zoning_code"],
    ["neighborhood", "verbatim", "neighborhood"],
    ["jurisdiction", "verbatim", "jurisdiction"],
    ["siteCensusTract", "verbatim", "census_tract"],
  ],
  owner: [
    ["ownerName", "verbatim", "owner_raw"],
    ["ownerAddressLine1", "verbatim", "mail_line1"],
    ["ownerCity", "verbatim", "mail_city"],
    ["ownerState", "verbatim", "mail_state"],
    ["ownerZipCode", "verbatim", "mail_zip"],
    ["ownerKind", "parsed", "owner_raw"],
  ],
  use: [
    ["useCode", "verbatim", "use_code"],
    ["useDescription", "verbatim", "use_description"],
    ["residential", "category", "use_code"],
    ["landUseCategory", "category", "use_code"],
    ["landUse", "category", "use_code"],
  ],
  value: [
    ["totalAssessedValue", "verbatim", "assessed_value"],
    ["totalLandValue", "verbatim", "land_value"],
    ["totalBuildingValue", "verbatim", "building_value"],
    ["assessedYear", "verbatim", "assessed_year"],
    ["totalMarketValue", "verbatim", "market_value"],
    ["marketValueYear", "verbatim", "market_year"],
    ["taxableValue", "verbatim", "taxable_value"],
    ["useValue", "verbatim", "use_value"],
    ["taxValue", "verbatim", "tax_amount"],
    ["taxYear", "verbatim", "tax_year"],
    ["currency"],
  ],
  building: [
    ["buildingArea", "verbatim", "building_area"],
    ["buildingCount", "verbatim", "building_count"],
    ["yearBuilt", "verbatim", "year_built"],
    ["stories", "verbatim", "stories"],
    ["totalBedrooms", "verbatim", "bedrooms"],
    ["totalBathrooms", "verbatim", "bathrooms"],
  ],
  transfer: [
    ["transferDate", "verbatim", "transfer_date"],
    ["transferDateObject", "verbatim", "transfer_date"],
    ["transferPrice", "verbatim", "transfer_price"],
    ["recordingDate", "verbatim", "recording_date"],
    ["transferDocType", "verbatim", "transfer_doc_type"],
    ["transferDocNum", "verbatim", "transfer_doc_num"],
  ],
};

/** The facts of a record by name: every top-level key that bears provenance. */
export const facts: ReadonlyMap<string, Fact> = new Map(
  (Object.entries(factsByGroup) as [ProvenanceGroup | "default", readonly Row[]][]).flatMap(([group, rows]) =>
    rows.map(([name, kind = "verbatim", column = null]) => [name, {group, kind, column}] as const),
  ),
);
