import {sharedTexts} from "../../../schemas/parcel-fields/texts.ts";
import {type GroupedMember, recordMembers} from "../../../schemas/parcel-record.ts";
import {type StatedFlag, statedFlags} from "../../../schemas/vocabulary/parcel-provenance.ts";
import {groupNames, type ProvenanceGroup} from "../conform/file-cells.ts";

/**
 * Everything that a record's provenance and limitations depend on besides its sources; millions of rows share
 * a few kinds.
 */
export type RecordKind = {
  /** The members of the record, in order. */
  readonly members: readonly GroupedMember[];
  /**
   * Names of the origins, as passed to `recordSelect`: of the default, then of each group; empty for a group
   * without its own.
   */
  readonly origins: readonly string[];
  readonly pointMethod: string;
  readonly acresBasis: string;
  /** The kind of value (`assessed`, `market` …) that the values of land and building add up to; empty without them. */
  readonly partsKind: string;
  /** Confidence of the land-use category, in ten-thousandths; null without a category. */
  readonly categoryConfidence: number | null;
  readonly flags: ReadonlySet<StatedFlag>;
  /** True when the source has a public page for the parcel. */
  readonly hasUrl: boolean;
};

/** Members per word of the mask; SQL integers have 63 bits. */
const membersPerWord = 50;
const wordCount = Math.ceil(recordMembers.length / membersPerWord);

/** Parses the text that `recordSelect` creates. Throws a `RangeError` for any other text. */
export function readKind(text: string): RecordKind {
  const parts = text.split("|");
  if (parts.length !== wordCount + 7) throw new RangeError(`not a record kind: ${text}`);
  const words = parts.slice(0, wordCount).map(Number);
  const [origins = "", pointMethod = "", acresBasis = "", partsKind = "", ...rest] = parts.slice(wordCount);
  const [confidence = "", flags = "", url = ""] = rest;
  return {
    members: recordMembers.filter((_, at) =>
      hasBit(words[Math.floor(at / membersPerWord)]!, at % membersPerWord),
    ),
    origins: origins.split(","),
    pointMethod,
    acresBasis,
    partsKind,
    categoryConfidence: confidence === "" ? null : Number(confidence),
    flags: new Set([...flags].map((digit) => statedFlags[Number.parseInt(digit, 36)]!)),
    hasUrl: url !== "",
  };
}

/** Tests a bit by division, because words have up to 50 bits and bitwise operators only take 32. */
function hasBit(word: number, bit: number): boolean {
  return Math.floor(word / 2 ** bit) % 2 === 1;
}

/**
 * SELECT of the records of parcel rows (`from`, a FROM clause), in their order: `values` (the id and the
 * members, as `factsJoiner` expects them), `kind` (the text that `readKind` parses: all that provenance
 * depends on and the member names), and `source_url` (the parcel's page at its source, as JSON text).
 * `originOf` returns SQL for the name of a group's origin, and `number` is SQL for `row_no`. Rows of equal
 * kind have equal provenance. Each step is a subquery of its own, so that each is evaluated once.
 */
export function recordSelect(
  from: string,
  originOf: (group: ProvenanceGroup | "default") => string,
  number = "0",
): string {
  let rows = from;
  for (const [name, sql] of sharedTexts) rows = `(SELECT *, ${sql} AS ${name} FROM ${rows})`;
  const members = recordMembers.map(({json}, at) => `(${json})::VARCHAR AS ${memberColumn(at)}`);
  const made = `(SELECT parcel_uid, source_url, ${number} AS row_no, ${restOfKind(originOf)} AS "~rest", ${members.join(", ")} FROM ${rows})`;
  return `SELECT ${valuesSql} AS "values", ${joined([...maskWords(), '"~rest"'])} AS kind, to_json(source_url)::VARCHAR AS source_url, row_no FROM ${made}`;
}

function memberColumn(at: number): string {
  return `"~m${at}"`;
}

/** Members that often equal the previous one. */
const repeating: ReadonlySet<string> = new Set(["state_parcelIdSTD", "addressRaw"]);

/**
 * A row without a parcel number has no id in a county's reply; it is never shown, but its values are laid out
 * alike.
 */
const valuesSql = `concat_ws(chr(10), coalesce(to_json(parcel_uid)::VARCHAR, 'null'), '', ${recordMembers
  .map(({name}, at) => {
    const [value, before] = [memberColumn(at), memberColumn(at - 1)];
    return repeating.has(name) ? `CASE WHEN ${value} = ${before} THEN '' ELSE ${value} END` : value;
  })
  .join(", ")})`;

/** A bit mask of the record's members, in words. */
function maskWords(): string[] {
  const words: string[] = [];
  for (let first = 0; first < recordMembers.length; first += membersPerWord) {
    const bits = recordMembers
      .slice(first, first + membersPerWord)
      .map((_, bit) => `CASE WHEN ${memberColumn(first + bit)} IS NULL THEN 0 ELSE ${2 ** bit}::BIGINT END`);
    words.push(`(${bits.join(" + ")})::VARCHAR`);
  }
  return words;
}

function restOfKind(originOf: (group: ProvenanceGroup | "default") => string): string {
  const origins = ["default" as const, ...groupNames].map(
    (group) => `coalesce((${originOf(group)})::VARCHAR, '')`,
  );
  return joined([
    `concat_ws(',', ${origins.join(", ")})`,
    "coalesce(point_method, '')",
    "coalesce(acres_basis, '')",
    "CASE WHEN coalesce(land_value, building_value) IS NOT NULL THEN coalesce(value_kind, '') ELSE '' END",
    "CASE WHEN land_use_category IS NOT NULL THEN coalesce(round(land_use_confidence::DOUBLE * 10000)::INTEGER::VARCHAR, '') ELSE '' END",
    `CASE WHEN len(flags) > 0 THEN ${flagsSql} ELSE '' END`,
    "CASE WHEN source_url IS NULL THEN '' ELSE 'u' END",
  ]);
}

/** Joins the parts of a kind; none may be null. */
function joined(parts: readonly string[]): string {
  return `concat_ws('|', ${parts.join(", ")})`;
}

const flagsSql = statedFlags
  .map((flag, at) => `CASE WHEN list_contains(flags, '${flag}') THEN '${at.toString(36)}' ELSE '' END`)
  .join(" || ");
