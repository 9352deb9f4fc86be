import {type AnyModel, type Columns, model} from "../../models/model.ts";
import {sqlText} from "../../sql/duckdb.ts";
import type {MeetingModels, NumberedSource} from "./same-parcel-sql.ts";

/**
 * Model `aliases` (`county_key`, `_key`, `same_as`, `by_form`) of meetings: numbers of one parcel share the least of them as key. A chain
 * over several sources that would unite two numbers of one source is left alone.
 */
export function aliasModel(sources: readonly NumberedSource[], {numbers, meetings}: MeetingModels): AnyModel {
  const made = (name: string, reads: readonly AnyModel[], columns: Columns, sql: string) =>
    model({name, reads, columns, materialise: "table", sql: () => sql});
  const links = made(
    "links",
    [meetings],
    {VARCHAR: "county_key _key peer", BOOLEAN: "by_form"},
    `SELECT county_key, key AS _key, other_key AS peer, step = 'form' AS by_form FROM ${meetings.name}
      UNION SELECT county_key, other_key, key, step = 'form' FROM ${meetings.name}`,
  );
  let linked = made(
    "linked_keys",
    [links],
    aliasColumns,
    "SELECT county_key, _key, least(_key, min(peer)) AS same_as, bool_or(by_form) AS by_form FROM links GROUP BY county_key, _key",
  );
  // A chain has at most one link fewer than there are sources.
  for (let link = 2; link < sources.length; link++) {
    const {name} = linked;
    linked = made(
      `linked_keys_${link}`,
      [links, linked],
      aliasColumns,
      `SELECT k.* REPLACE (least(k.same_as, m.least) AS same_as) FROM ${name} k LEFT JOIN (
         SELECT l.county_key, l._key, min(a.same_as) AS least FROM links l
         JOIN ${name} a ON a.county_key = l.county_key AND a._key = l.peer GROUP BY ALL) m
       ON m.county_key = k.county_key AND m._key = k._key`,
    );
  }
  const isFile = sources.filter(({isFound}) => !isFound).map(({source}) => sqlText(source));
  return made(
    "aliases",
    [linked, numbers],
    aliasColumns,
    `SELECT a.* REPLACE (bool_or(by_form) OVER (PARTITION BY county_key, same_as) AS by_form) FROM ${linked.name} a ANTI JOIN (
       SELECT k.county_key, k.same_as FROM ${linked.name} k JOIN ${numbers.name} n ON n.county_key = k.county_key AND n.tok = k._key
       WHERE n.source IN (${["''", ...isFile].join(", ")}) GROUP BY k.county_key, k.same_as, n.source HAVING count(*) > 1) c
     ON c.county_key = a.county_key AND c.same_as = a.same_as`,
  );
}

const aliasColumns = {VARCHAR: "county_key _key same_as", BOOLEAN: "by_form"};
