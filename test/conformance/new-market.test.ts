import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {parse} from "csv-parse/sync";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {ModelRun} from "../../lib/models/model-run.ts";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {chooseReports} from "../../pipeline/fetch/jobs/report-list.ts";
import {readMarket} from "../../pipeline/market/read-market.ts";
import {loadFeedFetches} from "../../pipeline/market/reference/market-sources.ts";
import {loadVenues} from "../../pipeline/market/reference/venues.ts";
import {addsUp, type FileReport} from "../../schemas/build-report.ts";
import type {FeedOf} from "../../schemas/fetch-source.ts";
import {corpus} from "./corpus.ts";

const folder = join(corpus ?? "", "new-market");
const texts = corpus === null ? [] : readdirSync(folder).filter((name) => name.endsWith(".txt"));

/** A price line as the eye recognises it: head, weights, average weight, prices, average price. Independent of the readers. */
const priceLine =
  /^(.*?)(?<!\S)(\d[\d,]*)\s+\d[\d,]*(?: ?- ?\d[\d,]*)?\s+(\d[\d,]*)\s+\d[\d.,]*(?: ?- ?\d[\d.,]*)?\s+(\d[\d.,]*)(?=\s|$)/;

type Printed = {head: number; lb: number; price: number; delivery: string; region: string};

/** The price lines of a text; a blank delivery repeats the line above, up to the next heading. */
function printedLines(name: string): Printed[] {
  let [delivery, region] = ["", ""];
  const number = (text: string) => Number(text.replaceAll(",", ""));
  return readFileSync(join(folder, name), "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.includes("(Per ")) delivery = "";
      if (/^\s*(North|South) Central\s*$/.test(line)) region = line.trim();
      const match = priceLine.exec(line);
      if (match === null) return [];
      delivery = match[1]!.trim() || delivery;
      return [{head: number(match[2]!), lb: number(match[3]!), price: number(match[4]!), delivery, region}];
    });
}

