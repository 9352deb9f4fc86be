import {join} from "node:path";
import {expect, it} from "vitest";
import {buildMarket} from "../../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {randomFrom} from "./recomputed/answers.ts";
import {opened, putRaw} from "./weekly-builds.ts";

/** An invented barn, known in all its reports by the price of its one pen. */
type Barn = {
  readonly name: string;
  readonly rosterNames: readonly string[];
  readonly city: string;
  readonly price: number;
};
const barns: readonly Barn[] = [
  {name: "Elm Livestock", rosterNames: ["Elm Stockyards Inc", "Elm Livestock"], city: "Elm", price: 301.11},
  {
    name: "Elm Creek Yards",
    rosterNames: ["Elm Creek Yards", "Elm Creek Auction"],
    city: "Elm",
    price: 302.22,
  },
  {name: "Oak Barn", rosterNames: ["Oak Sale Company", "Oak Barn"], city: "Oak", price: 303.33},
];
const seed = Number(process.env["SEED"] ?? 46);
const nights = 7;

const title = ({name, city}: Barn) => `${name} - ${city}, NE`;

function served(barn: Barn, number: number, day: string): string {
  const [year, month, date] = day.split("-");
  const at = `${month}/${date}/${year}`;
  return marsAnswer([
    marsRow({
      ...{report_date: at, report_begin_date: at, report_end_date: at, published_date: `${at} 18:00:00`},
      ...{slug_id: number, slug_name: `AMS_${number}`, report_title: title(barn)},
      ...{market_location_name: barn.city, market_location_city: barn.city},
      ...{avg_price: barn.price, avg_price_min: barn.price, avg_price_max: barn.price},
    }),
  ]);
}

function printed(barn: Barn, number: number, day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  const price = barn.price.toFixed(2);
  return `                        ${title(barn)}
                        AMS Livestock, Poultry, & Grain Market News

Livestock Weighted Average Report for ${month}/${date}/${year} - Final

AUCTION
                                                          This Week                 Last Reported                     Last Year
Total Receipts:                                            900                         850                              800
Feeder Cattle:                                             900(100.0%)                 850(100.0%)                      800(100.0%)


FEEDER CATTLE

STEERS - Medium and Large 1 (Per Cwt / Actual Wt)
  Head            Wt Range          Avg Wt              Price Range     Avg Price
   41             751-799            775                  ${price}         ${price}

Source: USDA AMS Livestock, Poultry & Grain Market News                                                     Page 1 of 1
        https://mymarketnews.ams.usda.gov/ | https://mymarketnews.ams.usda.gov/viewReport/${number}
`;
}

it(`V28 keeps the venue_id of each barn while rosters, forms and numbers of its reports change (seed ${seed})`, async () => {
  const folder = temporaryFolder();
  const random = randomFrom(seed);
  const numbers = barns.map((_, at) => 9_201 + at);
  const idOf = new Map<number, string>();
  const faults: string[] = [];
  let previousDir: string | null = null;
  for (let night = 0; night < nights; night++) {
    const day = new Date(Date.UTC(2026, 8, 1 + 7 * night)).toISOString().slice(0, 10);
    const retrievedAt = `${day}T20:00:00Z`;
    const lines: string[] = [];
    for (const [at, barn] of barns.entries()) {
      const listed = numbers[at]!;
      if (night > 0 && random(3) === 0) numbers[at] = 9_300 + 10 * night + at;
      const number = numbers[at]!;
      const report = random(2) === 0 ? served(barn, number, day) : printed(barn, number, day);
      const path = report.startsWith("{")
        ? `mars/${number}_${day}.json`
        : `ams-text/ams_${number}_${day}.txt`;
      await putRaw(folder.path, path, {content: report, retrievedAt});
      // The roster may have the number of the week before, with any of the barn's names; that of the first barn always has.
      const isLate = at === 0 || random(2) === 0;
      const name =
        isLate || listed === number ? barn.rosterNames[random(barn.rosterNames.length)]! : barn.name;
      const line = `${isLate ? listed : number},"${name} - ${barn.city}, NE",NE,${barn.city},Tuesday`;
      if (at === 0 || random(4) > 0) lines.splice(random(lines.length + 1), 0, line);
    }
    await putRaw(folder.path, "directory/roster.csv", {
      content: `slug_id,title,state,city,sale_days\n${lines.join("\n")}\n9999,"Fir Barn - Fir, NE",NE,Fir,Monday\n`,
      retrievedAt,
    });
    const outDir = join(folder.path, "builds", day);
    const files = await listRawFiles(join(folder.path, "raw"));
    const input = {outDir, asOf: day, previousDir, sample: false, venues: []};
    await buildMarket({files, ...input, tempDir: join(folder.path, "temp")});
    const table = (name: string) => `read_parquet('${join(outDir, "tables", name)}.parquet')`;
    await opened(async (db) => {
      const rows = await db.rows<{price: number; ids: string[]; n: number}>(
        `SELECT price_avg::DOUBLE AS price, list_sort(list(DISTINCT venue_id)) AS ids, count(*)::INTEGER AS n FROM ${table("price_rows/*/rows")} GROUP BY 1 ORDER BY 1`,
      );
      for (const {price, ids, n} of rows) {
        const [id] = [...ids];
        const kept = idOf.get(price) ?? id!;
        idOf.set(price, kept);
        if (ids.length !== 1 || id !== kept || n !== night + 1)
          faults.push(`${day}: ${n} rows at ${price} of ${[...ids]}, not ${kept}`);
      }
      const told = await db.rows<{venue_id: string}>(
        `SELECT venue_id FROM ${table("barns")} WHERE venue_id LIKE 'ne-%' ORDER BY 1`,
      );
      const expected = [...idOf.values(), "ne-fir"].sort();
      if (String(told.map(({venue_id}) => venue_id)) !== String(expected))
        faults.push(`${day}: barns ${told.map(({venue_id}) => venue_id)}, not ${expected}`);
    });
    previousDir = outDir;
  }
  folder.remove();
  process.stderr.write(`ids of ${idOf.size} barns in ${nights} builds: ${[...idOf.values()].join(", ")}\n`);
  expect(faults).toEqual([]);
}, 300_000);
