import type {Manifest} from "../../../schemas/manifest.ts";
import type {DescribedColumn} from "../../../schemas/vocabulary/described-file.ts";
import type {TableFile} from "../../parts/table-files.ts";
import {datasetAbout, licencesOf, resourceName, titleOf} from "./datapackage.ts";

type Node = Readonly<Record<string, unknown>>;

/** The JSON-LD context prescribed by Croissant 1.0 (docs.mlcommons.org/croissant/docs/croissant-spec.html). */
const context: Node = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  citeAs: "cr:citeAs",
  column: "cr:column",
  conformsTo: "dct:conformsTo",
  cr: "http://mlcommons.org/croissant/",
  rai: "http://mlcommons.org/croissant/RAI/",
  data: {"@id": "cr:data", "@type": "@json"},
  dataType: {"@id": "cr:dataType", "@type": "@vocab"},
  dct: "http://purl.org/dc/terms/",
  examples: {"@id": "cr:examples", "@type": "@json"},
  extract: "cr:extract",
  field: "cr:field",
  fileProperty: "cr:fileProperty",
  fileObject: "cr:fileObject",
  fileSet: "cr:fileSet",
  format: "cr:format",
  includes: "cr:includes",
  isLiveDataset: "cr:isLiveDataset",
  jsonPath: "cr:jsonPath",
  key: "cr:key",
  md5: "cr:md5",
  parentField: "cr:parentField",
  path: "cr:path",
  recordSet: "cr:recordSet",
  references: "cr:references",
  regex: "cr:regex",
  repeated: "cr:repeated",
  replace: "cr:replace",
  sc: "https://schema.org/",
  separator: "cr:separator",
  source: "cr:source",
  subField: "cr:subField",
  transform: "cr:transform",
};

/**
 * Describes a build folder for search engines and machine-learning tools: JSON-LD in schema.org terms plus Croissant 1.0. Each Parquet file
 * is a file object with a record set of the columns that Croissant has types for.
 */
export function croissantText(files: readonly TableFile[], manifest: Manifest): string {
  const day = manifest.as_of_date;
  const description: Node = {
    "@context": context,
    "@type": "sc:Dataset",
    name: "cattle-market-intelligence",
    description: `${titleOf(manifest)}. ${datasetAbout}.`,
    conformsTo: "http://mlcommons.org/croissant/1.0",
    version: `1.0.0+${manifest.build_id}`,
    datePublished: day,
    temporalCoverage: `../${day}`,
    isAccessibleForFree: true,
    license: licenceTexts(manifest),
    creator: {"@type": "sc:Organization", name: "Publishers named in each record's sources"},
    citeAs: `${titleOf(manifest)}, build ${manifest.build_id}. Cite the sources that its records name beside it.`,
    distribution: files.map(fileObject),
    recordSet: files.map(recordSet),
  };
  return `${JSON.stringify(description, null, 1)}\n`;
}

/** Licence URLs, or the wording of licences without one. */
function licenceTexts({sources}: Manifest): string[] {
  return [...new Set(licencesOf(sources).map(({path, title}) => path ?? title))].sort();
}

function fileObject(table: TableFile): Node {
  const {file, described} = table;
  return {
    "@type": "cr:FileObject",
    "@id": file.path,
    name: file.path,
    description: `${described?.about ?? table.table}.`,
    contentUrl: file.path,
    contentSize: `${file.size} B`,
    encodingFormat: "application/x-parquet",
    sha256: file.sha256,
  };
}

function recordSet(table: TableFile): Node {
  const name = resourceName(table);
  const key = table.described?.key ?? [];
  return {
    "@type": "cr:RecordSet",
    "@id": name,
    name,
    description: `${table.described?.about ?? table.table}.`,
    ...(key.length === 0 ? {} : {key: key.map((column) => ({"@id": `${name}/${column}`}))}),
    field: table.columns.flatMap((column) => field(column, {name, path: table.file.path})),
  };
}

/** The field of a column; empty for structs and geometry, for which Croissant has no type. */
function field({name, type, about}: DescribedColumn, of: {name: string; path: string}): Node[] {
  const dataType = dataTypeOf(type.replace("[]", ""));
  if (dataType === null) return [];
  return [
    {
      "@type": "cr:Field",
      "@id": `${of.name}/${name}`,
      name: `${of.name}/${name}`,
      description: about,
      dataType,
      ...(type.endsWith("[]") ? {repeated: true} : {}),
      source: {fileObject: {"@id": of.path}, extract: {column: name}},
    },
  ];
}

function dataTypeOf(type: string): string | null {
  if (type === "VARCHAR") return "sc:Text";
  if (type === "BOOLEAN") return "sc:Boolean";
  if (type === "DATE") return "sc:Date";
  if (type.startsWith("TIMESTAMP")) return "sc:DateTime";
  if (/^(DOUBLE|FLOAT|DECIMAL)/.test(type)) return "sc:Float";
  return /^(TINY|SMALL|BIG)?INT/.test(type) ? "sc:Integer" : null;
}
