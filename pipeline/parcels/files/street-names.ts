import {nameBeginning, nearNameKeys} from "../../../lib/parcels/address/edit-distance.ts";
import {ensureTextFunction} from "../../../lib/parcels/conform/functions.ts";
import {streetKeysSql} from "../../../lib/parcels/matching/known-places.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";

/**
 * Gives a SELECT of the keys of near names and of streets (`key`, `row_no`, `form`) of a table of parcels, for the address
 * index of a state: unique keys, each with the first row that has it. Near names are those of the beginnings of names.
 */
export async function streetNameKeysSql(db: Database, table: string): Promise<string> {
  await ensureTextFunction(db, "name_beginning", nameBeginning);
  await ensureTextFunction(db, "near_name_keys", (name) =>
    nearNameKeys(name)
      .map(({key}) => key)
      .join("\n"),
  );
  return `SELECT unnest(string_split(near_name_keys(beginning), chr(10))) AS "key", row_no, 2 AS form FROM (
      SELECT name_beginning(situs_name) AS beginning, min(row_no) AS row_no FROM (
        SELECT situs_name, min(rowid) AS row_no FROM ${table}
        WHERE situs_status = 'numbered' AND NOT regexp_matches(situs_name, '[0-9]') GROUP BY situs_name)
      GROUP BY beginning)
    UNION ALL ${streetKeysSql(table)}`;
}
