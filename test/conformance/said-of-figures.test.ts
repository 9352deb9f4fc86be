import {cpSync, mkdirSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {states} from "@open-cattle/us-address";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {counties} from "../../lib/geography/counties.ts";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {marketServing, tablePath} from "../../lib/storage/build-layout.ts";
import {buildMarket} from "../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {statusesOf} from "../pipeline/market/issue-diff.ts";
import {randomFrom} from "../pipeline/market/recomputed/answers.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

const dates = ["2025-11-15", "2026-02-20", "2026-06-30", "2026-08-10", "2026-08-24"];
const seed = Number(process.env["SEED"] ?? 46);
const randomZips = 30;
/** Towns of reports of the corpus and places around them, which random ZIPs rarely hit. */
const ownZips = ["67801", "67124", "67846", "88101", "59101", "64836", "35401", "10001"];
const kinds = [
  "",
  "&class=steers&weight=550",
  "&class=heifers&weight=725",
  "&class=cows",
  "&commodity=replacement_cattle",
];

type Piece = {
  evidence_id: string;
  claim: string;
  limitations: string[];
  implication: string | null;
  entity_ids: string[];
};
type Venue = {venue_id: string; county_fips: string | null; lat: number | null; lon: number | null};
/** A printed price row, as the table of rows has it. */
type Row = {
  venue_id: string;
  day: string;
  commodity: string;
  class: string;
  frame: string | null;
  grade: string | null;
  unit: string;
  described: boolean;
  weight: number | null;
  bin: number | null;
  head: number | null;
  facts: string;
  /** True for the newest sale of its venue and report number. */
  newest: boolean;
};
type Build = {
  asOf: string;
  dir: string;
  server: TestServer;
  evidence: Piece[];
  venues: Map<string, Venue>;
  rows: Row[];
  unheld: Set<string>;
  /** The newest day in all history of each venue, and of each state. */
  lastOf: Map<string, string>;
  /** The kind of cattle of each record of a county, in the words of its rows. */
  factsOf: Map<string, string>;
};

const words =
  "commodity, class, frame, muscle_grade, quality_grade, dressing, age_class, pregnancy_stage, offspring_weight, list_sort(lot_descriptors), price_unit";
const bin =
  "CASE WHEN commodity IN ('feeder_cattle', 'dairy_calves') THEN weight_bin_low_lb || '-' || (weight_bin_low_lb + 49) END";

function milesBetween(a: {lat: number; lon: number}, b: {lat: number; lon: number}): number {
  const [radians, radius] = [Math.PI / 180, 3958.7613];
  const h =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lon - a.lon) * radians) / 2) ** 2;
  return 2 * radius * Math.asin(Math.sqrt(h));
}

const points = new Map(counties().map(({fips, point}) => [fips, point]));
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