describe.skipIf(corpus === null)("market texts that the first readers did not know", () => {
  let db: Database;
  let reports: FileReport[];

  beforeAll(async () => {
    db = await openDatabase();
    const files = texts.map((name) => ({
      path: `market/ams-text/${name}`,
      absolutePath: join(folder, name),
      kind: "market" as const,
      feedOrEntryId: "ams-text",
      sizeBytes: 0,
      sha256: "",
      meta: null,
      retrievedAt: "2026-11-20T00:00:00Z",
      retrievedAtFrom: "mtime" as const,
    }));
    reports = await readMarket({run: new ModelRun(db), files, asOf: "2026-11-21", venues: loadVenues()});
  });
  afterAll(() => db.close());

  test("each printed price line is a row or a reject", () => {
    const table = reports.map((report) => ({
      file: report.path.replace("market/ams-text/", ""),
      lines: printedLines(report.path.replace("market/ams-text/", "")).length,
      accepted: report.accepted,
      rejected: Object.values(report.rejected).reduce((sum, count) => sum + count, 0),
      reasons: Object.entries(report.rejected)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(", "),
    }));
    process.stdout.write(
      `${table.map((row) => [row.file.padEnd(30), row.lines, row.accepted, row.rejected, row.reasons].join("\t")).join("\n")}\n`,
    );
    expect(table.length).toBeGreaterThanOrEqual(12);
    expect(reports.filter((report) => !addsUp(report))).toEqual([]);
    expect(table.map(({file, accepted, rejected}) => [file, accepted + rejected])).toEqual(
      table.map(({file, lines}) => [file, lines]),
    );
  });

  test("rows of video and direct reports have the delivery and region above them, their scope, and no venue", async () => {
    const names = texts.filter((name) => /video|direct/.test(name));
    const printed = names.flatMap((name) =>
      printedLines(name).map(({delivery, region, ...row}) => ({
        name,
        ...row,
        delivery: delivery.replace(/ (FOB|DEL)$/, "").toLowerCase(),
        freight: {FOB: "fob", DEL: "delivered"}[/ (FOB|DEL)$/.exec(delivery)?.[1] ?? ""] ?? null,
        region,
        scope: name.includes("video") ? "video_internet" : "direct",
        venue_id: null,
      })),
    );
    const read = await db.rows<{
      region: string;
    }>(`SELECT parse_filename(source_path) AS name, head_count AS head, avg_weight_lb AS lb,
      price_avg::DOUBLE AS price, delivery, freight, region, report_scope AS scope, venue_id
      FROM price_rows WHERE report_scope IN ('video_internet', 'direct') ORDER BY name, row_ordinal`);
    const regionless = read.map(({region, ...row}) => row);
    expect(regionless).toEqual(printed.map(({region, ...row}) => row));
    expect(printed).toHaveLength(42);
    expect(read.map(({region}, at) => region.startsWith(printed[at]!.region))).toEqual(read.map(() => true));
    expect(new Set(read.map(({region}) => region)).size).toBe(6);
  });

  test("receipts of summaries are those of their cattle, and a newswire's one date is its week", async () => {
    const events = await db.rows(
      "SELECT report_slug AS slug, week_begin_date AS begin, receipts, receipts_prior FROM summary_events WHERE report_slug IN ('ams-1933', 'ams-1976') ORDER BY slug",
    );
    expect(events).toEqual([
      {slug: "ams-1933", begin: "2026-09-20", receipts: 4658 + 1145 + 825, receipts_prior: 5997 + 1103 + 943},
      {slug: "ams-1976", begin: "2026-09-20", receipts: 402 + 496 + 404, receipts_prior: 160 + 515 + 335},
    ]);
  });

  test("trades of feeder cattle have the shrink and the slide that their report states", async () => {
    const terms = await db.rows(`SELECT DISTINCT report_slug AS slug, shrink, slide FROM price_rows
      WHERE class = 'steers' AND len(lot_descriptors) = 0 OR report_slug = 'ams-2770' ORDER BY ALL`);
    expect(terms.filter(({shrink}) => shrink !== null)).toEqual([
      {
        slug: "ams-2713",
        shrink: "2-3%",
        slide: "up to a 30 cent slide > 600 lbs and up to a 40 cent slide < 600 lbs",
      },
      {slug: "ams-2770", shrink: "2-3%", slide: "20-30 cent slide < 600 lbs"},
    ]);
  });

  test("sheep and goats are no cattle", async () => {
    expect(reports.find(({path}) => path.includes("ams_1772"))).toMatchObject({
      accepted: 0,
      rejected: {not_cattle: printedLines("ams_1772_sheep_goat.txt").length},
    });
  });
});

test.skipIf(corpus === null)(
  "each report number of the public lists is known, and is cattle where they say so",
  () => {
    const listed = recordsOf(join(folder, "ams_report_numbers.csv"));
    expect(listed).toHaveLength(445);
    const entry = ({slug_id: slug, title}: Record<string, string>) => ({
      ...{
        slug: slug!,
        title: title ?? "",
        marketTypes: null,
        publishedMs: null,
        document: null,
        corrected: false,
      },
    });
    const {chosen: wanted} = chooseReports(listed.map(entry));
    const chosen = new Set(wanted.map(({slug}) => slug));
    const left = listed.map(({slug_id}) => slug_id!).filter((slug) => !chosen.has(slug));
    const noCattle = listed.filter(({type}) => /not cattle|no cattle/i.test(type!));
    expect(left.sort()).toEqual(noCattle.map(({slug_id}) => slug_id).sort());
  },
);

test.skipIf(corpus === null)("each cattle report of the Datamart's directory is asked for", () => {
  const directory = recordsOf(join(corpus ?? "", "market/lmr/lmr_report_directory_127.csv"));
  const cattle = directory
    .filter(({commodity}) => commodity === "cattle")
    .map(({slug_id}) => Number(slug_id));
  const lmr = loadFeedFetches().find(({protocol}) => protocol === "datamart") as FeedOf<"datamart">;
  expect(cattle).toHaveLength(50);
  expect(cattle.filter((slug) => !lmr.slugs.includes(slug))).toEqual([]);
});

function recordsOf(path: string): Record<string, string>[] {
  return parse(readFileSync(path, "utf8"), {columns: true, bom: true});
}
