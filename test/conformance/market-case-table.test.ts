import {cpSync, mkdirSync, readdirSync, readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {marketServing, tablePath} from "../../lib/storage/build-layout.ts";
import {buildMarket} from "../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {describeAnswer} from "../../server/text/describe-answer.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

/** A file of the corpus and the feed that it comes by. */
type Given = readonly [feed: "ams-text" | "mars", path: string];
type Record_ = Record<string, unknown>;
type Asked = {
  readonly get: (question: string) => Promise<Record_ & {records: Record_[]}>;
  readonly status: (question: string) => Promise<number>;
  /** The answer as the terminal shows it. */
  readonly text: (question: string) => Promise<string>;
  /** Rows of a table of the build. */
  readonly rows: (table: string, columns: string, where?: string) => Promise<Record_[]>;
  readonly report: Awaited<ReturnType<typeof buildMarket>>;
};
/** A case of `corpus/cases/README.md`: what is asked of builds of its files, what comes, and whether that is right. */
type Case = {
  readonly name: string;
  readonly files: () => readonly Given[];
  /** Dates of its builds; each is compared with the one before. */
  readonly dates: readonly string[];
  readonly ask: (asked: Asked) => Promise<readonly [now: string, isRight: boolean]>;
};

const ofCase = (name: string, feed: Given[0] = "ams-text"): readonly Given[] =>
  readdirSync(join(corpus!, "cases/market", name)).map((file) => [feed, `cases/market/${name}/${file}`]);
const printed = (pattern: RegExp): readonly Given[] =>
  readdirSync(join(corpus!, "market/ams-text"))
    .filter((file) => pattern.test(file))
    .map((file) => ["ams-text", `market/ams-text/${file}`]);
const list = (values: readonly unknown[]) => values.map(String).join(", ");
const sum = (records: readonly Record_[], of: string) =>
  records.reduce((total, record) => total + Number(record[of] ?? 0), 0);

const cases: readonly Case[] = [
  {
    name: "same-day-editions-parquet-xlsx",
    files: () => ofCase("same-day-editions-parquet-xlsx", "mars"),
    dates: ["2026-11-26"],
    async ask({get, rows}) {
      const {records} = await get("/price-by-county?county=20169&state=KS&weight=525");
      const editions = await rows(
        "price_rows/*/rows",
        "report_slug, list_sort(list(head_count)) AS heads",
        "weight_bin_low_lb = 500 GROUP BY 1 ORDER BY 1",
      );
      const [price] = records;
      return [
        `${price?.["head_count"]} head at ${price?.["price_avg"]}; rows by report ${JSON.stringify(editions)}`,
        records.length === 1 &&
          price!["head_count"] === 25 &&
          price!["price_avg"] === 344 &&
          editions.length === 3 &&
          editions.every(({heads}) => String(heads) === "25"),
      ];
    },
  },
  {
    name: "latest-loses-feeders",
    files: () => ofCase("latest-loses-feeders"),
    dates: ["2026-09-26"],
    async ask({get}) {
      const all = (await get("/latest-prices?venue=mo-carthage")).records;
      const feeders = (await get("/latest-prices?zip=64836&commodity=feeder_cattle")).records;
      const sales = [...new Set(all.map(({class: kind, sale_date: day}) => `${kind} ${day}`))];
      return [
        `${list(sales)}; near 64836 ${sum(feeders, "head_count")} feeders`,
        sales.includes("steers 2026-09-21") &&
          sales.includes("cows 2026-09-23") &&
          sum(feeders, "head_count") === 380,
      ];
    },
  },
  {
    name: "two-sale-days",
    files: () => ofCase("two-sale-days"),
    dates: ["2026-09-26"],
    async ask({get, text}) {
      const [barn] = (await get("/barns?venue=mo-carthage")).records;
      const {rules} = barn!["schedule"] as {rules: Record_[]};
      const said = rules.map(
        (rule) =>
          `${rule["weekday"]} ${rule["usual_head"]} head ${list(rule["classes"] as string[])}, next ${rule["next_sale_date"]}`,
      );
      const words = await text("/barns?venue=mo-carthage");
      const [monday, wednesday] = rules;
      const near = (head: unknown, about: number) => Math.abs(Number(head) / about - 1) < 0.02;
      return [
        `${list(barn!["sale_days"] as string[])}; ${said.join("; ")}`,
        list(barn!["sale_days"] as string[]) === "monday, wednesday" &&
          rules.length === 2 &&
          monday!["next_sale_date"] === "2026-09-28" &&
          near(monday!["usual_head"], 6000) &&
          wednesday!["next_sale_date"] === "2026-09-30" &&
          near(wednesday!["usual_head"], 500) &&
          words.includes("Wednesday 2026-09-30"),
      ];
    },
  },
  {
    name: "no-sale-unsaid",
    files: () => ofCase("no-sale-unsaid"),
    dates: ["2026-09-11"],
    async ask({get, text}) {
      const latest = await get("/latest-prices?venue=ks-dodge-city&weight=625");
      const words = await text("/latest-prices?venue=ks-dodge-city&weight=625");
      const [barn] = (await get("/barns?venue=ks-dodge-city")).records;
      const exceptions = (barn!["schedule"] as {exceptions: Record_[]}).exceptions;
      const claims = (latest["evidence"] as Record_[]).map(({claim}) => String(claim));
      return [
        `no_sale_on ${list(latest.records.flatMap(({no_sale_on}) => no_sale_on as string[]))}; exceptions ${list(exceptions.map(({date, kind}) => `${kind} ${date}`))}; median ${barn!["median_receipts_last_12_sales"]}`,
        latest.records.length > 0 &&
          latest.records.every(({no_sale_on}) => String(no_sale_on) === "2026-09-09") &&
          claims.every((claim) => claim.includes("no sale was held on 2026-09-09")) &&
          words.includes("2026-09-09") &&
          exceptions.some(({date, kind}) => date === "2026-09-09" && kind === "no_sale") &&
          barn!["median_receipts_last_12_sales"] === 900 &&
          barn!["last_reported_sale_date"] === "2026-09-02",
      ];
    },
  },
  {
    name: "one-bad-pen-in-the-figure",
    files: () => ofCase("one-bad-pen-in-the-figure"),
    dates: ["2026-08-21"],
    async ask({get}) {
      const figures: Record_[] = [];
      for (const weight of [549, 550, 600])
        figures.push(
          (await get(`/price-by-county?zip=67801&class=steers&weight=${weight}`))["summary"] as Record_,
        );
      const pens = figures[1]!["residual_pens"] as Record_[];
      return [
        `${list(figures.map(({price_avg}) => price_avg))}; odd pen ${list(pens.map(({percent}) => `${percent} %`))}`,
        // V22, with the tolerance of the curve's vectors.
        [449.44, 448.88, 421.73].every(
          (price, at) => Math.abs(Number(figures[at]!["price_avg"]) - price) <= 0.02,
        ) &&
          pens.length === 1 &&
          pens[0]!["price_avg"] === 287.5,
      ];
    },
  },
  {
    name: "summary-before-its-week-ended",
    files: () => ofCase("summary-before-its-week-ended"),
    dates: ["2026-07-26"],
    async ask({get}) {
      const {records, evidence} = await get("/price-by-state?state=KS&class=steers&weight=870");
      const of = (evidence as Record_[]).filter(({evidence_id: id}) => id === records[0]?.["evidence_id"]);
      const [{confidence, contradictions} = {}] = of as {confidence: Record_; contradictions: Record_[]}[];
      const kinds = (contradictions ?? []).map(({kind}) => kind);
      return [
        `confidence ${confidence?.["level"]} ${confidence?.["score"]}, contradictions ${list(kinds) || "none"}`,
        kinds.includes("summary_incomplete") && confidence?.["level"] !== "high",
      ];
    },
  },
  {
    name: "unit-slip",
    files: () => ofCase("unit-slip"),
    dates: ["2026-08-21"],
    async ask({get, rows}) {
      const {records} = await get("/price-by-county?zip=67801&class=steers&limit=500");
      const refused = await rows(
        "quarantine",
        "reject_reason, count(*)::INTEGER AS n",
        "true GROUP BY 1 ORDER BY 1",
      );
      const slipped = records.filter(({price_avg: price}) => Number(price) < 600 && price !== null);
      return [
        `${slipped.length} steers by the slipped unit; refused ${list(refused.map(({reject_reason: reason, n}) => `${n} ${reason}`))}`,
        slipped.every(({price_unit}) => price_unit === "per_cwt") &&
          refused.some(({reject_reason: reason}) => reason === "implausible_unit"),
      ];
    },
  },
  {
    name: "redated-issue",
    files: () => ofCase("redated-issue", "mars"),
    dates: ["2026-08-21"],
    async ask({rows}) {
      const sales = await rows("sale_events", "sale_date::VARCHAR AS day, sale_status");
      const sold = await rows("price_rows/*/rows", "sum(head_count)::INTEGER AS head");
      const printed = JSON.parse(
        readFileSync(join(corpus!, "cases/market/redated-issue/b.json"), "utf8"),
      ) as {results: Record_[]};
      return [
        `${sales.length} sale of ${list(sales.map(({day}) => day))}, ${sold[0]!["head"]} of ${sum(printed.results, "head_count")} head that an issue prints`,
        sales.length === 1 &&
          sales[0]!["day"] === "2026-08-19" &&
          sold[0]!["head"] === sum(printed.results, "head_count"),
      ];
    },
  },
  {
    name: "duplicate-lot",
    files: () => ofCase("duplicate-lot"),
    dates: ["2026-08-23"],
    async ask({report, rows}) {
      const [file] = report.files.filter(({unit}) => unit === "ams-text");
      const priced = await rows("price_rows/*/rows", "count(*)::INTEGER AS n");
      return [
        `${file!.rowsIn} rows in, ${file!.accepted} accepted, rejected ${JSON.stringify(file!.rejected)}`,
        file!.rowsIn === 48 &&
          file!.accepted === 47 &&
          priced[0]!["n"] === 47 &&
          !("layout_uncertain" in file!.rejected),
      ];
    },
  },
  {
    name: "summary-cell-not-sold-is-called-withdrawn",
    files: () => printed(/^ams_1895_2026-08-(08|22)/),
    dates: ["2026-08-13", "2026-08-22"],
    async ask({get}) {
      const {records} = await get("/price-by-state?state=KS&limit=300");
      const withdrawn = records.filter(({change_status: status}) => status === "withdrawn");
      return [
        `${withdrawn.length} withdrawn of ${records.length}`,
        records.length > 0 && withdrawn.length === 0,
      ];
    },
  },
  {
    name: "new-and-revised-without-news",
    files: () => printed(/^ams_18(89|91)/),
    dates: ["2026-08-13", "2026-08-22"],
    async ask({rows}) {
      const told = await rows(
        "county_prices",
        "change_status, count(*)::INTEGER AS n",
        "true GROUP BY 1 ORDER BY 1",
      );
      const barns = await rows(
        "barns",
        "change_status, count(*)::INTEGER AS n",
        "last_reported_sale_date IS NOT NULL GROUP BY 1 ORDER BY 1",
      );
      const words = (of: Record_[]) => list(of.map(({change_status: status, n}) => `${n} ${status}`));
      return [
        `county records ${words(told)}; barns ${words(barns)}`,
        [...told, ...barns].every(({change_status: status}) => status === "unchanged" || status === "stale"),
      ];
    },
  },
  {
    name: "county-that-does-not-exist",
    files: () => printed(/^ams_18(89|91)/),
    dates: ["2026-08-23"],
    async ask({status, get}) {
      const refused = [
        "/price-by-county?county=Forde&state=KS",
        "/price-by-county?county=99999",
        "/barns?venue=nowhere",
      ];
      const codes = await Promise.all(refused.map(status));
      const ford = await get("/price-by-county?county=Ford+County,+KS");
      const counties = [...new Set(ford.records.map(({county_fips: fips}) => fips))];
      const unknown = await get("/price-by-county?zip=00000&class=steers&weight=550");
      return [
        `${list(codes)}; Ford County, KS is ${list(counties)}; ZIP 00000 ${unknown["result_status"]}, ${unknown["summary_reason"] ?? "no reason of too few head"}`,
        codes.every((code) => code === 400) &&
          list(counties) === "20057" &&
          unknown["result_status"] === "unresolved_location" &&
          unknown["summary"] == null &&
          unknown["summary_reason"] === undefined,
      ];
    },
  },
];

/** The columns "came" and "right" of the cases of the market. */
function told(): Map<string, {came: string; right: string}> {
  const lines = readFileSync(join(corpus!, "cases/README.md"), "utf8").split("\n");
  const rows = lines
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return new Map(rows.map(([, name, , , , came, right]) => [name!, {came: came!, right: right!}]));
}

describe.skipIf(corpus === null)(
  "the market cases of the corpus, each by a build of its own files",
  {timeout: 120_000},
  () => {
    const folder = temporaryFolder();
    const servers: TestServer[] = [];
    const table: string[] = [];
    let db: Database;
    beforeAll(async () => {
      db = await openDatabase();
    });
    afterAll(async () => {
      for (const server of servers) await server.close();
      db.close();
      folder.remove();
      process.stderr.write(
        `${["| case | came | now | right |", "|---|---|---|---|", ...table].join("\n")}\n`,
      );
    });

    async function built({name, files, dates}: Case): Promise<Asked> {
      const root = join(folder.path, name);
      for (const [feed, path] of [
        ...files(),
        ["geo", "market/geo/zcta_centroids_gazetteer_2021.csv.gz"] as const,
      ]) {
        const to = join(root, "raw/market", feed, path.split("/").at(-1)!);
        mkdirSync(dirname(to), {recursive: true});
        cpSync(join(corpus!, path), to);
      }
      let [previousDir, report]: [string | null, Asked["report"] | undefined] = [null, undefined];
      for (const asOf of dates) {
        const outDir = join(root, asOf);
        const raw = await listRawFiles(join(root, "raw"));
        report = await buildMarket({
          files: raw,
          outDir,
          asOf,
          previousDir,
          sample: false,
          tempDir: join(root, "temp"),
        });
        previousDir = outDir;
      }
      const dir = previousDir!;
      const generation = generationOf(openMarketArtifacts(join(dir, marketServing)), {asOf: dates.at(-1)!});
      const server = await testServer({generation: () => generation});
      servers.push(server);
      return {
        get: async (question) => (await server.get(question)).json(),
        status: async (question) => (await server.get(question)).status,
        async text(question) {
          const {status, text} = await server.get(question);
          return JSON.stringify(describeAnswer(question.split("?")[0]!, {ok: status === 200, body: text}));
        },
        rows: (name_, columns, where = "true") =>
          db.rows(
            `SELECT ${columns} FROM read_parquet(${sqlText(join(dir, tablePath(name_)))}) WHERE ${where}`,
          ),
        report: report!,
      };
    }

    it.each(cases)("$name", async (one) => {
      const [now, isRight] = await one.ask(await built(one));
      const {came = "", right = ""} = told().get(one.name) ?? {};
      table.push(`| ${one.name} | ${came} | ${now} | ${right} |`);
      expect(isRight, now).toBe(true);
    });

    it("are all cases of the market that the corpus has", () => {
      const folders = readdirSync(join(corpus!, "cases/market"), {withFileTypes: true}).filter((entry) =>
        entry.isDirectory(),
      );
      expect(cases.map(({name}) => name)).toEqual(expect.arrayContaining(folders.map(({name}) => name)));
    });
  },
);
