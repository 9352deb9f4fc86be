import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {StagedFile} from "./stage-entry.ts";

/** Fewer parcels do not show what a file is. */
const judgedParcels = 20;

/**
 * Warns of files of an entry that look like two editions of one (`docs/design/parcels.md` section 3): neither is marked complete, and half
 * of the later one's numbers are in the earlier one, but for zeros in front. Parcels that only the earlier one has stay served; where it has
 * none, as the same parcels in another format, nothing is said. Returns a sentence by the number of the later file.
 */
export async function twoEditions(
  db: Database,
  {id, table, files}: {id: string; table: string; files: readonly StagedFile[]},
): Promise<Map<number, string>> {
  const open = files
    .filter(({role, file}) => role === "main" && file.meta?.complete !== true)
    .toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
  if (open.length < 2) return new Map();
  const order = open.map(({number}, at) => `(${number}, ${at})`);
  const pairs = await db.rows<{later: number; earlier: number; common: bigint; parcels: bigint}>(
    `WITH ages(file, age) AS (VALUES ${order.join(", ")}),
       filed AS (SELECT age, county_key, parcel_id_std FROM ${sqlName(table)} t JOIN ages ON file = t._file WHERE _reject IS NULL AND parcel_id_std IS NOT NULL),
       shared AS (SELECT county_key FROM filed GROUP BY county_key HAVING count(DISTINCT age) > 1),
       numbers AS (SELECT DISTINCT age, county_key, ltrim(parcel_id_std, '0') AS number FROM filed WHERE county_key IN (FROM shared)),
       common AS (SELECT l.age AS later, e.age AS earlier, count(*) AS common FROM numbers l
         JOIN numbers e ON e.county_key = l.county_key AND e.number = l.number AND e.age < l.age GROUP BY ALL),
       sizes AS (SELECT age, count(*) AS parcels FROM numbers GROUP BY age)
     SELECT later, min(earlier) AS earlier, arg_min(common, earlier) AS common, any_value(l.parcels) AS parcels FROM common
       JOIN sizes l ON l.age = later JOIN sizes e ON e.age = earlier
     WHERE common * 2 >= l.parcels AND l.parcels >= ${judgedParcels} AND e.parcels > common GROUP BY later`,
  );
  return new Map(
    pairs.map(({later, earlier, common, parcels}) => [
      open[later]!.number,
      `two_editions: ${common} of ${parcels} parcels are also in ${open[earlier]!.file.path}, and neither file of ${id} is marked complete; parcels that only the older one has stay served. Where this file holds all parcels, add it with --replace.`,
    ]),
  );
}

function age({file, number}: StagedFile): string {
  return `${file.retrievedAt} ${String(number).padStart(9, "0")}`;
}
