import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {findingColumns} from "../../schemas/parcel-columns.ts";
import {groupNames, type ProvenanceGroup} from "../parcels/conform/file-cells.ts";
import {groupKnown, groupOrder, originColumn, sharedOutlineFlags} from "../parcels/dedupe/dedupe-sql.ts";
import type {ProvenanceContext, ProvenanceFacts} from "../parcels/record/provenance.ts";
import {ownBytes, provenanceText} from "../parcels/record/provenance-text.ts";
import {factsJoiner} from "../parcels/record/record-facts.ts";
import {type RecordKind, readKind, recordSelect} from "../parcels/record/record-kind.ts";
import type {StoredRecord} from "../parcels/record/stored-record.ts";
import {type Database, sqlName} from "../sql/duckdb.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";
import {type FindPool, type MergedPool, mergePool} from "./find-pool.ts";
import {provenanceOf} from "./found-parcel.ts";

/** A parcel of which something was found, as the next build will have it. */
export type MergedFind = {
  /** The rows of the build that are this parcel, and its finds by their place in the pool. */
  readonly rows: readonly number[];
  readonly found: readonly number[];
  /** The columns by which lookups find it, and `owner_source`. */
  readonly columns: RowValues;
  readonly record: StoredRecord;
  /** The row of the build that gives the place and thus the outline; null where a find does. */
  readonly placedBy: number | null;
  /** False if every fact is the build's. */
  readonly hasFound: boolean;
};

export type MergeTask = FindPool & Pick<ProvenanceContext, "asOf" | "sources">;

/** A row of the build's tables says something else than its record: one of them is damaged. */
export class ContradictedRow extends Error {}

/**
 * The parcels of a pool of which something was found, made in an empty database. Throws a `ContradictedRow` if the build's table of a row
 * contradicts its record, and whatever DuckDB throws for a file that cannot be read.
 */
export async function mergeFinds(db: Database, task: MergeTask): Promise<MergedFind[]> {
  const pool = await mergePool(db, task);
  await checkRows(db, task);
  await db.run(
    `CREATE TABLE parcel_members AS SELECT county_key, _key, list({file: _file, "row": _row::INTEGER} ORDER BY _file, _row) AS members
       FROM all_rows GROUP BY ALL HAVING bool_or(_file < 0);
     CREATE TABLE shown_rows AS SELECT row_number() OVER (ORDER BY m.county_key, m._key) AS n, members, m.* REPLACE (${shownFlags} AS flags)
       FROM merged m JOIN parcel_members p ON p.county_key = m.county_key AND p._key = m._key`,
  );
  const lists = await db.rows<{members: Member[]} & RowValues>(
    `SELECT members, ${shownColumns.join(", ")} FROM shown_rows ORDER BY n`,
  );
  const texts = await recordsOf(db, "shown_rows", "n");
  const places = placesOf(pool, task.found);
  return lists.map(({members, ...columns}, i) =>
    mergedFind({members, columns, text: texts[i]!}, {pool, places, task}),
  );
}

/**
 * The finds of a pool, by their place, that its rows do not hold: no row is their parcel, or what they say of a group would still win over
 * it. The database must be empty.
 */
export async function lostFinds(db: Database, pool: FindPool): Promise<number[]> {
  const merged = await mergePool(db, pool);
  const held = (group: ProvenanceGroup) => sqlName(`~held ${group}`);
  const best = groupNames.map(
    (group) =>
      `max(${groupOrder(group)}) FILTER (WHERE _file >= 0 AND ${groupKnown(group)}) OVER (PARTITION BY county_key, _key) AS ${held(group)}`,
  );
  const wins = groupNames.map(
    (group) => `(${groupKnown(group)} AND coalesce(${groupOrder(group)} > ${held(group)}, true))`,
  );
  const lost = await db.rows<Member>(
    `SELECT _file AS file, _row::INTEGER AS "row" FROM (
       SELECT *, bool_or(_file >= 0) OVER (PARTITION BY county_key, _key) AS "~there", ${best.join(", ")} FROM all_rows)
     WHERE _file < 0 AND (NOT "~there" OR ${wins.join(" OR ")})`,
  );
  const places = placesOf(merged, pool.found);
  return lost.map(({file, row}) => places.get(`${file} ${row}`)!).sort((a, b) => a - b);
}

type Member = {readonly file: number; readonly row: number};

