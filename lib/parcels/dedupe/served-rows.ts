import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {conformedColumns, conformedExtras} from "../conform/conformed-table.ts";
import {groupNames, groupOf, type ProvenanceGroup} from "../conform/file-cells.ts";
import {vintageColumn} from "../conform/vintage-sql.ts";

/** A row of a build's provenance, with the number of the file that stands for it. */
export type ServedOrigin = {
  readonly id: number;
  readonly file: number;
  /** Basis and date of the vintage, as in a conformed table. */
  readonly text: string;
  /** The day of retrieval. */
  readonly day: string;
};

type ServedRows = {
  readonly state: string;
  readonly origins: readonly ServedOrigin[];
  /** False if owners must not be given out any more. */
  readonly owners: boolean;
  /** SQL for the outline. */
  readonly wkb: string;
  /**
   * The default vintage of a row that these origins do not lead: that of its first facts, or none, so that the
   * leading row of the build leads again.
   */
  readonly usual: "first" | "none";
};

/** Columns that are never null, with their value when nothing is known. */
const alwaysThere: Readonly<Record<string, string>> = {situs_status: "'blank'", owner_withheld: "false"};

/**
 * Turns parcel rows of a build back into those of a conformed table: SQL columns over the rows (with
 * `file_row_number`) that hold the facts of these origins alone, and SQL that is true for the rows that have any.
 */
export function servedColumns({state, origins, owners, wkb, usual}: ServedRows): {
  readonly columns: readonly string[];
  readonly has: string;
} {
  const ids = origins.map(({id}) => id).join(", ");
  /** SQL for a group's provenance; null if the facts are from elsewhere or must no longer be published. */
  const provenance = (group: ProvenanceGroup | "default") => {
    if (group === "owner" && !owners) return "NULL";
    const id = group === "default" ? "prov_default" : `coalesce(prov_${group}, prov_default)`;
    return `CASE WHEN ${id} IN (${ids}) THEN ${id} END`;
  };
  const first = `coalesce(${["default" as const, ...groupNames].map(provenance).join(", ")})`;
  const caseOf = (id: string, value: (origin: ServedOrigin) => string) =>
    `CASE ${id} ${origins.map((origin) => `WHEN ${origin.id} THEN ${value(origin)}`).join(" ")} END`;
  const vintage = (id: string) => caseOf(id, ({text}) => sqlText(text));
  const fallback =
    usual === "first" ? vintage(first) : `coalesce(${vintage(provenance("default"))}, 'unknown unknown')`;
  const extras: Readonly<Record<string, string>> = {
    _file: caseOf(first, ({file}) => String(file)),
    _row: "file_row_number",
    // The uid of a parcel without a number ends in a digest of its facts.
    _key: "CASE WHEN parcel_id IS NULL THEN substr(parcel_uid, strlen(county_key) + 2) ELSE parcel_id_tok END",
    _wkb: `CASE WHEN ${provenance("location")} IS NOT NULL THEN ${wkb} END`,
    _area_from_outline: "coalesce(acres_basis = 'computed', false)",
    _retrieved: caseOf(first, ({day}) => sqlText(day)),
    [vintageColumn("default")]: fallback,
    ...Object.fromEntries(
      groupNames.map((group) => [vintageColumn(group), `nullif(${vintage(provenance(group))}, ${fallback})`]),
    ),
  };
  const columns = [
    ...conformedColumns.map(({name, kind}) => {
      const group = groupOf(name);
      const filler = alwaysThere[name];
      const whole = name === "state" ? sqlText(state) : sqlName(name);
      const sql =
        group === undefined ? whole : `CASE WHEN ${provenance(group)} IS NOT NULL THEN ${whole} END`;
      const filled = filler === undefined ? sql : `coalesce(${sql}, ${filler})`;
      return `(${filled})::${parquetTypes[kind]} AS ${sqlName(name)}`;
    }),
    ...conformedExtras.map(([name, type]) => `(${extras[name] ?? "NULL"})::${type} AS ${sqlName(name)}`),
  ];
  return {columns, has: `${first} IS NOT NULL`};
}
