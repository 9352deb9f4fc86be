import {ageOf, type Named, pooled, roundedChanges, type Served, scoreOf} from "./figures.ts";
import {besides, changes, changesOf, isFew, isThin, type Pair, type Pool, pool} from "./pools.ts";
import {cellOf, type Published} from "./published.ts";

/** Members of a state's record: those of its summary, else the roll-up of one week of its venues. */
export async function expectedState(published: Published, served: Served): Promise<Named> {
  const {record} = served;
  const state = `state = '${record["state"]}'`;
  const [known] = await published.db.rows<{n: number}>(
    `SELECT count(*)::INTEGER AS n FROM barns WHERE ${state} AND status <> 'closed'`,
  );
  const summary = await summaryOf(published, record);
  if (summary !== null && !(await isOutranked(published, record, summary)))
    return {...(await expectedSummary(published, served, summary)), venues_known: known!.n};
  const found = await weekPool(published, record);
  const venues = found.venues.length;
  return {
    price_basis: "derived_rollup",
    ...pooled(found, record, published.asOf),
    ...(await besides(published, record, found.where)),
    ...(await weekChanges(published, record, found)),
    ...scoreOf(served, {
      recency: found.recency,
      head: found.head!,
      coverage: venues >= 5 ? 0.9 : venues >= 2 ? 0.7 : 0.4,
    }),
    first_sale_date: found.first,
    week_begin_date: daysAfter(found.saturday, -6),
    week_end_date: found.saturday,
    venues_reporting: venues,
    venues_known: Math.max(known!.n, venues),
    window_days: found.widened ? 28 : 7,
    window_widened: found.widened,
    ...(await weekReceipts(published, record, found.saturday)),
  };
}

/** Receipts of the venues of a week that state them, and of all of them where all do. */
async function weekReceipts({db}: Published, record: Named, saturday: string): Promise<Named> {
  const [row] = await db.rows<Named>(
    `SELECT sum(receipts)::INTEGER AS receipts_known, CASE WHEN count(*) = count(receipts) THEN receipts_known END AS receipts
    FROM sale_events WHERE issue_id IN (SELECT issue_id FROM r WHERE ${inWeek(String(record["state"]), saturday)})`,
  );
  return row!;
}

/** True where the summary ended 8 days before, and a newer week of venues is not thin; 3 venues or 500 head of the commodity sold since. */
async function isOutranked(published: Published, record: Named, {date}: Summary): Promise<boolean> {
  if (ageOf(date, published.asOf) < 8) return false;
  const newer = `state = '${record["state"]}' AND report_program = 'voluntary' AND report_scope = 'venue' AND age >= 0 AND report_end_date > DATE '${date}'`;
  const [sold] = await published.db.rows<{venues: number; head: number}>(
    `SELECT count(DISTINCT venue_id)::INTEGER AS venues, coalesce(sum(h), 0)::INTEGER AS head FROM r
    WHERE ${newer} AND commodity = $commodity AND usable AND NOT outlier`,
    {commodity: record["commodity"] as string},
  );
  if (sold!.venues < 3 && sold!.head < 500) return false;
  const week = await pool(published, record, newer);
  if (week.head === null) return false;
  const found = await weekPool(published, record);
  return found.saturday > date && !isThin(record, found.head);
}

const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const saturdayOf = (date: string) => daysAfter(date, 6 - new Date(date).getUTCDay());

type Week = Pool & {saturday: string; where: string; widened: boolean};

/** Rows of venues of a state in the seven days to a Saturday. */
const inWeek = (state: string, saturday: string) =>
  `state = '${state}' AND report_program = 'voluntary' AND report_scope = 'venue'
    AND report_end_date BETWEEN DATE '${saturday}' - 6 AND DATE '${saturday}'`;

