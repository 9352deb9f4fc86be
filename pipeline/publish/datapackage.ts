import {join} from "node:path";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {filesBelow} from "../../lib/storage/build-files.ts";
import {tableOfPath} from "../../lib/storage/build-layout.ts";
import {describedFile} from "../../schemas/described-files.ts";
import {tableFacts} from "./table-facts.ts";

type Field = {name: string; type: string; description?: string};
type Resource = {
  name: string;
  path: string | string[];
  format: string;
  mediatype: string;
  schema: {fields: Field[]};
};

/**
 * Gives the Frictionless descriptor (datapackage.org) of every Parquet file and column of a build folder, as JSON text.
 * The files of a partitioned table are one resource.
 */
export async function dataPackageText(
  buildDir: string,
  {asOf, sample}: {asOf: string; sample: boolean},
): Promise<string> {
  const paths = (await filesBelow(buildDir)).filter((path) => path.endsWith(".parquet"));
  const groups = Map.groupBy(paths, tableOfPath);
  const db = await openDatabase();
  try {
    const resources: Resource[] = [];
    for (const [table, files] of groups) {
      const {columns} = await tableFacts(db, join(buildDir, files[0]!));
      resources.push(resource(table, files, columns ?? []));
    }
    const title = `Cattle market and parcels${sample ? " (generated sample)" : ""}, as of ${asOf}`;
    return `${JSON.stringify({profile: "data-package", name: "cattle-market-intelligence", title, resources}, null, 1)}\n`;
  } finally {
    db.close();
  }
}

function resource(table: string, files: string[], columns: [string, string][]): Resource {
  const described = describedFile(files[0]!)?.columns ?? [];
  const about = new Map(described.map((column) => [column.name, column.about]));
  return {
    name: table.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-"),
    path: files.length === 1 ? files[0]! : files,
    format: "parquet",
    mediatype: "application/vnd.apache.parquet",
    schema: {fields: columns.map(([name, type]) => field(name, type, about.get(name)))},
  };
}

function field(name: string, type: string, description: string | undefined): Field {
  return {name, type: frictionlessType(type), ...(description === undefined ? {} : {description})};
}

/** Gives the field type for a DuckDB type (Table Schema, specs.frictionlessdata.io/table-schema). */
function frictionlessType(type: string): string {
  if (type.endsWith("[]")) return "array";
  if (/^(STRUCT|MAP)/.test(type)) return "object";
  if (/^(DOUBLE|FLOAT|DECIMAL)/.test(type)) return "number";
  if (/INT/.test(type)) return "integer";
  if (type === "BOOLEAN") return "boolean";
  if (type === "DATE") return "date";
  if (type.startsWith("TIMESTAMP")) return "datetime";
  return type === "VARCHAR" ? "string" : "any";
}
