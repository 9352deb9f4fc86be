import type {Manifest} from "../../../schemas/manifest.ts";
import type {DescribedColumn, TableReference} from "../../../schemas/vocabulary/described-file.ts";
import type {Stages} from "../../parts/stages.ts";
import {licenceOf, sourcesOfPart, type TableFile} from "../../parts/table-files.ts";

type Source = {title: string; path?: string; id: string; attribution?: string; licence?: string};
type Field = Record<string, unknown> & {name: string; type: string; description: string};

/** The title of the dataset. */
export function titleOf({sample, as_of_date}: Manifest): string {
  return `Cattle market and parcels${sample ? " (generated sample)" : ""}, as of ${as_of_date}`;
}

/** One sentence about the whole dataset. */
export const datasetAbout =
  "Prices of US cattle auctions with their evidence, sale barns, signals that bear on the market, and land parcels with the attributes that public rolls print. Each fact names its source and vintage";

/**
 * Returns the Frictionless descriptor (datapackage.org) of every Parquet file and column in a build folder, as JSON. Each file is a
 * resource, because tools validate bytes, rows and keys per resource file; `table` names the folder it belongs to.
 */
export function dataPackageText(files: readonly TableFile[], manifest: Manifest, stages: Stages): string {
  const names = new Set(files.map(resourceName));
  const descriptor = {
    profile: "data-package",
    name: "cattle-market-intelligence",
    id: manifest.build_id,
    version: manifest.build_id,
    title: titleOf(manifest),
    description: datasetAbout,
    licenses: licencesOf(manifest.sources),
    sources: sourcesOf(manifest.sources, stages),
    resources: files.map((file) => resource(file, {manifest, stages, names})),
  };
  return `${JSON.stringify(descriptor, null, 1)}\n`;
}

type Context = {
  readonly manifest: Manifest;
  readonly stages: Stages;
  /** Names of all resources. */
  readonly names: ReadonlySet<string>;
};

function resource(table: TableFile, {manifest, stages, names}: Context): Record<string, unknown> {
  const {file, described, partition} = table;
  const of = sourcesOfPart(manifest, table.part);
  const title = described?.about ?? table.table;
  return {
    name: resourceName(table),
    table: table.table,
    ...(partition === null ? {} : {partition: {[partition.column.name]: partition.value}}),
    path: file.path,
    title: partition === null ? title : `${title} (${partition.column.name} ${partition.value})`,
    description: [title, ...(described?.traps ?? [])].map((sentence) => `${sentence}.`).join(" "),
    format: "parquet",
    mediatype: "application/vnd.apache.parquet",
    // Not `bytes`: validators compare it with a count that they do not compute for Parquet.
    byteSize: file.size,
    hash: `sha256:${file.sha256}`,
    rows: file.rows,
    licenses: licencesOf(of),
    sources: sourcesOf(of, stages),
    schema: tableSchema(table, names),
  };
}

/** Resource name of a file: its table, plus the partition value: `parcels.tx`. */
export function resourceName({table, partition}: Pick<TableFile, "table" | "partition">): string {
  const name = partition === null ? table : `${table}.${partition.value}`;
  return name.toLowerCase().replaceAll("/", ".");
}

function tableSchema(table: TableFile, names: ReadonlySet<string>): Record<string, unknown> {
  const {columns, described} = table;
  const key = described?.key ?? [];
  const foreignKeys = (described?.references ?? []).flatMap((reference) => {
    const resourceOf = referredResource(reference, table, names);
    return resourceOf === null
      ? []
      : [{fields: reference.columns, reference: {resource: resourceOf, fields: reference.key}}];
  });
  return {
    fields: columns.map((column) => field(column, key)),
    missingValues: [""],
    ...(key.length === 0 ? {} : {primaryKey: key}),
    ...(foreignKeys.length === 0 ? {} : {foreignKeys}),
  };
}

/** The resource that a reference points to: of the same state, or the whole table; null if the build has neither. */
function referredResource(
  {table}: TableReference,
  {partition}: TableFile,
  names: ReadonlySet<string>,
): string | null {
  const same = resourceName({table, partition});
  const whole = resourceName({table, partition: null});
  return [same, whole].find((name) => names.has(name)) ?? null;
}

function field({name, type, about, values, json}: DescribedColumn, key: readonly string[]): Field {
  const isList = type.endsWith("[]");
  const required = key.includes(name) && !mayBeNull.has(name);
  const constraints = {
    ...(required ? {required} : {}),
    ...(values === undefined || isList ? {} : {enum: values}),
  };
  return {
    name,
    type: frictionlessType(type, required),
    description: about,
    ...(Object.keys(constraints).length === 0 ? {} : {constraints}),
    ...(isList && values !== undefined ? {itemValues: values} : {}),
    ...(json === true ? {contentMediaType: "application/json"} : {}),
    parquetType: type,
  };
}

/** Key columns that may be null. */
const mayBeNull: ReadonlySet<string> = new Set([
  "county_fips",
  "sale_date",
  "from_date",
  "month",
  "report_slug",
]);

/**
 * Maps a DuckDB type to a field type (Table Schema, specs.frictionlessdata.io/table-schema) as seen by tools that read Parquet via data
 * frames: there, integers with nulls become numbers and lists are no arrays. `parquetType` has the exact type.
 */
function frictionlessType(type: string, required: boolean): string {
  if (/^(STRUCT|MAP)|\[\]$/.test(type)) return "any";
  if (/^(DOUBLE|FLOAT|DECIMAL)/.test(type)) return "number";
  if (/INT/.test(type)) return required ? "integer" : "number";
  if (type === "BOOLEAN") return "boolean";
  if (type === "DATE") return "date";
  if (type.startsWith("TIMESTAMP")) return "datetime";
  return type === "VARCHAR" ? "string" : "any";
}

type ManifestSources = Manifest["sources"];

/** The licences of the sources, each with its SPDX or Open Definition id, and its URL if there is one. */
export function licencesOf(sources: ManifestSources): {name: string; title: string; path?: string}[] {
  const words = [...new Set(sources.map(({licence}) => licence ?? "not stated by the publisher"))].sort();
  return words.map((text) => {
    const {id, title, url} = licenceOf(text);
    return {name: id, title, ...(url === null ? {} : {path: url})};
  });
}

function sourcesOf(sources: ManifestSources, stages: Stages): Source[] {
  const entries = new Map(stages.entries.map((entry) => [entry.id, entry]));
  return sources.map(({id, name, licence, attribution}) => {
    const url = entries.get(id)?.url;
    return {
      id,
      title: name,
      ...(url !== undefined && /^https?:/.test(url) ? {path: url} : {}),
      ...(attribution === null ? {} : {attribution}),
      ...(licence === null ? {} : {licence}),
    };
  });
}
