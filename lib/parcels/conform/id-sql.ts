import {sqlText} from "../../sql/duckdb.ts";
import {cleanParcelId, notParcelPattern, parcelIdSpellings} from "../parcel-id/parcel-id-spellings.ts";
import {type ConformEntry, namesOf} from "./column-references.ts";
import {memberSeparator, pack, packSql, unpack} from "./packed-text.ts";
import {textSql} from "./transforms.ts";

/**
 * A file shows a shape of parcel numbers only with at least this many rows, and when this share of them has
 * it.
 */
const shownRows = 100;
const sharedBy = 0.99;

/** Parts of a packed answer of `parsedIds`. */
export const idParts = ["reject", "id", "tok", "std", "loose", "alts", "altStds"] as const;

/**
 * Reads parcel numbers in SQL with the same results as `parsedIds`, but without a call per number. It handles
 * plain ASCII numbers without a spreadsheet's exponent; a row with any other number goes to `parsedIds`. A
 * test compares the two.
 */

/** Printable ASCII without double blanks, and without `+`, which occurs in exponents. */
const plainText = "[!-*,-~]+(?: [!-*,-~]+)*";
const longestId = 200;

function cells({ids}: ConformEntry): string[] {
  if ("none" in ids) return [];
  return [ids.raw, ...(ids.alt ?? [])].map((_, i) => `"~id ${i}"`);
}

/**
 * SQL columns over an entry's cells: `~id published`, `~parent` (the parent parcel's number), then the
 * cleaned number `~id 0` and the other ids.
 */
export function idCells({ids}: ConformEntry): string[] {
  if ("none" in ids) return [];
  return [
    `${textSql(ids.raw)} AS "~id published"`,
    `${ids.parent === undefined ? "NULL::VARCHAR" : `null_text(${textSql(ids.parent)})`} AS "~parent"`,
    ...[ids.raw, ...(ids.alt ?? [])].map((spec, i) => `${paddedSql(textSql(spec), ids.pad)} AS "~id ${i}"`),
  ];
}

/** SQL that pads digits with zeros; a longer number stays unchanged. */
function paddedSql(text: string, pad: number | undefined): string {
  if (pad === undefined) return text;
  return `CASE WHEN regexp_full_match(${text}, '\\d+') AND strlen(${text}) < ${pad} THEN lpad(${text}, ${pad}, '0') ELSE ${text} END`;
}

/**
 * SQL columns, over those of `idCells`, that are true for a number equal to its own spellings: only digits
 * and capital letters, or only digits when the source is numeric.
 */
export function bareIds(entry: ConformEntry): string[] {
  if ("none" in entry.ids) return [];
  const pattern = entry.ids.numericSource === true ? "\\d+" : "[A-Z0-9]+";
  return cells(entry).map(
    (cell, i) =>
      `coalesce(strlen(${cell}) <= ${longestId} AND regexp_full_match(${cell}, '${pattern}'), false) AS "~bare ${i}"`,
  );
}

/**
 * SQL columns over those: whether SQL can read all numbers of the row, and their `tok` and `std` spellings.
 */
export function idTokens(entry: ConformEntry): string[] {
  if ("none" in entry.ids) return ['false AS "~plain_ids"'];
  const pattern = entry.ids.numericSource === true ? "\\d+" : plainText;
  const plain = cells(entry).map(
    (cell, i) =>
      `CASE WHEN "~bare ${i}" OR ${cell} IS NULL THEN true ELSE strlen(${cell}) <= ${longestId} AND regexp_full_match(${cell}, '${pattern}') END`,
  );
  const parse = (i: number, cell: string, sql: string) =>
    `CASE WHEN "~bare ${i}" THEN ${cell} ELSE ${sql} END`;
  return [
    `${plain.join(" AND ")} AS "~plain_ids"`,
    ...cells(entry).flatMap((cell, i) => [
      `${parse(i, cell, `id_tok(${cell})`)} AS "~tok ${i}"`,
      `${parse(i, cell, `replace(id_tok(${cell}), '-', '')`)} AS "~std ${i}"`,
    ]),
  ];
}

/**
 * SQL columns over those: the question for `parsedIds` when SQL cannot read the row, the reject reason of a
 * number, and the usable other ids.
 */
export function idQuestion(entry: ConformEntry): string[] {
  if ("none" in entry.ids) return [`NULL::VARCHAR AS "~ids"`];
  // A header line may be repeated between the rows.
  const headers = namesOf(entry.ids.raw).map((name) => name.toUpperCase().replace(/[^A-Z0-9]/g, ""));
  const [own, ...others] = cells(entry).map((cell, i) => {
    const [std, tok] = [`"~std ${i}"`, `"~tok ${i}"`];
    return {
      cell,
      // A digit from 1 to 9 occurs in no null spelling, no run of zeros and no word for something that is not
      // a parcel.
      counts: `regexp_matches(${cell}, '[1-9]')`,
      zeros: `null_text(${cell}) IS NULL OR ltrim(${std}, '0') = ''`,
      word: `(${std} IN (${headers.map(sqlText).join(", ")}) OR regexp_full_match(${tok}, ${sqlText(notParcelPattern)}))`,
    };
  });
  return [
    `CASE WHEN NOT "~plain_ids" THEN ${packSql(['"~id published"', ...cells(entry).slice(1)])} END AS "~ids"`,
    `CASE WHEN ${own!.counts} THEN NULL WHEN ${own!.zeros} THEN 'null_id' WHEN ${own!.word} THEN 'non_parcel' END AS "~id_reject"`,
    ...others.map(
      ({cell, counts, zeros, word}, i) =>
        `CASE WHEN ${counts} OR NOT (${zeros} OR ${word}) THEN ${cell} END AS "~alt ${i + 1}"`,
    ),
  ];
}