/** The pool of the state's week, or of the newest earlier one with a sale of the cell. */
async function weekPool(published: Published, record: Named): Promise<Week> {
  const state = String(record["state"]);
  const sold = await published.db.rows<{venue: string; day: string}>(
    `SELECT DISTINCT venue_id AS venue, report_end_date::VARCHAR AS day FROM r
    WHERE report_scope = 'venue' AND report_program = 'voluntary' AND state = $state AND age >= 0`,
    {state},
  );
  const weeks = Map.groupBy(sold, ({day}) => saturdayOf(day));
  const venuesIn = (saturday: string) => new Set((weeks.get(saturday) ?? []).map(({venue}) => venue));
  const newest = [...weeks.keys()].sort().at(-1)!;
  const before = daysAfter(newest, -7);
  const whole =
    newest < published.asOf || [...venuesIn(before)].every((venue) => venuesIn(newest).has(venue));
  const week = whole ? newest : before;
  const age = Math.min(...weeks.get(week)!.map(({day}) => ageOf(day, published.asOf)));
  for (let saturday = week; ; saturday = daysAfter(saturday, -7)) {
    const where = inWeek(state, saturday);
    const found = await pool(published, record, where);
    if (found.head !== null) return {...found, saturday, where, widened: saturday !== week || age > 14};
    if (daysAfter(saturday, 35) < published.asOf)
      throw new Error(`${record["evidence_id"]}: no sale in five weeks`);
  }
}

/** The change against the state's own week before, and against that of a year before: 52 weeks, or else one week less or more. */
async function weekChanges(published: Published, record: Named, now: Week): Promise<Named> {
  const pairOf = async (weeksBack: readonly number[]): Promise<Pair> => {
    const sold: (Pool & {saturday: string})[] = [];
    for (const back of weeksBack) {
      const saturday = daysAfter(now.saturday, -7 * back);
      const found = await pool(published, record, inWeek(String(record["state"]), saturday));
      if (found.head !== null) sold.push({...found, saturday});
    }
    const before = sold.find((week) => !isFew(record, week)) ?? sold[0];
    const counts = before !== undefined && !isFew(record, now) && !isFew(record, before);
    return {now: saleOf(now), before: before && saleOf(before), counts};
  };
  return roundedChanges(changesOf({week: [await pairOf([1])], year: [await pairOf([52, 53, 51])]}));
}

/** A week of a state as one sale; one market, so that its weight is no matter. */
const saleOf = ({saturday, price, head, pens}: Pool & {saturday: string}) => ({
  ...{date: saturday, price: price!, weight: 1, head: head!, pens},
});

type Summary = {issue: string; slug: string; date: string};

async function summaryOf({db}: Published, record: Named): Promise<Summary | null> {
  const [row] = await db.rows<Summary>(
    `SELECT issue_id AS issue, report_slug AS slug, report_end_date::VARCHAR AS date FROM r
    WHERE report_scope = 'state_summary' AND age BETWEEN 0 AND 14 AND state = $state AND cell = $cell AND usable
    ORDER BY report_end_date DESC, report_slug LIMIT 1`,
    {state: record["state"] as string, cell: cellOf(record)},
  );
  return row ?? null;
}

async function expectedSummary(
  published: Published,
  served: Served,
  {issue, slug, date}: Summary,
): Promise<Named> {
  const {record} = served;
  const where = `issue_id = '${issue}'`;
  const found = await pool(published, record, where);
  const [receipts] = await published.db.rows<Named>(
    "SELECT receipts, receipts AS receipts_known, receipts_prior, receipts_year_ago FROM summary_events WHERE issue_id = $issue",
    {issue},
  );
  return {
    price_basis: "official_state_summary",
    ...pooled(found, record, published.asOf),
    ...(await besides(published, record, where)),
    ...roundedChanges(await changes(published, record, [{column: "report_slug", id: slug, date}])),
    ...scoreOf(served, {recency: found.recency, head: found.head!, coverage: 1}),
    ...receipts,
    first_sale_date: found.begin,
    window_days: null,
    venues_reporting: null,
  };
}
