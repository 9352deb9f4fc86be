import {statedFlags} from "../../../schemas/parcel-fields/flags.ts";
import {madeBefore} from "../../../schemas/parcel-fields/texts.ts";
import {recordMembers} from "../../../schemas/parcel-record.ts";
import {groupNames, type ProvenanceGroup} from "../conform/cells.ts";
import {membersPerWord} from "./record-kind.ts";

/**
 * SELECT of the records of parcel rows (`from`, SQL of a FROM clause), in their order: `values`, the id and the members of the record, as
 * `factsJoiner` takes them; `kind`, all that its provenance follows from and the names of its members, as the text that `readKind`
 * reads; `source_url`, the page of the parcel at its source as JSON text. `originOf` gives SQL of what names the origin of a group, `number`
 * that of `row_no`.
 * Rows with equal kinds have equal provenance. Each step stands in a query of its own, so that each is evaluated once.
 */
export function recordSelect(
  from: string,
  originOf: (group: ProvenanceGroup | "default") => string,
  number = "0",
): string {
  let rows = from;
  for (const [name, sql] of madeBefore) rows = `(SELECT *, ${sql} AS ${name} FROM ${rows})`;
  const members = recordMembers.map(({json}, at) => `(${json})::VARCHAR AS ${memberColumn(at)}`);
  const made = `(SELECT parcel_uid, source_url, ${number} AS row_no, ${restOfKind(originOf)} AS "~rest", ${members.join(", ")} FROM ${rows})`;
  return `SELECT ${valuesSql} AS "values", ${[...maskWords(), '"~rest"'].join(" || '|' || ")} AS kind, to_json(source_url)::VARCHAR AS source_url, row_no FROM ${made}`;
}

function memberColumn(at: number): string {
  return `"~m${at}"`;
}

/** Members that mostly say the same as the one before. */
const repeating: ReadonlySet<string> = new Set(["state_parcelIdSTD"]);

/** A county's row without a number has no id; it is never answered, but its values stand in their lines as well. */
const valuesSql = `concat_ws(chr(10), coalesce(to_json(parcel_uid)::VARCHAR, 'null'), '', ${recordMembers
  .map(({name}, at) => {
    const [value, before] = [memberColumn(at), memberColumn(at - 1)];
    return repeating.has(name) ? `CASE WHEN ${value} = ${before} THEN '' ELSE ${value} END` : value;
  })
  .join(", ")})`;

/** Gives the members that the record has: a bit for each, in words. */
function maskWords(): string[] {
  const words: string[] = [];
  for (let first = 0; first < recordMembers.length; first += membersPerWord) {
    const bits = recordMembers
      .slice(first, first + membersPerWord)
      .map((_, bit) => `(${memberColumn(first + bit)} IS NOT NULL)::BIGINT * ${2 ** bit}`);
    words.push(`(${bits.join(" + ")})::VARCHAR`);
  }
  return words;
}

function restOfKind(originOf: (group: ProvenanceGroup | "default") => string): string {
  const origins = ["default" as const, ...groupNames].map(
    (group) => `coalesce((${originOf(group)})::VARCHAR, '')`,
  );
  return [
    `concat_ws(',', ${origins.join(", ")})`,
    "coalesce(point_method, '')",
    "coalesce(acres_basis, '')",
    "CASE WHEN land_use_category IS NOT NULL THEN coalesce(round(land_use_confidence::DOUBLE * 10000)::INTEGER::VARCHAR, '') ELSE '' END",
    `CASE WHEN len(flags) > 0 THEN ${flagsSql} ELSE '' END`,
    "CASE WHEN source_url IS NULL THEN '' ELSE 'u' END",
  ].join(" || '|' || ");
}

const flagsSql = statedFlags
  .map((flag, at) => `CASE WHEN list_contains(flags, '${flag}') THEN '${at}' ELSE '' END`)
  .join(" || ");
