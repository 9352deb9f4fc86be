import {type AnyModel, type Columns, model} from "../../../lib/models/model.ts";
import {groupNames} from "../../../lib/parcels/conform/file-cells.ts";
import {originColumn} from "../../../lib/parcels/dedupe/dedupe-sql.ts";

/** Facts of a file that enter provenance, with its number. */
export type FileFacts = {
  readonly number: number;
  readonly source_id: string;
  readonly authority: string;
  /** ISO instant in UTC. */
  readonly retrieved_at: string;
  /** True if the field map was proposed and no person has checked it. */
  readonly proposed_map: boolean;
  /** True if that is only when a build first saw the file. */
  readonly retrieved_assumed: boolean;
};

const facts = "source_id vintage vintage_basis retrieved_at authority proposed_map retrieved_assumed".split(
  " ",
);
const factTypes = {
  VARCHAR: "source_id vintage vintage_basis retrieved_at authority",
  BOOLEAN: "proposed_map retrieved_assumed",
};

/**
 * The models `provenance`, numbered from 0 in the sort order of its other columns so that builds are reproducible, and `origins`, which maps
 * each origin text of the merged parcels to its id.
 */
export function provenanceModels(merged: AnyModel, files: readonly FileFacts[]) {
  const made = (name: string, reads: readonly AnyModel[], columns: Columns, sql: string) =>
    model({name, reads, columns, materialise: "table", sql: () => sql});
  const read = model({
    name: "provenance_files",
    columns: {
      INTEGER: "number",
      VARCHAR: "source_id authority retrieved_at",
      BOOLEAN: "proposed_map retrieved_assumed",
    },
    rows: () => files,
  });
  const texts = ["default" as const, ...groupNames]
    .map(originColumn)
    .map((name) => `SELECT DISTINCT ${name} AS origin FROM ${merged.name} WHERE ${name} IS NOT NULL`);
  const originFacts = made(
    "origin_facts",
    [merged, read],
    {...factTypes, VARCHAR: `origin ${factTypes.VARCHAR}`},
    `SELECT origin, f.source_id, nullif(split_part(origin, ' ', 3), 'unknown') AS vintage, split_part(origin, ' ', 2) AS vintage_basis, f.retrieved_at, f.authority, f.proposed_map, f.retrieved_assumed
     FROM (${texts.join(" UNION ")}) o JOIN provenance_files f ON f.number = split_part(origin, ' ', 1)::INTEGER`,
  );
  const provenance = made(
    "provenance",
    [originFacts],
    {...factTypes, INTEGER: "provenance_id", VARCHAR: `${factTypes.VARCHAR} source_url_pattern`},
    `SELECT (row_number() OVER (ORDER BY ${facts.join(", ")}) - 1)::INTEGER AS provenance_id,
       source_id, vintage, vintage_basis, retrieved_at, NULL::VARCHAR AS source_url_pattern, authority, proposed_map, retrieved_assumed
     FROM (SELECT DISTINCT ${facts.join(", ")} FROM origin_facts) ORDER BY provenance_id`,
  );
  const origins = made(
    "origins",
    [originFacts, provenance],
    {VARCHAR: "origin", INTEGER: "provenance_id"},
    `SELECT o.origin, p.provenance_id FROM origin_facts o
     JOIN provenance p ON (${facts.map((name) => `o.${name} IS NOT DISTINCT FROM p.${name}`).join(" AND ")})`,
  );
  return {provenance, origins};
}
