import {sqlText} from "../../lib/sql/duckdb.ts";
import {tableOfPath} from "../../lib/storage/build-layout.ts";
import {describedFile} from "../../schemas/described-files.ts";

/**
 * The facts of a part that the footer of each of its Parquet files repeats, so that a file that was copied away still says what it is.
 * None of them depends on the build that the file is linked into: the same part has the same bytes in every build.
 */
export type PartStamp = {
  /** `MARKET` or a state. */
  readonly part: string;
  /** Digest over the inputs of the part, as in the manifest of every build that holds the file; null outside of a build. */
  readonly inputsSha256: string | null;
  /** `YYYY-MM-DD`: the day on which the rows were read. */
  readonly asOf: string;
  readonly sample: boolean;
  /** Licences of the sources, with the ids of those that have each. */
  readonly licence: string;
};

/**
 * Gives the option of DuckDB's COPY that writes the key-value metadata of a Parquet file: the table, its sentence and those of its columns,
 * and the facts of its part. `more` adds entries, such as `geo`.
 */
export function footerOption(
  path: string,
  stamp: PartStamp,
  more: Readonly<Record<string, string>> = {},
): string {
  const file = describedFile(path);
  const about = Object.fromEntries((file?.columns ?? []).map((column) => [column.name, column.about]));
  const entries: Record<string, string> = {
    ...more,
    table: tableOfPath(path),
    title: file?.about ?? "",
    part: stamp.part,
    ...(stamp.inputsSha256 === null ? {} : {inputs_sha256: stamp.inputsSha256}),
    as_of_date: stamp.asOf,
    sample: String(stamp.sample),
    licence: stamp.licence,
    columns: JSON.stringify(about),
  };
  const pairs = Object.entries(entries).map(([name, value]) => `${sqlText(name)}: ${sqlText(value)}`);
  return `KV_METADATA {${pairs.join(", ")}}`;
}

/** Gives the licences of some sources in one line, each with the ids of those that have it. */
export function licenceLine(sources: readonly {readonly id: string; readonly licence: string}[]): string {
  return [...Map.groupBy(sources, ({licence}) => licence)]
    .map(([licence, of]) => [licence, [...new Set(of.map(({id}) => id))].sort().join(", ")])
    .map(([licence, ids]) => `${licence} (${ids})`)
    .sort()
    .join("; ");
}