/**
 * SQL for a part of the answer over those columns; `asked` is SQL for the same part as `parsedIds` returns
 * it.
 */
export function idAnswer(entry: ConformEntry, part: (typeof idParts)[number], asked: string): string {
  if ("none" in entry.ids) return asked;
  const usable = (sql: string) => `CASE WHEN "~id_reject" IS NULL THEN ${sql} END`;
  const otherPlaces = cells(entry)
    .slice(1)
    .map((_, i) => i + 1);
  const list = (sql: (i: number) => string) => {
    const [only, second] = otherPlaces;
    if (only === undefined) return "[]::VARCHAR[]";
    // A rejected row keeps its other ids.
    const own = (i: number) => `"~alt ${i}" IS DISTINCT FROM CASE WHEN "~id_reject" IS NULL THEN "~id 0" END`;
    const member = (i: number) => `CASE WHEN ${own(i)} THEN ${sql(i)} END`;
    if (second === undefined)
      return `CASE WHEN "~alt ${only}" IS NOT NULL AND ${own(only)} THEN [${sql(only)}] ELSE [] END`;
    return `list_sort(list_distinct(list_filter([${otherPlaces.map(member).join(", ")}], lambda id: id IS NOT NULL)))`;
  };
  const sqlByPart = {
    reject: '"~id_reject"',
    id: `CASE WHEN "~id_reject" IS NULL THEN "~id 0" ELSE "~id published" END`,
    tok: usable('"~tok 0"'),
    std: usable('"~std 0"'),
    loose: usable('id_loose("~tok 0")'),
    alts: list((i) => `"~alt ${i}"`),
    altStds: `CASE WHEN "~id_reject" IS NULL THEN ${list((i) => `CASE WHEN "~alt ${i}" IS NOT NULL THEN "~std ${i}" END`)} ELSE [] END`,
  };
  return `CASE WHEN "~plain_ids" THEN ${sqlByPart[part]} ELSE ${asked} END`;
}

/**
 * Parses the ids of a row: from packed text with the raw id and other ids to packed text with `idParts`
 * (lists as members). Other ids that are unusable or equal to the id are dropped; the rest is sorted and
 * unique.
 */
export function parsedIds(packed: string, options: {numeric: boolean; pad: number | null}): string {
  const [raw = null, ...others] = unpack(packed);
  const cleaned = cleanParcelId(padded(raw, options.pad), options);
  const alts = others.flatMap((other) => {
    const alt = cleanParcelId(padded(other, options.pad), options);
    return "id" in alt ? [alt.id] : [];
  });
  if ("reject" in cleaned) return pack([cleaned.reject, raw, null, null, null, members(alts), null]);
  const {tok, std, loose} = parcelIdSpellings(cleaned.id);
  const own = alts.filter((alt) => alt !== cleaned.id);
  const stds = own.map((alt) => parcelIdSpellings(alt).std).filter((parse) => parse !== "");
  return pack([null, cleaned.id, tok, std, loose, members(own), members(stds)]);
}

function padded(id: string | null, pad: number | null): string | null {
  return id !== null && pad !== null && /^\d+$/.test(id) ? id.padStart(pad, "0") : id;
}

function members(values: readonly string[]): string {
  return [...new Set(values)].sort().join(memberSeparator);
}

/**
 * SQL for the shape of a parcel number: runs of digits become `9`, runs of letters `A`, and the rest stays.
 */
export function idShape({ids}: Pick<ConformEntry, "ids">, table?: string): string {
  if ("none" in ids) return "NULL::VARCHAR";
  const cell = `${table === undefined ? "" : `${table}.`}"~id 0"`;
  return `regexp_replace(regexp_replace(${cell}, '[0-9]+', '9', 'g'), '[A-Za-z]+', 'A', 'g')`;
}

/**
 * SELECT of the files whose parcel numbers nearly all have one shape, with that shape; files with few rows are left out, and so are all
 * without the relation `mapped`.
 */
export function shapesSql(entry: Pick<ConformEntry, "ids">, mapped: string | null): string {
  if (mapped === null) return "SELECT NULL::INTEGER AS file, NULL::VARCHAR AS shape WHERE false";
  return `SELECT file, shape FROM (
       SELECT "~file" AS file, ${idShape(entry)} AS shape, count(*) AS n FROM ${mapped} WHERE "~id 0" IS NOT NULL GROUP BY ALL)
     QUALIFY n >= ${sharedBy} * sum(n) OVER (PARTITION BY file) AND sum(n) OVER (PARTITION BY file) >= ${shownRows}`;
}
