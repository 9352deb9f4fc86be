import {join} from "node:path";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {type ArrowColumn, writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";
import {marketServing, type ServedFile} from "../../../schemas/market-serving.ts";
import type {Indicator} from "../../../schemas/market-summary.ts";
import type {ColumnKind} from "../../../schemas/vocabulary/described-file.ts";

export type Row = Record<string, string | number | boolean | null>;

/** Writes the serving files of a small invented market: two counties of Oklahoma, one of Kansas, three venues. */
export async function writeMarketFixture(folder: string): Promise<void> {
  const db = await openDatabase({memoryLimit: "200MB", threads: 1});
  try {
    for (const [name, rows] of Object.entries(tables())) {
      const columns = marketServing[name as ServedFile].columns.map(servedColumn);
      await writeTable(db, join(folder, `${name}.arrow`), {columns, rows});
    }
  } finally {
    db.close();
  }
}

/** A column of a build's file, null where a row of the fixture says nothing. Lists are stored as texts with an item a line. */
export function servedColumn({name, kind}: {name: string; kind: ColumnKind}): ArrowColumn {
  return {name, kind: kind === "list" ? "text" : kind, nullable: true};
}

async function writeTable(
  db: Awaited<ReturnType<typeof openDatabase>>,
  path: string,
  {columns, rows}: {columns: readonly ArrowColumn[]; rows: readonly Row[]},
): Promise<void> {
  const types = columns.map(({name, kind}) => `"${name}" ${sqlType(kind)}`);
  await db.run(`CREATE OR REPLACE TABLE fixture (row_no INTEGER, ${types.join(", ")})`);
  for (const [index, row] of rows.entries()) {
    const values = Object.fromEntries(columns.map(({name}, at) => [`v${at}`, row[name] ?? null]));
    const marks = columns.map(({kind}, at) => `$v${at}::${sqlType(kind)}`);
    await db.run(`INSERT INTO fixture VALUES (${index}, ${marks.join(", ")})`, values);
  }
  await writeArrowFile(db, {table: "fixture", orderColumn: "row_no", columns, path});
}

function sqlType(kind: ArrowColumn["kind"]): string {
  const types: Partial<Record<ArrowColumn["kind"], string>> = {
    bool: "BOOLEAN",
    float64: "DOUBLE",
    int32: "INTEGER",
    int16: "SMALLINT",
    date: "DATE",
  };
  return types[kind] ?? "VARCHAR";
}

function tables(): Record<ServedFile, Row[]> {
  return {
    county_prices: [
      countyRow("OK", "40017", "Canadian County", {lat: 35.5, lon: -98}),
      countyRow("OK", "40027", "Cleveland County", {
        lat: 35.2,
        lon: -97.3,
        cell: "feeder-heifers-ml1-0500-0549-cwt",
      }),
      countyRow("OK", "40027", "Cleveland County", {
        lat: 35.2,
        lon: -97.3,
        headline: false,
        cell: "slaughter-x",
        importance: 2,
      }),
      countyRow("KS", "20057", "Ford County", {lat: 37.7, lon: -99.9}),
      countyRow("OK", "40109", "Oklahoma County", {lat: 35.5, lon: -97.4, observed: false}),
    ],
    state_prices: [
      stateRow("OK", "b", {headline: false, importance: 2}),
      stateRow("OK", "a", {headline: true, importance: 1}),
      stateRow("KS", "a", {headline: true, importance: 1, slug: "ams-1"}),
    ],
    price_history: [
      {
        key: "40017|feeder-steers-ml1-0500-0549-cwt",
        // The last week is behind the record's last sale.
        weeks: weeksOf("2026-10-31", "2026-11-14", "2026-11-21", "2026-11-28"),
      },
      {key: "KS|a|ams-1", weeks: weeksOf("2026-11-13", "2026-11-20")},
    ],
    sources: ["ams-lmr-datamart", "derived-aggregates", "diesel"].map((id) => ({
      id,
      entry: JSON.stringify({id, name: id, type: "signal", role: "made up", citationBoundary: "Nothing."}),
    })),
    latest_prices: [
      latestRow("OK", "ok-el-reno", {date: "2026-11-18", ordinal: 1, lat: 35.53, lon: -97.95}),
      latestRow("OK", "ok-el-reno", {
        date: "2026-11-18",
        ordinal: 2,
        lat: 35.53,
        lon: -97.95,
        headline: false,
      }),
      latestRow("KS", "ks-dodge", {date: "2026-11-19", ordinal: 1, lat: 37.75, lon: -100.02}),
      latestRow("OK", "ok-unlocated", {date: "2026-11-17", ordinal: 1, lat: null, lon: null}),
      tradeRow("direct", "Southeast (AL/FL)", {date: "2026-11-20", ordinal: 1}),
      tradeRow("video_internet", "North Central (IA, NE)", {date: "2026-11-19", ordinal: 2}),
    ],
    mandatory_prices: [],
    past_sales: [],
    past_cells: [],
    past_rows: [],
    sale_pens: [salePens("ok-el-reno", "2026-11-18"), salePens("ok-norman", "2026-11-19")],
    indicators: ["US", "OK"].map((area) => ({
      area,
      evidence_id: area === "OK" ? "e-ok" : null,
      record: JSON.stringify(indicator(area, area === "OK" ? 400 : null)),
    })),
    barns: [
      barnRow("OK", "40017", "Canadian County", {
        id: "ok-el-reno",
        status: "active",
        lat: 35.53,
        lon: -97.95,
      }),
      barnRow("OK", "40027", "Cleveland County", {
        id: "ok-norman",
        status: "unverified",
        lat: 35.22,
        lon: -97.44,
      }),
      barnRow("KS", "20057", "Ford County", {id: "ks-dodge", status: "closed", lat: 37.75, lon: -100.02}),
    ],
    dealers: [{state: "OK", evidence_id: "e-ok", record: record({state: "OK", total_entities: 214}, "e-ok")}],
    evidence: [evidenceRow("e-ks", "2026-11-19"), evidenceRow("e-ok", "2026-11-18")],
    last_known: [
      {endpoint: "barns", area: "", source_date: "2026-11-18"},
      {endpoint: "latest-prices", area: "", source_date: "2026-11-19"},
      {endpoint: "price-by-state", area: "WY", source_date: "2026-08-01"},
    ],
    zips: [
      {zip: "10001", county_fips: "36061", lat: 40.75, lon: -74, counties: "[]", method: "zcta"},
      {zip: "67801", county_fips: "20057", lat: 37.75, lon: -100.02, counties: "[]", method: "zcta"},
      {zip: "73036", county_fips: "40017", lat: 35.54, lon: -97.97, counties: "[]", method: "zcta"},
      {zip: "73101", county_fips: "40109", lat: 35.47, lon: -97.52, counties: "[]", method: "zcta"},
    ],
    context: [
      {key_type: "state", key: "KS", signal: "diesel", item: null, age_days: 40},
      {key_type: "county", key: "20057", signal: "drought", item: null, age_days: 23},
      {key_type: "state", key: "KS", signal: "drought", item: null, age_days: 16},
      {key_type: "state", key: "KS", signal: "futures", item: null, age_days: null},
      {
        key_type: "state",
        key: "OK",
        signal: "diesel",
        item: JSON.stringify({signal: "diesel", source_id: "diesel"}),
      },
    ],
  };
}

function record(members: Record<string, unknown>, evidenceId: string): string {
  return JSON.stringify({...members, distance_mi: null, distance_method: null, evidence_id: evidenceId});
}

/** A cell's kind as its id names it: `feeder-steers-ml1-0500-0549-cwt`; others are slaughter cows without a bin. */
function kindOf(cell: string): Row {
  const feeder = /^feeder-(\w+)-ml1-(\d{4})/.exec(cell);
  return feeder === null
    ? {cell_id: cell, commodity: "slaughter_cattle", class: "cows", bin_low_lb: null}
    : {cell_id: cell, commodity: "feeder_cattle", class: feeder[1]!, bin_low_lb: Number(feeder[2])};
}

function weeksOf(...ends: string[]): string {
  return ends
    .map((end, at) =>
      JSON.stringify({week_end_date: end, price_avg: 300 + at, head_count: 40, venues_reporting: 1}),
    )
    .join("\n");
}

function stateRow(
  state: string,
  cell: string,
  {slug = null, ...facts}: {headline: boolean; importance: number; slug?: string | null},
): Row {
  const evidenceId = `e-${state.toLowerCase()}`;
  const weekEnd = slug === null ? null : "2026-11-20";
  return {
    state,
    ...kindOf(cell),
    ...facts,
    report_slug: slug,
    week_end_date: weekEnd,
    last_sale_date: weekEnd ?? "2026-11-18",
    evidence_id: evidenceId,
    record: record({state, cell_id: cell}, evidenceId),
  };
}

/** A sale of five pens of steers, a line from 420 USD at 500 lb to 380 at 600. */
function salePens(venue: string, date: string): Row {
  const [lat, lon] = venue === "ok-norman" ? [35.22, -97.44] : [35.53, -97.95];
  const pens = [0, 1, 2, 3, 4].map((n) => ["1", 500 + 25 * n, 420 - 10 * n, 40]);
  return {
    ...{state: "OK", venue_id: venue, venue_name: `Yard ${venue}`, place: "Town, OK", county_fips: "40017"},
    ...{report_scope: "venue", class: "steers", report_end_date: date, age_days: 2, lat, lon},
    ...{issue_id: `ams-${venue}@${date}`, source_id: "mars", is_new: false, preliminary: false},
    pens: JSON.stringify(pens),
  };
}

type CountyFacts = {
  lat: number;
  lon: number;
  cell?: string;
  headline?: boolean;
  observed?: boolean;
  importance?: number;
};

function countyRow(state: string, fips: string, name: string, facts: CountyFacts): Row {
  const {lat, lon, cell = "feeder-steers-ml1-0500-0549-cwt", headline = true, observed = true} = facts;
  const {importance = 1} = facts;
  const evidenceId = `e-${state.toLowerCase()}`;
  return {
    state,
    county_fips: fips,
    county_name: name,
    ...kindOf(cell),
    headline,
    importance,
    last_sale_date: "2026-11-18",
    observed,
    lat,
    lon,
    evidence_id: evidenceId,
    record: record(
      {state, county_fips: fips, county_name: name, cell_id: cell, distance_band: null},
      evidenceId,
    ),
  };
}

type LatestFacts = {
  date: string;
  ordinal: number;
  lat: number | null;
  lon: number | null;
  headline?: boolean;
};

function latestRow(state: string, venue: string, facts: LatestFacts): Row {
  const {date, ordinal, lat, lon, headline = true} = facts;
  const evidenceId = `e-${state.toLowerCase()}`;
  return {
    report_end_date: date,
    report_scope: "venue",
    region: null,
    state,
    venue_id: venue,
    ...kindOf("feeder-steers-ml1-0500-0549-cwt"),
    row_ordinal: ordinal,
    importance: ordinal,
    headline,
    lat,
    lon,
    evidence_id: evidenceId,
    record: record(
      {
        venue_id: venue,
        venue_name: `Yard ${venue}`,
        city: "Town",
        state,
        county_fips: null,
        cell_id: "feeder-steers-ml1-0500-0549-cwt",
        row_ordinal: ordinal,
      },
      evidenceId,
    ),
  };
}

/** A row of a video or direct report: its place is its region. */
function tradeRow(scope: string, region: string, {date, ordinal}: {date: string; ordinal: number}): Row {
  const cell = "feeder-steers-ml1-0500-0549-cwt";
  const venue = latestRow("", "", {date, ordinal, lat: null, lon: null, headline: false});
  return {
    ...venue,
    state: null,
    venue_id: null,
    report_scope: scope,
    region,
    evidence_id: "e-ok",
    record: record(
      {
        ...{venue_id: null, venue_name: null, city: null, state: null, county_fips: null, cell_id: cell},
        ...{class: "steers", price_avg: 350, price_unit: "per_cwt", head_count: 107, report_end_date: date},
        ...{
          report_scope: scope,
          region,
          delivery: "oct-nov",
          freight: "fob",
          shrink: "2-3%",
          slide: "a 30 cent slide",
        },
      },
      "e-ok",
    ),
  };
}

function barnRow(
  state: string,
  fips: string,
  county: string,
  {id, status, lat, lon}: {id: string; status: string; lat: number; lon: number},
): Row {
  const evidenceId = `e-${state.toLowerCase()}`;
  return {
    state,
    county_fips: fips,
    county_name: county,
    city: "Town",
    venue_name: `Yard ${id}`,
    venue_id: id,
    status,
    lat,
    lon,
    evidence_id: evidenceId,
    directory_evidence_id: evidenceId,
    directory_record: record({venue_id: id, status}, evidenceId),
    barn_record: record(
      {
        ...{venue_id: id, venue_name: `Yard ${id}`, city: "Town", state, county_fips: fips, status},
        ...{sale_days: [], last_reported_sale_date: null, next_sale_date: null, phone: null},
      },
      evidenceId,
    ),
  };
}

function evidenceRow(id: string, date: string): Row {
  const sources = ["ams-lmr-datamart", "derived-aggregates"];
  const limitations = ["Prices are for the stated report dates and venues, not current bids."];
  return {
    evidence_id: id,
    sources: sources.join("\n"),
    source_date: date,
    limitations: limitations.join("\n"),
    evidence: JSON.stringify({
      evidence_id: id,
      claim: `Invented cattle of ${id} were sold.`,
      entity_ids: [`report:ams-${id}@2026-11-18`],
      sources,
      source_date: date,
      confidence: {level: "medium", score: 0.5, factors: null},
      limitations,
    }),
  };
}

/** An invented indicator of steers of 550 lb; without a price it has too few pens. */
function indicator(area: string, price: number | null): Indicator {
  const [low, high] = price === null ? [null, null] : [price * 0.96, price * 1.04];
  return {
    area_kind: area === "US" ? "nation" : "state",
    area,
    class: "steers",
    weight_lb: 550,
    muscle_grade: "1",
    window_end_date: "2026-11-20",
    price_avg: price,
    price_low: low,
    price_high: high,
    reason: price === null ? "too_few_pens" : null,
    change_week: null,
    change_week_reason: "no_earlier_sale",
    change_year: null,
    change_year_reason: "no_earlier_sale",
    pens: price === null ? 2 : 12,
    pens_near: price === null ? 1 : 8,
    head_count: price === null ? 20 : 300,
    head_near: price === null ? 10 : 200,
    venues: 2,
    states: 1,
    residual_spread: price === null ? null : 0.03,
    first_sale_date: "2026-11-18",
    last_sale_date: "2026-11-19",
    sentence: `Steers of 550 lb in ${area}, as invented for this test.`,
    evidence_id: area === "OK" ? "e-ok" : null,
  };
}
