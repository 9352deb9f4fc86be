/** How a column is stored; `parquetTypes` says it for Parquet. */
export type ColumnKind =
  | "text"
  | "dictionary"
  | "list"
  | "float64"
  | "float32"
  | "int32"
  | "int16"
  | "bool"
  | "money"
  | "date";

/** The type of each kind in Parquet, in DuckDB's words. */
export const parquetTypes: Readonly<Record<ColumnKind, string>> = {
  text: "VARCHAR",
  dictionary: "VARCHAR",
  list: "VARCHAR[]",
  float64: "DOUBLE",
  float32: "FLOAT",
  int32: "INTEGER",
  int16: "SMALLINT",
  bool: "BOOLEAN",
  money: "DECIMAL(14,2)",
  date: "DATE",
};

export type ParcelColumn = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly required?: true;
  readonly about: string;
};

function column(name: string, kind: ColumnKind, about: string): ParcelColumn {
  return {name, kind, about};
}

function required(name: string, kind: ColumnKind, about: string): ParcelColumn {
  return {name, kind, about, required: true};
}

/**
 * Columns of `parcels.parquet` and `parcels.arrow`, in file order (the geometry column of the Parquet comes after them).
 * Arrow holds the same values: dictionary columns dictionary-encoded, lists as text joined by line feeds, money as float64.
 */
