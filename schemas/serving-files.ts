import {marketServing} from "./market-serving.ts";
import {findingColumns} from "./parcel-columns.ts";
import {
  type ColumnKind,
  column,
  type DescribedColumn,
  type DescribedFile,
} from "./vocabulary/described-file.ts";

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

const arrowColumn = ({name, kind, about}: {name: string; kind: ColumnKind; about: string}) =>
  column(name, arrowTypes[kind], about);

const keyIndex = (path: string, about: string): DescribedFile =>
  arrow(path, about, [
    column("key", "utf8", "Sorted by bytes"),
    column("row", "uint32", "Row of the parcel"),
    column("form", "uint8", "Bits that say in which forms the key matches the row"),
  ]);

/** The Arrow IPC files that the server maps. A Flatbush file (`parcels.flatbush`) has no columns. */
export const servingFiles: readonly DescribedFile[] = [
  ...Object.entries(marketServing).map(([name, {about, columns}]) =>
    arrow(`serving/market/${name}.arrow`, about, columns.map(arrowColumn)),
  ),
  arrow("serving/parcels/XX/records.arrow", "The records of the parcels, in the order of the rows", [
    column(
      "values",
      "utf8",
      "Values of `_id`, of `parcelUid` and of the members that `provenance.arrow` names for this kind of record, each as JSON text on its own line; an empty line repeats the value before, a line `@` is the GeoJSON point of the two values before",
    ),
    column("provenance", "int32", "Row of `provenance.arrow`"),
    column(
      "source_url",
      "utf8",
      "The source's own public page of the parcel, as JSON text; null without one",
    ),
    column("crc32", "uint32", "CRC-32 of `values` and `source_url`, seeded with the row and `provenance`"),
  ]),
  arrow(
    "serving/parcels/XX/provenance.arrow",
    "Provenance of the records as JSON text, stored once for all records that are built in the same way; its metadata have the origins",
    [
      column("provenance", "utf8", "Member `provenance` of the record, JSON"),
      column(
        "url_at",
        "int32",
        "Offset in bytes at which the page of the parcel is inserted; null if the record has none",
      ),
      column("limitations", "utf8", "Ids of the limitations that the record requires, one per line"),
      column("sources", "utf8", "Sources of the record with their newest vintage, one per line"),
      column(
        "members",
        "utf8",
        "Names of the members of the record after `_id` and `parcelUid`, one per line",
      ),
      column("kind", "utf8", "What the text is made from"),
      column(
        "crc32",
        "uint32",
        "CRC-32 of `provenance`, `limitations`, `sources` and `members`, seeded with the row and `url_at`",
      ),
    ],
  ),
  arrow(
    "serving/parcels/XX/columns.arrow",
    "The columns of `parcels.parquet` that lookups search, uncompressed; lists as lines of text",
    [
      ...findingColumns.map(arrowColumn),
      column(
        "owner_source",
        "dictionary<utf8>",
        "Source of the owner's name, which determines the order of its words",
      ),
      column(
        "owner_facts",
        "float64",
        "Values by which hits of an owner are scored and summed: ten-thousandths of an acre and one more (0 unknown), 2^41 times the sort of owner " +
          "(1 one person, 2 persons, a trust or an estate, 0 any other), 2^43 times the last three digits of `county_key`",
      ),
    ],
  ),
  arrow("serving/parcels/XX/boundaries.arrow", "Outlines for the server's containment test", [
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
    "Checksums of the blocks of those files in its folder whose rows have none",
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
