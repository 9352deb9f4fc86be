import {type Database, sqlName} from "../../sql/duckdb.ts";
import {cleanParcelId, parcelIdForms} from "../parcel-id/parcel-id-forms.ts";
import {memberSeparator, pack, unpack} from "./packed-text.ts";
import type {ConformEntry} from "./references.ts";

/** Least number of rows of a file that show a shape, and the share of them that has to have it. */
const shownRows = 100;
const sharedBy = 0.99;

/** Parts of a packed answer of `idForms`. */
export const idParts = ["reject", "id", "tok", "std", "loose", "alts", "altStds"] as const;

/**
 * Reads the ids of a row: from a packed text of raw id and other ids it gives a packed text of `idParts` (lists as
 * members). Other ids that are unusable or equal to the id are left out; the rest is sorted and unique.
 */
export function idForms(packed: string, options: {numeric: boolean; pad: number | null}): string {
  const [raw = null, ...others] = unpack(packed);
  const cleaned = cleanParcelId(padded(raw, options.pad), options);
  const alts = others.flatMap((other) => {
    const alt = cleanParcelId(padded(other, options.pad), options);
    return "id" in alt ? [alt.id] : [];
  });
  if ("reject" in cleaned) return pack([cleaned.reject, raw, null, null, null, members(alts), null]);
  const {tok, std, loose} = parcelIdForms(cleaned.id);
  const own = alts.filter((alt) => alt !== cleaned.id);
  const stds = own.map((alt) => parcelIdForms(alt).std).filter((form) => form !== "");
  return pack([null, cleaned.id, tok, std, loose, members(own), members(stds)]);
}

function padded(id: string | null, pad: number | null): string | null {
  return id !== null && pad !== null && /^\d+$/.test(id) ? id.padStart(pad, "0") : id;
}

function members(values: readonly string[]): string {
  return [...new Set(values)].sort().join(memberSeparator);
}

/** Gives SQL of the shape of a row's parcel number: runs of digits as `9`, of letters as `A`, and the rest as it is. */
export function idShape({ids}: Pick<ConformEntry, "ids">, table?: string): string {
  if ("none" in ids) return "NULL::VARCHAR";
  const cell = `${table === undefined ? "" : `${table}.`}"~id 0"`;
  return `regexp_replace(regexp_replace(${cell}, '[0-9]+', '9', 'g'), '[A-Za-z]+', 'A', 'g')`;
}

/**
 * Makes table `<prefix>shape` of the files of which nearly all parcel numbers have one shape. A file of few rows has none, and
 * neither has any where `isAsked` is false: the reply of a county is too short for it.
 */
export async function makeShapes(
  db: Database,
  entry: Pick<ConformEntry, "ids">,
  {prefix, isAsked}: {prefix: string; isAsked: boolean},
): Promise<void> {
  const table = sqlName(`${prefix}shape`);
  await db.run(`CREATE TABLE ${table} (file INTEGER, shape VARCHAR)`);
  if (!isAsked || "none" in entry.ids) return;
  await db.run(
    `INSERT INTO ${table} SELECT file, shape FROM (
       SELECT "~file" AS file, ${idShape(entry)} AS shape, count(*) AS n FROM ${sqlName(`${prefix}mapped`)} WHERE "~id 0" IS NOT NULL GROUP BY ALL)
     QUALIFY n >= ${sharedBy} * sum(n) OVER (PARTITION BY file) AND sum(n) OVER (PARTITION BY file) >= ${shownRows}`,
  );
}
