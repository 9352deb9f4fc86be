import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {addDays} from "../../../lib/dates.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {marketStage} from "../../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {directRow, directTitle, marsAnswer, marsRow, metaFetched} from "../../pipeline/market/raw-folder.ts";
import {randomFrom} from "../../pipeline/market/recomputed/answers.ts";
import {generationOf, type TestBody, type TestServer, testServer} from "../server-fixture.ts";

/** Seed of the invented sales. */
export const seed = Number(process.env["SEED"] ?? 20261128);
const below = randomFrom(seed);
const random = () => below(1_000_000) / 1_000_000;
/** The day of the earlier build, and of the later one, 60 weeks after the first sale. */
export const [before, today] = ["2026-08-20", "2026-11-21"];
const firstDay = "2025-06-02";

const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));

/** Three barns, two of them in one county, one with two report numbers, and a direct report. */
const markets = [
  {town: "Sample Creek", state: "NE", slug: 9101, weekday: 0},
  {town: "Sublette", state: "KS", slug: 9102, weekday: 2},
  {town: "Sublette", state: "KS", slug: 9103, weekday: 4},
  {town: "Satanta", state: "KS", slug: 9104, weekday: 3},
];

function feeder() {
  const low = 50 * between(10, 13);
  const weight = random() < 0.1 ? null : between(low, low + 49);
  const price = between(25_000, 45_000) / 100;
  return {
    class: any(["Steers", "Heifers"]),
    muscle_grade: any(["1", "1", "1-2"]),
    lot_desc: any(["None", "None", "None", "Unweaned"]),
    head_count: any([between(1, 9), between(20, 90), between(20, 90), 9_000]),
    ...{avg_weight: weight, avg_weight_min: weight && low, avg_weight_max: weight && low + 49},
    ...{weight_break_low: low, weight_break_high: low + 50},
    avg_price: random() < 0.03 ? price * 3 : price,
    ...(random() < 0.2
      ? {avg_price_min: null, avg_price_max: null}
      : {avg_price_min: price - 2, avg_price_max: price + 3}),
  };
}

function pair() {
  const price = 10 * between(150, 400);
  return {
    ...{
      commodity: "Replacement Cattle",
      class: "Cow-Calf Pairs",
      price_unit: "Per Family",
      frame: "Medium and Large",
    },
    ...{
      age: any(["2-4", "5-8"]),
      pregnancy_stage: "O",
      offspring_weight_est: "150-300",
      head_count: between(1, 20),
    },
    ...{
      avg_weight: 1150,
      avg_weight_min: 1100,
      avg_weight_max: 1200,
      weight_break_low: 1100,
      weight_break_high: 1200,
    },
    ...{avg_price: price, avg_price_min: price - 50, avg_price_max: price + 100},
  };
}

const said = [
  "Compared to last week, feeder steers and heifers sold 5.00 higher. Demand good for moderate supply.",
  "Feeder steers sold 20.00 to 30.00 lower. Heifers were not well tested.",
  "No comparable trends.",
];

/** The rows of the sales of a market, by the day of the sale. */
function salesOf({town, state, slug, weekday}: (typeof markets)[number]): [day: string, rows: object[]][] {
  return Array.from({length: 76}, (_, week) => addDays(firstDay, 7 * week + weekday)).flatMap((day) => {
    if (day > today || random() < 0.08) return [];
    const shared = {
      ...{report_date: day, report_begin_date: day, report_end_date: day, published_date: `${day} 18:00:00`},
      ...{market_location_name: town, market_location_city: town, market_location_state: state},
      ...{slug_id: slug, slug_name: `AMS_${slug}`, report_title: `${town} Livestock - ${town}, ${state}`},
      ...{
        receipts: any([null, between(200, 2_000)]),
        report_narrative: any(said),
        final_ind: any(["Final", "Preliminary"]),
      },
    };
    const lots = Array.from({length: between(6, 30)}, () => (random() < 0.8 ? feeder() : pair()));
    return [[day, lots.map((lot) => marsRow({...shared, ...lot}))]];
  });
}

