import {type Database, sqlText} from "../../sql/duckdb.ts";

/** How many parcel numbers of two sources of a county meet. */
export type SourceMeeting = {
  readonly county: string;
  readonly sources: readonly [one: string, other: string];
  /** Numbers of the side that has fewer. */
  readonly numbers: number;
  /** Numbers that are equal, or listed among the other's ids. */
  readonly equal: number;
  /** Numbers that are alike without separators or zeros. */
  readonly byForm: number;
  /** Up to two numbers of each side that meet none; filled where fewer than half meet. */
  readonly unmet: readonly [one: readonly string[], other: readonly string[]];
};

type Counts = {county: string; one: string; other: string; numbers: bigint; equal: bigint; by_form: bigint};

/** Counts the meetings of each pair of sources, from the models `numbers` and `meetings`. */
export async function countMeetings(db: Database): Promise<SourceMeeting[]> {
  const rows = await db.rows<Counts>(`
    WITH counts AS (SELECT county_key, source, count(*) AS n FROM numbers GROUP BY ALL),
      same AS (
        SELECT a.county_key, a.source AS one, b.source AS other, count(*) AS n FROM numbers a
        JOIN numbers b ON b.county_key = a.county_key AND b.tok = a.tok AND b.source > a.source GROUP BY ALL),
      alike AS (
        SELECT county_key, one, other, count(*) FILTER (step = 'alt') AS listed, count(*) FILTER (step = 'form') AS by_form
        FROM meetings GROUP BY ALL)
    SELECT a.county_key AS county, a.source AS one, b.source AS other, least(a.n, b.n) AS numbers,
      least(least(a.n, b.n), coalesce(s.n, 0) + coalesce(m.listed, 0)) AS equal, coalesce(m.by_form, 0) AS by_form
    FROM counts a JOIN counts b ON b.county_key = a.county_key AND b.source > a.source
      LEFT JOIN same s ON s.county_key = a.county_key AND s.one = a.source AND s.other = b.source
      LEFT JOIN alike m ON m.county_key = a.county_key AND m.one = a.source AND m.other = b.source
    ORDER BY county, one, other`);
  const meetings: SourceMeeting[] = [];
  for (const {county, one, other, ...counts} of rows) {
    const [numbers, equal, byForm] = [counts.numbers, counts.equal, counts.by_form].map(Number) as [
      number,
      number,
      number,
    ];
    const pair = {county, one, other};
    const unmet: SourceMeeting["unmet"] =
      2 * (equal + byForm) < numbers
        ? [await unmetOf(db, pair, "one"), await unmetOf(db, pair, "other")]
        : [[], []];
    meetings.push({county, sources: [one, other], numbers, equal, byForm, unmet});
  }
  return meetings;
}

async function unmetOf(
  db: Database,
  pair: {county: string; one: string; other: string},
  side: "one" | "other",
): Promise<string[]> {
  const [own, others] = [pair[side], pair[side === "one" ? "other" : "one"]];
  const key = side === "one" ? "key" : "other_key";
  const rows = await db.rows<{tok: string}>(
    `SELECT tok FROM numbers n WHERE source = ${sqlText(own)} AND county_key = ${sqlText(pair.county)}
       AND NOT EXISTS (SELECT 1 FROM numbers o WHERE o.source = ${sqlText(others)} AND o.county_key = n.county_key AND o.tok = n.tok)
       AND NOT EXISTS (SELECT 1 FROM meetings m WHERE m.county_key = n.county_key AND m.one = ${sqlText(pair.one)} AND m.other = ${sqlText(pair.other)} AND m.${key} = n.tok)
     ORDER BY tok LIMIT 2`,
  );
  return rows.map(({tok}) => tok);
}
