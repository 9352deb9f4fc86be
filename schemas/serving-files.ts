import type {ColumnKind} from "./column-kind.ts";
import {column, type DescribedColumn, type DescribedFile} from "./described-file.ts";
import {findingColumns} from "./parcel-columns.ts";

const record = column(
  "record",
  "utf8",
  "The finished record as JSON, without members that depend on the question",
);
const evidenceId = column("evidence_id", "utf8", "Row of `evidence.arrow`");
const state = column("state", "utf8", "Two letters");
const headline = column("headline", "bool", "True for the cells that an unfiltered question gets");
const cellId = column("cell_id", "utf8", "Kind of cattle and price basis");
const kind = [
  cellId,
  column("commodity", "utf8", "Commodity of the cell"),
  column("class", "utf8", "Class of the cell"),
  column("bin_low_lb", "int32", "Lowest weight of the cell's 50-lb bin; null for cells without one"),
  headline,
  column(
    "importance",
    "int32",
    "Place of the record in its county, state or sale, from 1: what matters first",
  ),
];
const lastSale = column("last_sale_date", "date", "Latest sale behind the price");
const point = [
  column("lat", "float64", "WGS 84 latitude; null where not located"),
  column("lon", "float64", "WGS 84 longitude"),
];
const county = [column("county_fips", "utf8", "Five digits"), column("county_name", "utf8", "With suffix")];

const arrow = (path: string, about: string, columns: readonly DescribedColumn[]): DescribedFile => ({
  path,
  about,
  key: [],
  columns,
});

const arrowTypes: Readonly<Record<ColumnKind, string>> = {
  text: "utf8",
  dictionary: "dictionary<utf8>",
  list: "utf8",
  float64: "float64",
  float32: "float32",
  int32: "int32",
  int16: "int16",
  bool: "bool",
  money: "float64",
  date: "date",
};

const keyIndex = (path: string, about: string): DescribedFile =>
  arrow(path, about, [
    column("key", "utf8", "Sorted by bytes"),
    column("row", "uint32", "Row of the parcel"),
    column("form", "uint8", "Bits that say in which form the key holds for the row"),
  ]);