/** Three months of a direct report: its trades have a region and terms, and no barn. */
const tradeDays = ["2026-06-05", "2026-07-10", "2026-08-14"];
const tradesOf = (day: string) =>
  JSON.stringify([
    {
      reportSection: "Report Header",
      results: [
        {
          slug_id: 9710,
          report_title: directTitle,
          report_end_date: day,
          report_narrative: "Net weights after a 2% shrink.",
        },
      ],
    },
    {
      reportSection: "Report Details",
      stats: {returnedRows: 2},
      results: ["Invented Plains (KS)", "Invented Hills (MT)"].map((geographical_location) =>
        directRow({
          ...{report_date: day, report_begin_date: day, report_end_date: day},
          geographical_location,
        }),
      ),
    },
  ]);

/** A build of the invented market, and a server over it. */
export type Opened = {server: TestServer; dir: string};

async function opened(folder: string, asOf: string): Promise<Opened> {
  const files = (await listRawFiles(join(folder, "raw", asOf))).filter(({kind}) => kind === "market");
  const dir = join(folder, asOf);
  const tempDir = join(folder, "temp");
  await marketStage({files, outDir: dir, asOf, previousDir: null, sample: false, tempDir});
  const generation = generationOf(openMarketArtifacts(join(dir, marketServing)), {
    asOf,
    buildId: `${asOf.replaceAll("-", "")}-aaaaaa`,
  });
  return {dir, server: await testServer({generation: () => generation})};
}

/** Invents sales of 76 weeks and builds them twice: on a day twelve weeks before the last, and on the last. */
export async function openPastMarket(folder: string): Promise<{early: Opened; late: Opened}> {
  for (const market of markets) {
    const sales = salesOf(market);
    for (const [asOf, from, to] of [
      [before, "", before],
      [today, "", before],
      [today, before, today],
    ] as const) {
      const path = join(folder, "raw", asOf, "market/mars", `${market.slug}-${to}.json`);
      mkdirSync(dirname(path), {recursive: true});
      writeFileSync(path, marsAnswer(sales.flatMap(([day, rows]) => (day > from && day <= to ? rows : []))));
      writeFileSync(`${path}.meta.json`, metaFetched(`${to}T20:00:00Z`));
    }
  }
  for (const day of tradeDays)
    for (const asOf of [before, today]) {
      const path = join(folder, "raw", asOf, "market/mars", `trades-${day}.json`);
      writeFileSync(path, tradesOf(day));
      writeFileSync(`${path}.meta.json`, metaFetched(`${day}T20:00:00Z`));
    }
  const summary = {
    ...{report_begin_date: "2026-08-02", report_end_date: "2026-08-08", report_date: "2026-08-08"},
    ...{slug_id: 9720, slug_name: "AMS_9720", report_title: "Montana Weekly Livestock Auction Summary"},
    ...{market_location_name: null, market_location_city: null, market_location_state: "MT"},
  };
  const path = join(folder, "raw", before, "market/mars/summary.json");
  writeFileSync(path, marsAnswer([marsRow(summary)]));
  writeFileSync(`${path}.meta.json`, metaFetched("2026-08-09T20:00:00Z"));
  return {early: await opened(folder, before), late: await opened(folder, today)};
}

/** A record or a piece of evidence. */
export type Named = Record<string, unknown> & {evidence_id: string};
type Paged = {records: Named[]; evidence: Named[]; total: number};

/** The answer of a build's server. Throws with the problem if it is none. */
export async function answerTo(server: TestServer, question: string): Promise<TestBody> {
  const reply = await server.get(question);
  if (reply.status !== 200) throw new Error(`${question}: ${reply.text}`);
  return reply.json();
}

/** All pages of a question, by cursor. */
export async function pagesOf(server: TestServer, question: string): Promise<Paged> {
  const found: Paged = {records: [], evidence: [], total: 0};
  for (let cursor = ""; ; ) {
    const body = await answerTo(server, `${question}${cursor}`);
    const {total, next_cursor: next} = body["page"] as {total: number; next_cursor: string | null};
    found.records.push(...(body.records as Named[]));
    found.evidence.push(...(body["evidence"] as Named[]));
    if (next === null) return {...found, total};
    cursor = `&cursor=${next}`;
  }
}
