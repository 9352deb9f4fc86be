import {groupNames} from "../../../lib/parcels/conform/file-cells.ts";
import {originColumn} from "../../../lib/parcels/dedupe/dedupe-sql.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";

/** Facts of a file that enter provenance, with its number. */
type FileFacts = {
  readonly number: number;
  readonly sourceId: string;
  readonly authority: string;
  /** ISO instant in UTC. */
  readonly retrievedAt: string;
  /** True if that is only when a build first saw the file. */
  readonly assumed: boolean;
  /** True if the field map was proposed and no person has checked it. */
  readonly proposed: boolean;
};

/** Columns of table `parcel_provenance`, in order. */
export const provenanceColumns = [
  "provenance_id",
  "source_id",
  "vintage",
  "vintage_basis",
  "retrieved_at",
  "source_url_pattern",
  "authority",
  "proposed_map",
  "retrieved_assumed",
] as const;

/**
 * Creates the table `provenance`, numbered from 0 in the sort order of its other columns so that builds are reproducible, and the table
 * `origins`, which maps each origin text of the merged table to its id.
 */
export async function makeProvenance(
  db: Database,
  merged: string,
  files: readonly FileFacts[],
): Promise<void> {
  const columns = ["default" as const, ...groupNames].map(originColumn);
  const facts = "source_id, vintage, vintage_basis, retrieved_at, authority, proposed_map, retrieved_assumed";
  const origins = columns.map(
    (name) => `SELECT DISTINCT ${name} AS origin FROM ${sqlName(merged)} WHERE ${name} IS NOT NULL`,
  );
  await db.run(
    "CREATE TABLE provenance_files (number INTEGER, source_id VARCHAR, authority VARCHAR, retrieved_at VARCHAR, proposed_map BOOLEAN, retrieved_assumed BOOLEAN)",
  );
  for (const {number, sourceId, authority, retrievedAt, proposed, assumed} of files) {
    await db.run(
      `INSERT INTO provenance_files VALUES (${[number, ...[sourceId, authority, retrievedAt].map(sqlText), proposed, assumed].join(", ")})`,
    );
  }
  await db.run(
    `CREATE TABLE origin_facts AS
     SELECT origin, f.source_id, nullif(split_part(origin, ' ', 3), 'unknown') AS vintage, split_part(origin, ' ', 2) AS vintage_basis, f.retrieved_at, f.authority, f.proposed_map, f.retrieved_assumed
     FROM (${origins.join(" UNION ")}) o JOIN provenance_files f ON f.number = split_part(origin, ' ', 1)::INTEGER`,
  );
  await db.run(
    `CREATE TABLE provenance AS
     SELECT (row_number() OVER (ORDER BY ${facts}) - 1)::INTEGER AS provenance_id,
       source_id, vintage, vintage_basis, retrieved_at, NULL::VARCHAR AS source_url_pattern, authority, proposed_map, retrieved_assumed
     FROM (SELECT DISTINCT ${facts} FROM origin_facts) ORDER BY provenance_id`,
  );
  await db.run(
    `CREATE TABLE origins AS SELECT o.origin, p.provenance_id FROM origin_facts o
     JOIN provenance p ON (${facts
       .split(", ")
       .map((name) => `o.${name} IS NOT DISTINCT FROM p.${name}`)
       .join(" AND ")})`,
  );
  await db.run("DROP TABLE origin_facts; DROP TABLE provenance_files");
}
