import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {mapFile, openArrowTable} from "@open-cattle/mapped-index";
import {curveFigure, pensBetween, type SalePen} from "../lib/market/curve-figure.ts";
import {curveClasses, curveSummary} from "../lib/market/curve-summary.ts";
import {headOf} from "../lib/market/pen-means.ts";
import {fitWeightCurve} from "../lib/market/weight-curve.ts";
import {marketServing} from "../lib/storage/build-layout.ts";
import {buildFolder, dataFolder, publishedBuildId} from "../lib/storage/data-folder.ts";
import {readManifest} from "../lib/storage/manifest-file.ts";
import {text} from "../server/tables/mapped-columns.ts";
import {openMarketArtifacts} from "../server/tables/market-set.ts";
import {quantile, tenth} from "./figures.ts";
import {benchKey} from "./http/benched-app.ts";
import {startServerProcess} from "./http/child.ts";
import {machineLine} from "./machine.ts";

/**
 * Summaries of a published build: of the questions class x 50 lb x 30 ZIPs how many have a figure, by the mean of a cell as before and by the
 * weight curve; how many pens a curve without them predicts; and the time of a summary over HTTP.
 *
 *   node bench/summaries.ts [data folder]      default: data
 */
const data = dataFolder(process.argv[2] ?? "data");
const weights = Array.from({length: 13}, (_, at) => 375 + 50 * at);
const zipCount = 30;
const miles = 150;
/** The means of cells that the curve replaced: 14 days, 28 where thin, at least so many head. */
const cellMean = {days: [14, 28], head: 10, binLb: 50};
const roundsOfQuestions = 3;

const build = buildFolder(data, await publishedBuildId(data));
const folder = join(build, marketServing);
const {as_of_date: asOf} = await readManifest(build);
const market = openMarketArtifacts(folder);
const zips = chosenZips();
console.log(`${machineLine()}; build of ${asOf}, ${zips.length} ZIPs with a sale within ${miles} miles`);
console.table(coverage());
console.table(leftOut());
console.table(await times());

/** ZIPs spread over those within reach of a sale of the last 28 days. */
function chosenZips(): string[] {
  const table = openArrowTable(mapFile(join(folder, "zips.arrow")).buffer, join(folder, "zips.arrow"));
  const zipAt = text("zip")(table);
  const step = Math.max(1, Math.floor(table.rows / 3000));
  const inReach: string[] = [];
  for (let row = 0; row < table.rows; row += step)
    if (pensNear(zipAt(row)).steers.some(({ageDays}) => ageDays <= 28)) inReach.push(zipAt(row));
  const every = Math.max(1, inReach.length / zipCount);
  return Array.from(
    {length: Math.min(zipCount, inReach.length)},
    (_, at) => inReach[Math.floor(at * every)]!,
  );
}

function pensNear(zip: string) {
  const point = market.zip(zip)?.point;
  return point == null ? {steers: [], heifers: []} : market.salePens.of({around: {point, miles}});
}

function coverage() {
  return curveClasses.map((kind) => {
    const tried = zips.flatMap((zip) => {
      const pens = pensNear(zip);
      return weights.map((weightLb) => ({
        before: hasCellMean(pens[kind], weightLb),
        after: curveSummary(pens, {kind, weightLb, place: ""}).summary,
      }));
    });
    const figures = tried.filter(({after}) => after.price_avg !== null);
    const share = (count: number) => `${count} (${tenth((100 * count) / tried.length)} %)`;
    const within = (days: number) => share(figures.filter(({after}) => after.window_days === days).length);
    return {
      class: kind,
      questions: tried.length,
      "mean of a cell": share(tried.filter(({before}) => before).length),
      "weight curve": share(figures.length),
      both: share(figures.filter(({before}) => before).length),
      ...{"7 days": within(7), "14 days": within(14), "21 days": within(21)},
      "with a change": share(
        figures.filter(({after}) => (after.change_week ?? after.change_14_days) !== null).length,
      ),
    };
  });
}

function hasCellMean(pens: readonly SalePen[], weightLb: number): boolean {
  const low = weightLb - (weightLb % cellMean.binLb);
  const ofBin = pens.filter((pen) => pen.weightLb >= low && pen.weightLb < low + cellMean.binLb);
  return cellMean.days.some((days) => headOf(pensBetween(ofBin, 0, days)) >= cellMean.head);
}

/** Each pen of the last two weeks near a ZIP against the curve of the others, by the number of these. */
function leftOut() {
  const tries = zips.flatMap((zip) => {
    const areas = pensNear(zip);
    return curveClasses.flatMap((kind) => {
      const pens = pensBetween(areas[kind], 0, 14);
      return pens.flatMap((pen, at) => {
        const others = pens.filter((_, other) => other !== at);
        const {price} = curveFigure(others, {weightLb: pen.weightLb, grade: pen.grade});
        return price === null
          ? []
          : [{pens: fitWeightCurve(others, pen.grade)!.pens.length, off: Math.abs(pen.price / price - 1)}];
      });
    });
  });
  const bands = ["5-7", "8-11", "12-19", "20-39", "40 and more"];
  const bandOf = (pens: number) => bands[[8, 12, 20, 40].filter((least) => pens >= least).length]!;
  const byBand = Map.groupBy(tries, ({pens}) => bandOf(pens));
  return bands.flatMap((band) => {
    const list = byBand.get(band) ?? [];
    const within = (share: number) =>
      `${tenth((100 * list.filter(({off}) => off <= share).length) / list.length)} %`;
    if (list.length === 0) return [];
    return [
      {
        pens: band,
        "left out": list.length,
        "within 2.5 %": within(0.025),
        "within 5 %": within(0.05),
        "within 10 %": within(0.1),
      },
    ];
  });
}

/** Milliseconds of a question with a summary, without one, one question at a time. */
async function times() {
  const script = fileURLToPath(new URL("http/market-server.ts", import.meta.url));
  const server = await startServerProcess(script, [folder, asOf]);
  try {
    const rows = [];
    for (const [name, kinds] of [
      [
        "summary at a weight",
        (at: number) => `&class=steers&weight=${weights[at % weights.length]! + (at % 50)}`,
      ],
      ["two summaries", () => "&class=heifers"],
      ["cows", () => "&class=cows"],
      ["no class", () => ""],
    ] as const) {
      const ms: number[] = [];
      for (let at = 0; at < zips.length * roundsOfQuestions * 4; at++) {
        const path = `/price-by-county?zip=${zips[at % zips.length]}&limit=1&evidence=none${kinds(at)}`;
        const start = performance.now();
        const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
          headers: {"X-API-Key": benchKey},
        });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
        if (at >= zips.length) ms.push(performance.now() - start);
      }
      ms.sort((a, b) => a - b);
      rows.push({
        question: name,
        answers: ms.length,
        "p50, ms": tenth(quantile(ms, 0.5)),
        "p99, ms": tenth(quantile(ms, 0.99)),
        "worst, ms": tenth(ms.at(-1)!),
      });
    }
    return rows;
  } finally {
    await server.stop();
  }
}
