import {parcelColumns} from "./parcel-columns.ts";
import {Authority} from "./parcel-source.ts";
import {
  column,
  type DescribedColumn,
  type DescribedFile,
  geometryType,
  instantType,
  type PartitionColumn,
  parquetTypes,
  type TableReference,
} from "./vocabulary/described-file.ts";
import {VintageBasis} from "./vocabulary/parcel-provenance.ts";

const authority = column(
  "authority",
  "VARCHAR",
  "Who produces the source: a county, a state, or a more distant publisher",
  {
    values: Authority.options,
  },
);

const provenanceColumns: readonly DescribedColumn[] = [
  column("provenance_id", "INTEGER", "Number to which the `prov_*` columns of this state's parcels refer"),
  column("source_id", "VARCHAR", "Registry entry, a row of `parcel_sources`"),
  column("vintage", "VARCHAR", "Date or roll year for which the source states the facts"),
  column("vintage_basis", "VARCHAR", "How the vintage was determined", {
    values: VintageBasis.options,
  }),
  column("retrieved_at", instantType, "When the file was fetched"),
  column(
    "source_url_pattern",
    "VARCHAR",
    "Always null; the column stays for readers that name it (docs/stable.md)",
  ),
  authority,
  column("proposed_map", "BOOLEAN", "The field map was proposed and not reviewed by a person"),
  column("retrieved_assumed", "BOOLEAN", "`retrieved_at` is when a build first saw the file"),
];

const rejectColumns: readonly DescribedColumn[] = [
  column("source_id", "VARCHAR", "Registry entry, a row of `parcel_sources`"),
  column("source_path", "VARCHAR", "Raw file the row came from"),
  column("source_row", "BIGINT", "Position of the row in its file, from 1"),
  column("reason", "VARCHAR", "Why it was dropped"),
  column("county_key", "VARCHAR", "County, where known"),
  column("parcel_id", "VARCHAR", "Parcel number, where known"),
  column("situs_raw", "VARCHAR", "Address of the land, as published"),
];

/** Columns of `parcel_sources`, in file order. */
export const parcelSourceColumns: readonly DescribedColumn[] = [
  column("source_id", "VARCHAR", "Registry entry; every `source_id` of a parcel table is one of these"),
  column("name", "VARCHAR", "Name of the source"),
  column("publisher", "VARCHAR", "Who publishes it; null if the registry does not name one"),
  authority,
  column("country", "VARCHAR", "Country of its parcels", {values: ["US", "CA"]}),
  column("state", "VARCHAR", "State or province of its parcels, two letters"),
  column("coverage", "VARCHAR", "Part of the state that it covers", {
    values: ["all_counties", "some_counties", "places"],
  }),
  column("counties", "VARCHAR[]", "County keys of a source that covers some counties; else empty"),
  column("places", "VARCHAR[]", "Municipalities of a source that covers places; else empty"),
  column("licence", "VARCHAR", "Licence or terms, as in the registry"),
  column("licence_id", "VARCHAR", "SPDX id of the licence, else the nearest id of the Open Definition"),
  column("licence_url", "VARCHAR", "Address of the licence; null if none is known"),
  column("attribution", "VARCHAR", "Credit line required with the data; null if none is required"),
  column("store_allowed", "BOOLEAN", "The terms allow keeping the data"),
  column("owners_allowed", "BOOLEAN", "The terms allow passing on names of owners"),
  column("bulk_allowed", "BOOLEAN", "The terms allow downloading the whole source"),
  column("used", "BOOLEAN", "The source has rows in this build"),
  column("complete", "BOOLEAN", "The build read the whole source, not an extract; null without rows"),
  column("vintage", "VARCHAR", "Newest date or roll year that the source states; null without one"),
  column("retrieved_at", instantType, "Newest fetch of its files; null without rows"),
];

const state: PartitionColumn = {
  name: "state",
  type: "VARCHAR",
  about: "State or province, two letters; from the name of the folder",
};

const toProvenance: TableReference = {
  columns: ["prov_default"],
  table: "parcel_provenance",
  key: ["provenance_id"],
};

const toSources: TableReference = {columns: ["source_id"], table: "parcel_sources", key: ["source_id"]};

const box = "STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)";

/** The point of a row for map software, after its other columns. */
export const pointColumns = [
  column("geometry", geometryType, "The point, WKB in OGC:CRS84; equal to `lon`, `lat`, null without them"),
  column("bbox", box, "The point as a bounding box, the covering of `geometry`; null without a point"),
];

/** The Parquet files of the parcels, in the order of FORMAT.md. */
export const parcelTables: readonly DescribedFile[] = [
  {
    path: "tables/parcels/state=XX/parcels.parquet",
    about:
      "GeoParquet 1.1 with a covering: one row per parcel, in Hilbert order of the points; rows without a point last",
    key: ["county_key", "parcel_uid"],
    partition: state,
    references: [toProvenance],
    columns: [
      ...parcelColumns.map(({name, kind, about, values}) =>
        column(name, parquetTypes[kind], about, values === undefined ? {} : {values}),
      ),
      ...pointColumns,
    ],
    traps: [
      "A parcel is one county's record: a condominium has a row for each unit (`parent_id`), and one owner may have many rows",
      "`bbox` is the bounding box of the point; `xmin` to `ymax` are the extent of the outline, if the source has one",
      "Never add values of different kinds: `assessed_value`, `market_value`, `taxable_value` and `use_value` are separate columns",
      "`prov_*` ids are unique only within a state: join `parcel_provenance` on `state` and the id, and use `prov_default` if a group's id is null",
    ],
  },
  {
    path: "tables/parcel_provenance/state=XX/parcel_provenance.parquet",
    about: "Source, vintage and authority behind the `prov_*` ids of the parcels",
    key: ["provenance_id"],
    partition: state,
    references: [toSources],
    columns: provenanceColumns,
    traps: ["The key of the whole table is `state` and `provenance_id`"],
  },
  {
    path: "tables/boundaries/state=XX/boundaries.parquet",
    about: "GeoParquet 1.1 with a covering: outlines, if the source has them",
    key: ["county_key", "parcel_uid"],
    partition: state,
    references: [
      {columns: ["county_key", "parcel_uid"], table: "parcels", key: ["county_key", "parcel_uid"]},
    ],
    columns: [
      column("parcel_uid", "VARCHAR", "Parcel, as in `parcels`"),
      column("county_key", "VARCHAR", "County, as in `parcels`"),
      column("row", "BIGINT", "Row of the parcel in the state's `parcels.parquet`, from 0"),
      column("geometry", geometryType, "Outline, WKB in OGC:CRS84"),
      column(
        "bbox",
        box,
        "Extent of the outline, extended to contain the served point; the covering of `geometry`",
      ),
    ],
    traps: [
      "Join `parcels` on `parcel_uid` within a state; not every parcel has an outline",
      "Outlines of neighbours may overlap or leave gaps: counties draw them independently",
    ],
  },
  {
    path: "tables/parcel_rejects/state=XX/parcel_rejects.parquet",
    about: "Rows that were dropped, with the reason",
    key: ["source_path", "source_row"],
    partition: state,
    references: [toSources],
    columns: rejectColumns,
  },
  {
    path: "tables/parcel_sources.parquet",
    about:
      "Every registered parcel source of the states of the build, and every other source that has rows in it",
    key: ["source_id"],
    columns: parcelSourceColumns,
    traps: ["`vintage` is the newest of the source; `parcel_provenance` has the vintage of each row"],
  },
];