const groups = ["default" as const, ...groupNames];
const edges = ["xmin", "ymin", "xmax", "ymax"];
const shownColumns = [...new Set([...findingColumns.map(({name}) => sqlName(name)), ...edges])];
const shownFlags = `CASE WHEN list_contains(m.flags, 'shared_outline') THEN ${sharedOutlineFlags} ELSE m.flags END`;

type MadeText = {readonly facts: Uint8Array; readonly kind: RecordKind; readonly sourceUrl: string | null};

/** The records of the rows of a table, in the order of `number`. Each origin is named by its text: file, basis and date. */
async function recordsOf(
  db: Database,
  table: string,
  number: string,
  origin = (group: ProvenanceGroup | "default") => originColumn(group),
): Promise<MadeText[]> {
  const rows = await db.rows<{values: string; kind: string; source_url: string | null}>(
    `SELECT "values", kind, source_url FROM (${recordSelect(sqlName(table), origin, number)}) ORDER BY row_no`,
  );
  return rows.map(({values, kind: text, source_url: sourceUrl}) => {
    const kind = readKind(text);
    const facts = factsJoiner(kind.members.map(({name}) => name))(Buffer.from(values));
    return {facts: ownBytes(facts.toString()), kind, sourceUrl};
  });
}

async function checkRows(db: Database, {rows}: MergeTask): Promise<void> {
  if (rows.length === 0) return;
  const texts = await recordsOf(db, "served_rows", "file_row_number", () => "''");
  const sorted = rows.toSorted((a, b) => a.row - b.row);
  if (texts.length !== sorted.length)
    throw new ContradictedRow(`${sorted.length} rows were asked for, ${texts.length} are in the table`);
  for (const [i, {row, facts}] of sorted.entries())
    if (!Buffer.from(facts).equals(texts[i]!.facts))
      throw new ContradictedRow(`row ${row} of the table contradicts its record`);
}

/** The place of each find in the pool, by file and row. */
function placesOf({found}: MergedPool, pool: readonly DeltaUpsert[]): ReadonlyMap<string, number> {
  const places = new Map(pool.map((record, place) => [record, place]));
  const files = found.flatMap((table) => table.files);
  return new Map(
    files.flatMap(({number, records}) =>
      records.map((record, row): [string, number] => [`${number} ${row}`, places.get(record)!]),
    ),
  );
}

type MadeRow = {readonly members: readonly Member[]; readonly columns: RowValues; readonly text: MadeText};

function mergedFind(
  {members, columns, text: {facts, kind, sourceUrl}}: MadeRow,
  {pool, places, task}: {pool: MergedPool; places: ReadonlyMap<string, number>; task: MergeTask},
): MergedFind {
  const placeOf = ({file, row}: Member) => places.get(`${file} ${row}`)!;
  const finds = members.filter(({file}) => file < 0);
  const factsOf = (file: number): ProvenanceFacts => {
    const known = pool.files.get(file);
    if (known !== undefined) return known;
    return provenanceOf(task.found[placeOf(finds.find((each) => each.file === file)!)]!, "default");
  };
  const originOf = (group: ProvenanceGroup | "default"): ProvenanceFacts => {
    const {file, vintageBasis, vintage} = originIn(kind, group);
    return {...factsOf(file), vintageBasis, vintage};
  };
  const found = finds.map(placeOf);
  const place = originIn(kind, "location").file;
  return {
    rows: [...new Set(members.flatMap(({file, row}) => (file < 0 ? [] : [row])))],
    found,
    columns: {...columns, owner_source: originOf("owner").sourceId},
    record: {
      facts,
      provenance: provenanceText(kind, {originOf, asOf: task.asOf, sources: task.sources}),
      sourceUrl,
      observedAt: found
        .map((each) => task.found[each]!.observedAt)
        .sort()
        .at(-1)!,
    },
    placedBy: place < 0 ? null : members.find(({file}) => file === place)!.row,
    hasFound: groups.some((group) => originIn(kind, group).file < 0),
  };
}

/** The origin of a group's facts in a record. */
function originIn({origins}: RecordKind, group: ProvenanceGroup | "default") {
  const own = origins[groups.indexOf(group)]!;
  const [file = "", vintageBasis = "", date = ""] = (own === "" ? origins[0]! : own).split(" ");
  return {file: Number(file), vintageBasis, vintage: date === "unknown" ? null : date};
}
