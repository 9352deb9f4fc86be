import {readFileSync} from "node:fs";
import {mkdir, mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, it} from "vitest";
import {resolutionOf, sameEventHead} from "../../../../lib/market/contradictions.ts";
import {packageRoot} from "../../../../lib/paths.ts";
import {sqlText} from "../../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../../lib/storage/build-layout.ts";
import type {BarnFigures} from "../../../../pipeline/market/answers/barn-figures.ts";
import {barns} from "../../../../pipeline/market/answers/barn-records.ts";
import {previousDir} from "../../../../pipeline/market/answers/previous-build.ts";
import {
  event_pairs,
  price_pairs,
  readSecondSources,
} from "../../../../pipeline/market/answers/second-sources.ts";
import {venue_status_history} from "../../../../pipeline/market/answers/status-history.ts";
import {venueContradictions} from "../../../../pipeline/market/answers/venue-contradictions.ts";
import {venueAsOf} from "../../../../pipeline/market/answers/venue-status.ts";
import {marsAnswer, marsRow, metaFetched, withReading} from "../raw-folder.ts";
import {answersOf, venueSaid} from "./answer-build.ts";
import {marketOf, runOf} from "./workshop.ts";

const witness = {source: "mars", ref: "a", status: "unknown", published: null};
const asOf = "2026-11-21";

it("publishes the final issue, else the later, else the market-news service, else says unresolved", () => {
  const other = {...witness, source: "ams-lmr-datamart"};
  expect(resolutionOf({...witness, status: "final"}, {...other, status: "preliminary"})).toBe(
    "final issue published",
  );
  expect(resolutionOf({...witness, published: "2026-08-22"}, {...other, published: "2026-08-21"})).toBe(
    "later issue published",
  );
  expect(resolutionOf(witness, other)).toBe("primary feed published");
  expect(resolutionOf(other, witness)).toBe("unresolved");
});

it("lets two sources of one sale agree within five head or five percent", () => {
  const told = (receipts: number) => ({...witness, receipts, head: null});
  const head = (a: number, b: number) => sameEventHead({a: told(a), b: told(b)});
  expect([head(40, 45), head(1000, 1050)]).toEqual([[], []]);
  expect([head(40, 46)[0]!.difference, head(1000, 1051)[0]!.tolerance]).toEqual([6, 50]);
});

it("reads a sale once from its printed and its served report, and says where they differ", async () => {
  const printed = readFileSync(
    join(packageRoot, "test/cases/printed-reports/well-laid-report/in/ams_9101_2026-09-15.txt"),
  );
  const served = marsRow({avg_price: 361, receipts: 1000, published_date: "09/16/2026 09:00:00"});
  // The served report needs as many rows and head as the printed one to replace it.
  const others = Array.from({length: 14}, (_, at) =>
    marsRow({class: "Bulls", avg_weight: 755 + at, receipts: 1000, published_date: "09/16/2026 09:00:00"}),
  );
  const files = {
    "mars/a.json": marsAnswer([served, ...others]),
    "mars/a.json.meta.json": metaFetched("2026-09-16T20:00:00Z"),
    "ams-text/ams_9101_2026-09-15.txt": printed,
    "ams-text/ams_9101_2026-09-15.txt.meta.json": metaFetched("2026-09-15T20:00:00Z"),
  };
  await withReading({files, asOf: "2026-09-20"}, async ({db, run}) => {
    const sales = await db.rows<{venue_id: string; receipts: number}>(
      "SELECT venue_id, receipts FROM sale_events",
    );
    expect(sales.map(({receipts}) => receipts)).toEqual([1000]);
    const venue = sales[0]!.venue_id;
    await run.make(price_pairs, event_pairs);
    const seconds = await readSecondSources(run);
    const cell = {cell_id: "feeder-steers-ml1-0750-0799-cwt", commodity: "feeder_cattle"};
    const found = seconds.of(venue, "2026-09-15", cell)!;
    expect(
      found.map(({kind, field, difference, resolution}) => [kind, field, difference, resolution]),
    ).toEqual([
      ["same_cell_price", "price_avg", -5.11, "final issue published"],
      ["same_event_head", "receipts", -100, "final issue published"],
    ]);
    expect(seconds.of(venue, "2026-09-14", cell)).toBeNull();
    // Feeders that differ say nothing of the cows, which one source alone has.
    expect(seconds.of(venue, "2026-09-15", {cell_id: "other", commodity: "slaughter_cattle"})).toBeNull();
  });
});