/** The Arrow IPC files that the server maps; a Flatbush file (`parcels.flatbush`) has no columns. */
export const servingFiles: readonly DescribedFile[] = [
  arrow("serving/market/county_prices.arrow", "Answers of /price-by-county", [
    state,
    ...county,
    ...kind,
    column("observed", "bool", "True for a price of sales in the county"),
    lastSale,
    ...point,
    evidenceId,
    record,
  ]),
  arrow("serving/market/state_prices.arrow", "Answers of /price-by-state", [
    state,
    ...kind,
    lastSale,
    column("week_end_date", "date", "Last day of an official summary's period, else null"),
    column("report_slug", "utf8", "Report of an official summary, else null"),
    evidenceId,
    record,
  ]),
  arrow("serving/market/latest_prices.arrow", "Answers of /latest-prices", [
    column("report_end_date", "date", "Last day of the sale"),
    state,
    column("venue_id", "utf8", "Venue"),
    ...kind,
    column("row_ordinal", "int32", "Place of the row in its issue"),
    ...point,
    evidenceId,
    record,
  ]),
  arrow("serving/market/barns.arrow", "Answers of /barns and /cattle-sale-barn-directory", [
    state,
    ...county,
    column("city", "utf8", "Town"),
    column("venue_name", "utf8", "Name"),
    column("venue_id", "utf8", "Venue"),
    column("status", "utf8", "Status of the venue"),
    ...point,
    column("last_reported_sale_date", "date", "Last sale in the reports of this build"),
    evidenceId,
    column("directory_evidence_id", "utf8", "Evidence of the directory row"),
    column("directory_record", "utf8", "Row of the directory, JSON"),
    column("barn_record", "utf8", "Record of /barns, JSON"),
  ]),
  arrow("serving/market/dealers.arrow", "Answers of /dealers/stats", [state, evidenceId, record]),
  arrow("serving/market/evidence.arrow", "Evidence of all records", [
    evidenceId,
    column("sources", "utf8", "Source ids, one a line"),
    column("source_date", "date", "Date of the underlying report"),
    column("limitations", "utf8", "Sentences, one a line"),
    column("evidence", "utf8", "The evidence as JSON"),
  ]),
  arrow("serving/market/price_history.arrow", "Histories of the records of counties and states", [
    column(
      "key",
      "utf8",
      "County or state, cell and, for an official summary, its report, with `|` between them",
    ),
    column("weeks", "utf8", "Weeks as JSON, one a line, oldest first"),
  ]),
  arrow("serving/market/sources.arrow", "Registry entries of the sources that answers name", [
    column("id", "utf8", "Source id"),
    column("entry", "utf8", "The entry as JSON"),
  ]),
  arrow("serving/market/last_known.arrow", "Newest date that an area ever had, for answers without rows", [
    column("endpoint", "utf8", "Path of the endpoint"),
    column("area", "utf8", "State or county"),
    column("source_date", "date", "Newest date"),
  ]),
  arrow("serving/market/zips.arrow", "ZIP areas", [
    column("zip", "utf8", "Five digits"),
    ...point,
    county[0]!,
    column("method", "utf8", "How the county was found"),
    column(
      "counties",
      "utf8",
      "Counties with their shares of the land, JSON; empty where no file gives them",
    ),
  ]),
  arrow("serving/market/context.arrow", "Signals that answers carry as context", [
    column("key_type", "utf8", "What the key is: county, state …"),
    column("key", "utf8", "Its value"),
    column("signal", "utf8", "Kind of signal"),
    column("item", "utf8", "The context item as JSON; null for a signal that is left out"),
    column(
      "age_days",
      "int32",
      "Age of the signal; null with an item of no date, and for one that no licence lets out",
    ),
  ]),
  arrow(
    "serving/parcels/XX/records.arrow",
    "The records of the parcels as answers give them, in the order of the rows",
    [
      column("facts", "utf8", "Members of the record as JSON text, parted by commas and without braces"),
      column("provenance", "int32", "Row of `provenance.arrow`"),
      column(
        "source_url",
        "utf8",
        "The source's own public page of the parcel, as JSON text; null without one",
      ),
      column("crc32", "uint32", "CRC-32 of `facts` and `source_url`, begun with the row and `provenance`"),
    ],
  ),
  arrow(
    "serving/parcels/XX/provenance.arrow",
    "Provenance of the records as JSON text, once for all records that come about in the same way; its metadata hold the origins",
    [
      column("provenance", "utf8", "Member `provenance` of the record, JSON"),
      column(
        "url_at",
        "int32",
        "Bytes before the place for the page of the parcel; null where the record names none",
      ),
      column("limitations", "utf8", "Ids of the limitations that the record asks for, one a line"),
      column("sources", "utf8", "Sources of the record with their newest vintage, one a line"),
      column("kind", "utf8", "What the text is made of"),
      column(
        "crc32",
        "uint32",
        "CRC-32 of `provenance`, `limitations` and `sources`, begun with the row and `url_at`",
      ),
    ],
  ),
  arrow(
    "serving/parcels/XX/columns.arrow",
    "The columns of `parcels.parquet` that lookups search, uncompressed; lists as lines of text",
    [
      ...findingColumns.map(({name, kind, about}) => column(name, arrowTypes[kind], about)),
      column(
        "owner_source",
        "dictionary<utf8>",
        "Source of the owner's name, which tells the order of its words",
      ),
    ],
  ),
  arrow("serving/parcels/XX/boundaries.arrow", "Outlines for the server's test of containment", [
    column("row", "int64", "Row of the parcel"),
    column("wkb", "binary", "Outline, WKB in OGC:CRS84"),
  ]),
  keyIndex(
    "serving/parcels/XX/parcel_ids.arrow",
    "Parcel numbers: 1 `std`, 2 `loose`, 4 and 8 the same of other ids",
  ),
  keyIndex(
    "serving/parcels/XX/addresses.arrow",
    "Address keys: 1 number and street name, 2 `~` and the first letters of a street name with up to two left out (its near names share " +
      "one), 4 address without a number, 8 `@` and a town or ZIP, 16 `^`, county, street name and type; of 2, 8 and 16 the first row that has it",
  ),
  arrow("serving/parcels/XX/owners.arrow", "Words of owner names", [
    column("term", "utf8", "Sorted by bytes"),
    column("rows", "list<uint32>", "Rows of the parcels, ascending"),
  ]),
  arrow(
    "serving/parcels/XX/checksums.arrow",
    "Checksums of the blocks of those of its neighbours whose rows have none",
    [
      column("file", "utf8", "Name of the file"),
      column(
        "xxh32",
        "binary",
        "XXH32 of each 256 bytes of the file, the last ones fewer, seeded with the number of the block; 4 bytes each, the lowest first",
      ),
    ],
  ),
];