describe.skipIf(corpus === null)(
  `what builds of the corpus at five dates say of its rows (seed ${seed})`,
  {timeout: 600_000},
  () => {
    const folder = temporaryFolder();
    const builds: Build[] = [];
    const faults: string[] = [];
    const checked: Record<string, number> = {};
    let db: Database;

    beforeAll(async () => {
      const raw = join(folder.path, "raw/market");
      mkdirSync(join(raw, "ams-text"), {recursive: true});
      for (const feed of ["ams-text", "mars", "geo", "directory"])
        cpSync(join(corpus!, "market", feed), join(raw, feed), {recursive: true, preserveTimestamps: true});
      for (const name of readdirSync(join(corpus!, "new-market")).filter((file) =>
        /^ams_\d{4}.*\.txt$/i.test(file),
      ))
        cpSync(join(corpus!, "new-market", name), join(raw, "ams-text", name));
      db = await openDatabase();
      let previousDir: string | null = null;
      for (const asOf of dates) {
        const outDir = join(folder.path, asOf);
        const files = await listRawFiles(join(folder.path, "raw"));
        await buildMarket({
          files,
          outDir,
          asOf,
          previousDir,
          sample: false,
          tempDir: join(folder.path, "temp"),
        });
        builds.push(await read(outDir, asOf));
        previousDir = outDir;
      }
    }, 1_800_000);
    afterAll(async () => {
      for (const {server} of builds) await server.close();
      db.close();
      folder.remove();
      process.stderr.write(
        `sentences checked against rows: ${JSON.stringify(checked)}, ${faults.length} false\n`,
      );
    });

    async function read(dir: string, asOf: string): Promise<Build> {
      const table = (name: string) => `read_parquet(${sqlText(join(dir, tablePath(name)))})`;
      const evidence = await db.rows<Piece>(
        `SELECT evidence_id, claim, limitations, operational_implication AS implication, entity_ids FROM ${table("evidence")}`,
      );
      const venues = await db.rows<Venue>(`SELECT venue_id, county_fips, lat, lon FROM ${table("barns")}`);
      const rows = await db.rows<Row>(
        `SELECT venue_id, report_end_date::VARCHAR AS day, commodity, class, frame, muscle_grade AS grade, price_unit AS unit, len(lot_descriptors) > 0 AS described,
        avg_weight_lb AS weight, weight_bin_low_lb AS bin, head_count AS head, row(${words}, ${bin})::VARCHAR AS facts,
        report_end_date = max(report_end_date) OVER (PARTITION BY venue_id, report_slug) AS newest
      FROM ${table("price_rows/*/rows")} WHERE report_scope = 'venue' AND venue_id IS NOT NULL AND report_end_date >= DATE '${asOf}' - 70`,
      );
      const unheld = await db.rows<{key: string}>(
        `SELECT venue_id || ' ' || sale_date AS key FROM ${table("sale_events")} WHERE sale_status = 'no_sale'`,
      );
      const last = await db.rows<{key: string; day: string}>(
        `WITH dated AS (SELECT venue_id, state, report_end_date AS day FROM ${table("price_rows/*/rows")} WHERE report_scope IN ('venue', 'video_internet'))
        SELECT key, max(day)::VARCHAR AS day FROM (SELECT venue_id AS key, day FROM dated UNION ALL SELECT state, day FROM dated) WHERE key IS NOT NULL GROUP BY key`,
      );
      const records = await db.rows<{evidence_id: string; facts: string}>(
        `SELECT evidence_id, row(${words}, weight_bin)::VARCHAR AS facts FROM ${table("county_prices")}`,
      );
      const generation = generationOf(openMarketArtifacts(join(dir, marketServing)), {asOf});
      return {
        ...{asOf, dir, evidence, rows},
        server: await testServer({generation: () => generation}),
        venues: new Map(venues.map((venue) => [venue.venue_id, venue])),
        unheld: new Set(unheld.map(({key}) => key)),
        lastOf: new Map(last.map(({key, day}) => [key, day])),
        factsOf: new Map(records.map(({evidence_id, facts}) => [evidence_id, facts])),
      };
    }

    const check = (kind: string, isTrue: boolean, sentence: string) => {
      checked[kind] = (checked[kind] ?? 0) + 1;
      if (!isTrue) faults.push(`${kind}: ${sentence}`);
    };
    const expectNone = () => expect(faults.splice(0), "sentences that the rows do not bear out").toEqual([]);

    it("never calls cattle plain", () => {
      for (const {asOf, evidence} of builds)
        for (const {claim, limitations, implication} of evidence)
          for (const sentence of [claim, ...limitations, implication ?? ""])
            check("without plain", !/\bplain\b/i.test(sentence), `${asOf}: ${sentence}`);
      expectNone();
    });

    it("says no venue, no sale and distances in claims only as the rows have it", () => {
      for (const build of builds) {
        const byCounty = Map.groupBy(build.venues.values(), ({county_fips}) => county_fips);
        for (const piece of build.evidence) {
          const {claim, entity_ids: ids} = piece;
          const said = `${build.asOf} ${piece.evidence_id}: ${claim}`;
          const [, missing, fips] =
            /^No (venue in|reporting venue is located in) .+ \((\d{5})\)/.exec(claim) ?? [];
          if (fips !== undefined) {
            const facts = build.factsOf.get(piece.evidence_id);
            const here = new Set((byCounty.get(fips) ?? []).map(({venue_id}) => venue_id));
            const sold = build.rows.filter(
              ({venue_id, day, facts: own}) =>
                here.has(venue_id) && own === facts && daysBetween(day, build.asOf) <= 28,
            );
            check("no venue in", sold.length === 0 && (missing === "venue in" || here.size === 0), said);
            const [, near, , far] = /from \d+ venues? ([\d.]+)( to ([\d.]+))? miles away/.exec(claim) ?? [];
            const from = points.get(fips)!;
            const miles = ids
              .filter((id) => id.startsWith("venue:"))
              .map((id) => build.venues.get(id.slice(6))!)
              .map(({lat, lon}) => milesBetween(from, {lat: lat!, lon: lon!}))
              .sort((a, b) => a - b);
            check(
              "miles away",
              Math.abs(miles[0]! - Number(near)) < 0.06 &&
                Math.abs(miles.at(-1)! - Number(far ?? near)) < 0.06,
              said,
            );
          }
          for (const [, days] of claim.matchAll(
            /no sale was held on (\d{4}-\d\d-\d\d(?: and \d{4}-\d\d-\d\d)*)/g,
          )) {
            const [venue] = ids.filter((id) => id.startsWith("venue:"));
            for (const day of days!.split(" and "))
              check("no sale was held", build.unheld.has(`${venue!.slice(6)} ${day}`), said);
          }
          for (const [, days] of (piece.implication ?? "").matchAll(
            /\bno sale on (\d{4}-\d\d-\d\d(?: and \d{4}-\d\d-\d\d)*)/g,
          )) {
            const venuesOfPiece = ids.filter((id) => id.startsWith("venue:")).map((id) => id.slice(6));
            for (const day of days!.split(" and "))
              check(
                "no sale on",
                venuesOfPiece.some((id) => build.unheld.has(`${id} ${day}`)),
                `${said} ${piece.implication}`,
              );
          }
          const [, last] =
            /^Its last reported sale was on (\d{4}-\d\d-\d\d)/.exec(piece.implication ?? "") ?? [];
          if (last !== undefined) {
            const [venue] = ids.filter((id) => id.startsWith("venue:"));
            const days = build.rows.filter(({venue_id}) => venue_id === venue!.slice(6)).map(({day}) => day);
            check(
              "last reported sale",
              days.every((day) => day <= last) && (days.length === 0 || days.includes(last)),
              `${said} ${piece.implication}`,
            );
          }
        }
      }
      expectNone();
    });

    it("names delivery, freight, shrink and slide for video and direct trades alone, and says each kind of record something of its own", async () => {
      const lines: string[] = [];
      for (const build of builds) {
        const trades = (await build.server.get("/latest-prices?limit=500")).json().records;
        const ofTrades = new Set(
          trades.filter(({report_scope: scope}) => scope !== "venue").map(({evidence_id: id}) => id),
        );
        const kindOf = ({evidence_id: id}: Piece) => (ofTrades.has(id) ? "trade" : id.split("-")[0]!);
        for (const [kind, pieces] of Map.groupBy(build.evidence, kindOf)) {
          const distinct = new Set(pieces.flatMap(({implication}) => implication ?? []));
          lines.push(
            `${build.asOf} ${kind}: ${distinct.size} sentences for ${pieces.length} records, such as ${[...distinct][0]}`,
          );
          check("a sentence for 20 records", distinct.size * 20 >= pieces.length, lines.at(-1)!);
          if (kind === "trade" || kind === "lp") continue;
          for (const sentence of distinct)
            check(
              "no terms of trades",
              !/\b(delivery|freight|shrink|slide)\b/i.test(sentence),
              `${kind}: ${sentence}`,
            );
        }
        const video = /^In (direct|the video) trades/;
        for (const {claim, implication} of build.evidence)
          if (!video.test(claim))
            check(
              "no terms of trades",
              !/\b(delivery|freight|shrink|slide)\b/i.test(implication ?? ""),
              `${claim} ${implication}`,
            );
      }
      process.stderr.write(`${lines.join("\n")}\n`);
      expectNone();
    });

    it("says nothing reported, no sale and last sold in answers only as the rows have it", async () => {
      const random = randomFrom(seed);
      const zips = [
        ...ownZips,
        ...Array.from({length: randomZips}, () => String(random(99_000) + 501).padStart(5, "0")),
      ];
      for (const build of builds)
        for (const zip of zips)
          for (const kind of kinds)
            for (const path of ["/price-by-county", "/latest-prices"])
              await judge(build, `${path}?zip=${zip}${kind}&evidence=none`);
      expectNone();
    });

    it("names as last known date of a state without rows that of its newest row", async () => {
      for (const build of builds)
        for (const {state} of states) {
          const answer = (await build.server.get(`/latest-prices?state=${state}&evidence=none`)).json();
          if (answer["result_status"] !== "no_rows") continue;
          const last = build.lastOf.get(state) ?? null;
          check(
            "last known date of a state",
            answer["last_known_source_date"] === last,
            `${build.asOf} ${state}: ${answer["last_known_source_date"]}, the rows ${last}`,
          );
        }
      expectNone();
    });

    it("gives each record the change status that a diff of the issues of two of these dates demands", async () => {
      const differences: string[] = [];
      let compared = 0;
      for (const [at, build] of builds.entries())
        for (const table of ["county_prices", "state_prices", "latest_prices"] as const)
          for (const {change_status, expected, n} of await statusesOf(
            db,
            table,
            build,
            builds[at - 1] ?? null,
          )) {
            if (at > 0) compared += n;
            if (change_status !== expected)
              differences.push(`${build.asOf} ${table}: ${n} ${change_status}, not ${expected}`);
          }
      process.stderr.write(
        `change status: ${compared} records of ${builds.length - 1} pairs of dates (${dates.join(", ")}), ${differences.length} differences\n`,
      );
      expect(differences).toEqual([]);
    });

    async function judge(build: Build, question: string): Promise<void> {
      const answer = (await build.server.get(question)).json();
      const resolution = (
        answer["query"] as {
          resolution: {zip?: {lat?: number; lon?: number; primary_county_fips?: string} | null};
        }
      ).resolution;
      const {lat, lon} = resolution.zip ?? {};
      if (lat === undefined || lon === undefined) {
        check(
          "unresolved",
          answer["summary"] == null &&
            answer["summary_reason"] === undefined &&
            answer["last_known_source_date"] == null,
          `${question}: ${answer["summary_reason"] ?? JSON.stringify(answer["summary"])}`,
        );
        return;
      }
      const asked = new URLSearchParams(question.split("?")[1]);
      const fits = (row: Row) =>
        (asked.get("class") === null || row.class === asked.get("class")) &&
        (asked.get("commodity") === null || row.commodity === asked.get("commodity")) &&
        (asked.get("weight") === null || row.bin === Math.floor(Number(asked.get("weight")) / 50) * 50);
      const milesTo = (id: string) => {
        const venue = build.venues.get(id);
        return venue?.lat == null || venue.lon === null
          ? Number.POSITIVE_INFINITY
          : milesBetween({lat, lon}, {lat: venue.lat, lon: venue.lon});
      };
      const sold = (miles: number, days: number, of: (row: Row) => boolean) =>
        build.rows.filter(
          (row) => daysBetween(row.day, build.asOf) <= days && milesTo(row.venue_id) <= miles && of(row),
        );
      const nearest = answer["nearest_market"] as
        | {venue_id: string; last_sale_date: string; no_sale_on?: string[]}
        | undefined;
      // The answer of latest prices does not name the county of a ZIP.
      if (answer["result_status"] === "no_rows" && question.startsWith("/price-by-county")) {
        const fips = resolution.zip!.primary_county_fips;
        const ofCounty = [...build.venues.values()]
          .filter(({county_fips}) => county_fips === fips)
          .flatMap(({venue_id}) => build.lastOf.get(venue_id) ?? []);
        const isOfAll = kinds.every((kind) => kind === "" || !question.includes(kind));
        const last = (isOfAll ? ofCounty.sort().at(-1) : undefined) ?? nearest?.last_sale_date ?? null;
        check(
          "last known date",
          answer["last_known_source_date"] === last,
          `${build.asOf} ${question}: ${answer["last_known_source_date"]}, the rows ${last}`,
        );
      }
      for (const day of nearest?.no_sale_on ?? [])
        check("no sale on", build.unheld.has(`${nearest!.venue_id} ${day}`), `${build.asOf} ${question}`);
      for (const sentence of answer.limitations) {
        const said = `${build.asOf} ${question}: ${sentence}`;
        const [, within, days, miles, last] =
          /^(?:Nothing|No such cattle) reported within (\d+) miles in (?:the newest sales of )?the last (\d+) days; nearest venue .+, ([\d.]+) miles, last sale ([\d-]+)(?:, no sale on .+)?\.$/.exec(
            sentence,
          ) ?? [];
        if (within !== undefined) {
          const ofNewest = sentence.includes("the newest sales of");
          const near = sold(Number(within), Number(days), (row) => fits(row) && (row.newest || !ofNewest));
          check("nothing reported within", near.length === 0, said);
          const inNewest = sentence.includes("in its newest sale");
          const recent = sold(Number.POSITIVE_INFINITY, 60, (row) => fits(row) && (row.newest || !inNewest));
          const nearestMiles = Math.min(...recent.map(({venue_id}) => milesTo(venue_id)));
          const ofNearest = recent
            .filter(({venue_id}) => milesTo(venue_id) === nearestMiles)
            .map(({day}) => day)
            .sort();
          if (recent.length > 0)
            check(
              "nearest venue",
              Math.abs(nearestMiles - Number(miles)) < 0.06 && ofNearest.at(-1) === last,
              said,
            );
        } else if (/^No county whose middle lies within/.test(sentence)) {
          const [, reach] = /within (\d+) miles/.exec(sentence)!;
          const priced = sold(Number.POSITIVE_INFINITY, 28, fits).filter(({venue_id}) => {
            const at = points.get(build.venues.get(venue_id)?.county_fips ?? "");
            return at !== undefined && milesBetween({lat, lon}, at) <= Number(reach);
          });
          check("no county within", priced.length === 0, said);
        } else check("no other nothing", !/\bnothing\b/i.test(sentence), said);
      }
      const sentence = String((answer["summary"] as {sentence?: string} | null | undefined)?.sentence ?? "");
      const [, weight, radius] = /Medium and Large 1 \w+ of (\d+) lb within (\d+) miles/.exec(sentence) ?? [];
      if (weight === undefined) return;
      const isPen = (row: Row) =>
        row.commodity === "feeder_cattle" &&
        row.class === asked.get("class") &&
        row.frame === "medium_and_large" &&
        row.unit === "per_cwt" &&
        !row.described &&
        row.weight !== null &&
        row.head !== null &&
        Math.abs(row.weight - Number(weight)) <= 150;
      const penDays = (grades: readonly string[], days: number) =>
        sold(Number(radius), days, (row) => isPen(row) && grades.includes(row.grade ?? "")).map(
          ({day}) => day,
        );
      const summary = answer["summary"] as Record<string, unknown>;
      if (summary["price_avg"] !== null) {
        const days = penDays(["1", "1-2"], Number(summary["window_days"])).sort();
        check(
          "brought within",
          days[0] === summary["first_sale_date"] && days.at(-1) === summary["last_sale_date"],
          `${build.asOf} ${question}: ${sentence}`,
        );
      }
      if (sentence.endsWith("no report of a sale there is held."))
        check(
          "no report of a sale there",
          sold(Number(radius), 28, () => true).length === 0,
          `${build.asOf} ${sentence}`,
        );
      if (sentence.startsWith("No sale of such cattle"))
        check("no sale of such cattle", penDays(["1"], 21).length === 0, `${build.asOf} ${sentence}`);
      const [, lastSold] = /last sold at .+ on (\d{4}-\d\d-\d\d)/.exec(sentence) ?? [];
      if (lastSold !== undefined)
        check("last sold", penDays(["1", "1-2"], 28).sort().at(-1) === lastSold, `${build.asOf} ${sentence}`);
      else if (sentence.startsWith("No "))
        check("never sold", penDays(["1", "1-2"], 28).length === 0, `${build.asOf} ${sentence}`);
    }
  },
);