export const parcelColumns: readonly ParcelColumn[] = [
  required("parcel_uid", "text", "Stable key: county key, hyphen, parcel id (`48453-0241101058`)"),
  required("country", "dictionary", "`US` or `CA`"),
  required("state", "dictionary", "Two letters, upper case"),
  required("county_key", "dictionary", "5-digit FIPS code; in Manitoba `MB` and 3 digits"),
  required("county_name", "dictionary", 'Upper case, without "County"'),
  column(
    "parcel_id",
    "text",
    "As the county prints it, trimmed; null only for a source without parcel numbers",
  ),
  column("parcel_id_tok", "text", "Upper case, runs of other characters than A-Z and 0-9 as one hyphen"),
  column("parcel_id_std", "text", "`parcel_id_tok` without hyphens, leading zeros kept"),
  column("parcel_id_loose", "text", "Leading zeros of each part removed, parts joined"),
  column("alt_ids", "list", "Other ids of the source that also find the parcel; sorted, unique"),
  column("alt_ids_std", "list", "Their `std` forms; sorted, unique"),
  column("account_id", "text", "Roll account, where it is not the parcel id"),
  column("parent_id", "text", "Shell parcel of a stack (condominium)"),
  column("situs_raw", "text", "Address of the land, exactly as published"),
  column("situs_number", "text", "House number, with its letter or grid prefix"),
  column("situs_fraction", "text", "`1/2` and the like"),
  column("situs_pre", "text", "Directional before the name"),
  column("situs_name", "text", "Street name in key form, without type"),
  column("situs_type", "text", "Street type, Publication 28 abbreviation"),
  column("situs_post", "text", "Directional after the type"),
  column("situs_unit_type", "text", "`APT`, `UNIT`, `STE` and the like"),
  column("situs_unit", "text", "Unit without its designator"),
  column("city", "text", "Postal city, upper case"),
  column("zip", "text", "Five digits"),
  column("zip_plus_four", "text", "Nine digits with hyphen, where the source has them"),
  column("situs_number_lo", "int32", "Numeric part of the house number"),
  column("situs_number_hi", "int32", "End of a house-number range, else equal to the start"),
  required(
    "situs_status",
    "dictionary",
    "`numbered`, `street_only`, `name_only`, `legal_only`, `po_box`, `rural_route` or `blank`",
  ),
  column("owner_raw", "text", "Owner lines as published, joined by `; `"),
  column("owner_name", "text", "Recorded names, joined by `; `"),
  column("owner_last", "text", "Last names in search form, one per recorded person, joined by `; `"),
  column("mail_line1", "text", "Mailing address of the owner"),
  column("mail_city", "text", "Mailing city"),
  column("mail_state", "text", "Mailing state"),
  column("mail_zip", "text", "Mailing ZIP"),
  column("owner_care_of", "text", "Care-of part, never searched"),
  column(
    "owner_kind",
    "dictionary",
    "`person`, `persons`, `trust`, `estate`, `company`, `government`, `nonprofit`, `unknown`",
  ),
  column("owner_tokens", "list", "Search tokens of the recorded names, in order"),
  required("owner_withheld", "bool", "True where the source withholds the owner"),
  column("acres", "float64", "Area in acres, 4 decimals"),
  column("land_area_sqft", "float64", "Area in square feet"),
  column("acres_basis", "dictionary", "`deeded`, `assessed` or `computed`"),
  column("geom_acres", "float64", "Geodesic area of the outline, for checks"),
  column("use_code", "text", "Land-use code as published"),
  column("use_code_system", "dictionary", "Code system of the land-use map"),
  column("use_description", "dictionary", "Printed description of the use"),
  column(
    "land_use_category",
    "dictionary",
    "One of the seven categories of the contract; null when unmapped",
  ),
  column(
    "land_use_method",
    "dictionary",
    "`state_table`, `local_table`, `national_code`, `keyword`, `improvement_test`, `none`",
  ),
  column("land_use_confidence", "float32", "Confidence of the category, 0 to 1"),
  column("is_vacant_land", "bool", "Improvement test: land without buildings"),
  column("assessed_value", "money", "Assessed value, in `currency`"),
  column("land_value", "money", "Land part; its kind stands in the source's entry"),
  column("building_value", "money", "Building part; its kind stands in the source's entry"),
  column(
    "value_kind",
    "dictionary",
    "What `land_value` and `building_value` are parts of: `assessed` or `market`",
  ),
  column("market_value", "money", "Estimate of price"),
  column("taxable_value", "money", "Assessed less exemptions"),
  column("use_value", "money", "Agricultural productivity value"),
  column("tax_amount", "money", "Tax billed for `tax_year`"),
  column("assessed_year", "int16", "Roll year of the assessed value"),
  column("market_year", "int16", "Roll year of the market value"),
  column("tax_year", "int16", "Year of the tax bill"),
  column("currency", "dictionary", "`USD` or `CAD`, where any money is"),
  column("transfer_date", "date", "Date of the last sale or deed"),
  column("recording_date", "date", "Date of recording"),
  column("transfer_price", "money", "Price of the last sale; nominal prices are null"),
  column("transfer_doc_type", "text", "Document type, as published"),
  column("transfer_doc_num", "text", "Document number, as published"),
  column("legal_desc", "text", "Legal description, as published"),
  column("subdivision", "text", "As published"),
  column("block_num", "text", "As published"),
  column("lot_num", "text", "As published"),
  column("sec_twn_rng", "text", "Section, township, range, as published"),
  column("zoning_code", "text", "As published"),
  column("neighborhood", "text", "As published"),
  column("jurisdiction", "text", "As published"),
  column("census_tract", "text", "As published"),
  column("building_area", "int32", "Square feet"),
  column("building_count", "int16", "Number of buildings"),
  column("year_built", "int16", "Year"),
  column("stories", "float32", "Number of storeys"),
  column("bedrooms", "int16", "Number of bedrooms"),
  column("bathrooms", "float32", "Number of bathrooms"),
  column("source_url", "text", "The source's own public page of the parcel"),
  column("lon", "float64", "WGS 84 longitude of the served point"),
  column("lat", "float64", "WGS 84 latitude of the served point"),
  column("point_method", "dictionary", "`source_point`, `centroid` or `inside_point`"),
  column("xmin", "float64", "West edge of the outline grown to hold the point, else the point"),
  column("ymin", "float64", "South edge, likewise"),
  column("xmax", "float64", "East edge, likewise"),
  column("ymax", "float64", "North edge, likewise"),
  column("flags", "list", "Cleaning codes; sorted, unique"),
  required(
    "prov_default",
    "int32",
    "Row of `provenance.parquet` that holds for every fact without a group of its own",
  ),
  column("prov_identity", "int32", "Provenance of ids"),
  column("prov_situs", "int32", "Provenance of the address"),
  column("prov_owner", "int32", "Provenance of owner and mailing address"),
  column("prov_land", "int32", "Provenance of area and legal description"),
  column("prov_use", "int32", "Provenance of the land use"),
  column("prov_value", "int32", "Provenance of values and tax"),
  column("prov_transfer", "int32", "Provenance of sale and deed"),
  column("prov_building", "int32", "Provenance of building facts"),
  column("prov_location", "int32", "Provenance of point and extent"),
];
