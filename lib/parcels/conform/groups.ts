/** Provenance groups: facts that a source publishes together, and that come from one row when sources meet. */
export const provenanceGroups = {
  identity: ["account_id", "parent_id"],
  situs: [
    "situs_raw",
    "situs_number",
    "situs_fraction",
    "situs_pre",
    "situs_name",
    "situs_type",
    "situs_post",
    "situs_unit_type",
    "situs_unit",
    "city",
    "zip",
    "zip_plus_four",
    "situs_number_lo",
    "situs_number_hi",
    "situs_status",
  ],
  owner: [
    "owner_raw",
    "owner_name",
    "owner_last",
    "mail_line1",
    "mail_city",
    "mail_state",
    "mail_zip",
    "owner_care_of",
    "owner_kind",
    "owner_tokens",
    "owner_withheld",
  ],
  land: [
    "acres",
    "land_area_sqft",
    "acres_basis",
    "legal_desc",
    "subdivision",
    "block_num",
    "lot_num",
    "sec_twn_rng",
    "zoning_code",
    "neighborhood",
    "jurisdiction",
    "census_tract",
  ],
  use: [
    "use_code",
    "use_code_system",
    "use_description",
    "land_use_category",
    "land_use_method",
    "land_use_confidence",
    "is_vacant_land",
  ],
  value: [
    "assessed_value",
    "land_value",
    "building_value",
    "value_kind",
    "market_value",
    "taxable_value",
    "use_value",
    "tax_amount",
    "assessed_year",
    "market_year",
    "tax_year",
    "currency",
  ],
  transfer: ["transfer_date", "recording_date", "transfer_price", "transfer_doc_type", "transfer_doc_num"],
  building: ["building_area", "building_count", "year_built", "stories", "bedrooms", "bathrooms"],
  location: ["lon", "lat", "point_method", "xmin", "ymin", "xmax", "ymax", "geom_acres"],
} as const satisfies Record<string, readonly string[]>;

export type ProvenanceGroup = keyof typeof provenanceGroups;

/** The groups in the order of the `prov_*` columns. */
export const groupNames = Object.keys(provenanceGroups) as ProvenanceGroup[];

/** The group of a column of the parcel row; undefined for those that follow the default. */
export function groupOf(column: string): ProvenanceGroup | undefined {
  return groupNames.find((group) => (provenanceGroups[group] as readonly string[]).includes(column));
}