it("ignores statements and checks made after the as-of date", () => {
  const venue = venueSaid({
    venueId: "ks-dodge",
    statements: [
      {status: "closed", date: "2026-11-20", by: "the owner", source: "editorial-market-reference-sources"},
    ],
    schedule: {rules: [], exceptions: [], text: null, verifiedAt: "2026-11-20", verifiedBy: "the venue"},
  });
  expect(venueAsOf(venue, "2026-11-20")).toEqual(venue);
  expect(venueAsOf(venue, "2026-11-19")).toMatchObject({
    statements: [],
    schedule: {verifiedAt: null, verifiedBy: null},
  });
});

it("never dates a venue's last check after the build's day", async () => {
  const venues = [venueSaid({venueId: "ks-dodge"})];
  const later = await answersOf([], venues, {date: asOf});
  expect(later.answers.barns[0]!.directory.last_verified_at).toBe("2026-11-01T00:00:00Z");
  const earlier = await answersOf([], venues, {date: "2026-08-23"});
  expect(earlier.answers.barns[0]!.directory.last_verified_at).toBeNull();
  expect(earlier.answers.evidence.some(({claim}) => claim.includes("last checked"))).toBe(false);
});

it("extends a venue's status history only if its status changes, and never rewrites a period", async () => {
  const dir = await mkdtemp(join(tmpdir(), "status-history-"));
  const file = join(dir, tablePath("venue_status_history"));
  await mkdir(dirname(file), {recursive: true});
  const nights = [
    ["2026-11-21", "active", null, ["active", null]],
    ["2026-11-22", "active", "2026-11-20", null],
    ["2026-11-23", "closed", "2026-10-01", ["closed", "2026-10-01"]],
    ["2026-11-24", "unverified", null, ["unverified", "2026-11-24"]],
    ["2026-11-25", "closed", "2026-10-01", ["closed", "2026-11-25"]],
  ] as const;
  for (const [at, [date, status, since]] of nights.entries()) {
    const db = await marketOf([]);
    const run = runOf(db, date);
    await run.giveSql(
      barns,
      `SELECT 'ks-dodge' AS venue_id,
      '${status}' AS status, 'statement' AS status_reason, ${since === null ? "NULL" : sqlText(since)}::DATE AS status_since`,
    );
    await run.give(previousDir, at === 0 ? null : dir).make(venue_status_history);
    const rows = await db.rows<{status: string; day: string | null}>(
      "SELECT status, from_date::VARCHAR AS day FROM venue_status_history ORDER BY from_date NULLS FIRST",
    );
    const periods = nights.slice(0, at + 1).flatMap(([, , , period]) => (period === null ? [] : [period]));
    expect(rows.map((row) => [row.status, row.day])).toEqual(periods);
    await db.run(`COPY venue_status_history TO ${sqlText(file)}`);
  }
  await rm(dir, {recursive: true});
});

it("reports sources that disagree on a venue's status, and a sale after its closing", () => {
  const said = (status: "open" | "closed", date: string, source: string) => ({
    status,
    date,
    by: "a page",
    source,
  });
  const venue = (...statements: ReturnType<typeof said>[]) => venueSaid({venueId: "ks-dodge", statements});
  const closed = said("closed", "2026-10-01", "state-agriculture-reference-pages");
  const none = new Map();
  expect(venueContradictions(venue(), undefined, none)).toBeNull();
  expect(venueContradictions(venue(), undefined, new Map([["ks-dodge", []]]))).toEqual([]);
  const open = said("open", "2026-11-01", "editorial-market-reference-sources");
  const both = venueContradictions(venue(closed, open), undefined, none)!;
  expect(both.map(({kind, a, resolution}) => [kind, a.value, resolution])).toEqual([
    ["status_conflict", "open on 2026-11-01", "later statement published"],
  ]);
  const figures = {
    last_sale: "2026-11-10",
    source_ids: ["mars"],
    issue_ids: ["ams-1@2026-11-10"],
  } as BarnFigures;
  expect(venueContradictions(venue(closed), figures, none)!.map(({b}) => b.value)).toEqual([
    "sale of 2026-11-10",
  ]);
  expect(venueContradictions(venue(closed), {...figures, last_sale: "2026-09-29"}, none)).toEqual([]);
});
