import {readFileSync} from "node:fs";
import {join} from "node:path";
import {tableFromIPC} from "apache-arrow";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {marketServing} from "../../lib/storage/build-layout.ts";
import {marketStage} from "../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {chosen, randomFrom, servedBy} from "../pipeline/market/recomputed/answers.ts";
import {evidenceFaults} from "../pipeline/market/recomputed/evidence-faults.ts";
import type {Named, Served} from "../pipeline/market/recomputed/figures.ts";
import {openPublished, type Published} from "../pipeline/market/recomputed/published.ts";
import {wrongSummaries} from "../pipeline/market/recomputed/summaries.ts";
import {wrongMembers} from "../pipeline/market/recomputed/wrong-members.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

const seed = Number(process.env["MARKET_SEED"] ?? 20260824);
/**
 * Days of the builds, and how many of their records are recomputed: few by default, because a record takes a tenth of a second.
 */
const days = (process.env["MARKET_DAYS"] ?? "2026-08-24").split(",");
const most = Number(process.env["MARKET_RECORDS"] ?? 500);

describe.skipIf(corpus === null).each(days)(
  `records of a build of the corpus as of %s (seed ${seed})`,
  (asOf) => {
    const folder = temporaryFolder();
    let server: TestServer;
    let published: Published;
    let served: Served[];
    let picked: Served[];

    beforeAll(async () => {
      const files = (await listRawFiles(corpus ?? "")).filter(({kind}) => kind === "market");
      const outDir = join(folder.path, "build");
      const tempDir = join(folder.path, "temp");
      await marketStage({files, outDir, asOf, previousDir: null, sample: false, tempDir});
      const generation = generationOf(openMarketArtifacts(join(outDir, marketServing)), {asOf});
      server = await testServer({generation: () => generation});
      published = await openPublished(outDir, asOf);
      served = await servedBy(server, questionsOf(outDir));
      for (const path of ["/price-by-county", "/price-by-state", "/latest-prices"])
        served.push(...(await pagesOf(server, path)));
      picked = chosen(served, most, seed);
    }, 600_000);
    afterAll(async () => {
      published.db.close();
      await server.close();
      folder.remove();
    });

    it("recomputes every number from the published files by independent SQL", async () => {
      const {wrong, compared} = await wrongMembers(published, picked);
      const kinds = Object.entries(
        Object.groupBy(picked, ({record, path}) => String(record["price_basis"] ?? path)),
      );
      const told = kinds.map(([kind, found]) => `${found!.length} ${kind}`).join(", ");
      const pairs = picked.filter(({record}) => record["price_unit"] === "per_pair");
      process.stderr.write(
        `${asOf}: recomputed ${compared} members of ${picked.length} records (${told}; ${pairs.length} of pairs), seed ${seed}\n`,
      );
      expect(wrong).toEqual([]);
      expect(picked.length).toBeGreaterThan(Math.min(most, 150) - 1);
    }, 3_600_000);

    it("recomputes the summaries of questions with a class and a weight from their records and the published rows", async () => {
      const places = [
        "zip=67801",
        "zip=67801&radius=300",
        "zip=67124&radius=60",
        "state=KS",
        "state=MO",
        "evidence=full",
      ];
      const asked = places.flatMap((place) =>
        ["steers", "heifers", "bulls", "dairy_steers"].flatMap((kind) =>
          [475, 550, 625, 775].map((weight) => `/price-by-county?${place}&class=${kind}&weight=${weight}`),
        ),
      );
      const {wrong, compared} = await wrongSummaries(published, server, asked);
      process.stderr.write(`${asOf}: recomputed ${compared} summaries of ${asked.length} questions\n`);
      expect(wrong).toEqual([]);
      // A day without a county price has none.
      const [least, most] = served.some(({record}) => record["price_basis"] === "observed_in_county")
        ? [10, 96]
        : [-1, 0];
      expect(compared).toBeGreaterThan(least!);
      expect(compared).toBeLessThanOrEqual(most!);
    });

    it("finds the fourteen evidence fields present and valid, and no number in a claim that its record lacks", () => {
      expect(picked.flatMap((served) => evidenceFaults(served))).toEqual([]);
    });

    it("tells of each record what to check next, and which may be acted on by its age and head", () => {
      const told = [...new Map(served.map((one) => [one.evidence["evidence_id"], one])).values()];
      const sentences = new Set(told.map(({evidence}) => evidence["operational_implication"]));
      process.stderr.write(
        `${asOf}: ${sentences.size} operational_implication sentences of ${told.length} records\n${actionTable(told)}\n`,
      );
      // `docs/design/market.md` section 6: fewer than one sentence for each 20 records is a defect.
      expect(sentences.size).toBeGreaterThan(told.length / 20);
      const refused = told.filter(({evidence}) => evidence["actionability"] === "do_not_act");
      const unsettled = (item: Named) => item["resolution"] === "unresolved";
      const reasons = refused.filter(
        ({record, evidence}) =>
          evidence["change_status"] === "withdrawn" ||
          record["freshness"] === "expired" ||
          ((evidence["contradictions"] ?? []) as Named[]).some(unsettled),
      );
      expect(reasons).toHaveLength(refused.length);
    });
  },
);

const actions = ["informational", "compare", "verify_before_acting", "do_not_act"];

/** Records by freshness and head, and how many of each action there are. */
function actionTable(told: readonly Served[]): string {
  const bandOf = ({record}: Served) => {
    const head = Number(record["head_count"] ?? record["contributing_head"] ?? Number.NaN);
    const band = [10, 50, 200].findIndex((below) => head < below);
    const words = ["1-9 head", "10-49 head", "50-199 head", "200 head and more"];
    return `${record["freshness"] ?? "no price"}\t${Number.isNaN(head) ? "no head" : words.at(band)}`;
  };
  const rows = [...Map.groupBy(told, bandOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const counted = rows.map(([band, found]) =>
    [
      band,
      ...actions.map((action) => found.filter(({evidence}) => evidence["actionability"] === action).length),
    ].join("\t"),
  );
  return [["freshness\thead", ...actions].join("\t"), ...counted].join("\n");
}

/** All records of a path, every cell of every commodity, page by page. */
async function pagesOf(server: TestServer, path: string): Promise<Served[]> {
  const found: Served[] = [];
  for (let page: Served[] | undefined; page === undefined || page.length === 500; found.push(...page))
    page = await servedBy(server, [
      `${path}?commodity=feeder_cattle,slaughter_cattle,replacement_cattle,dairy_calves&limit=500&offset=${found.length}`,
    ]);
  return found;
}

/** Every endpoint: states, ZIPs, and points near the reporting markets and elsewhere. */
function questionsOf(dir: string): string[] {
  const zips = tableFromIPC(readFileSync(join(dir, marketServing, "zips.arrow"))).getChild("zip")!;
  const random = randomFrom(seed);
  const anywhere = Array.from({length: 12}, () => String(zips.get(random(zips.length))));
  return [
    "/price-by-county?limit=500",
    ...["67801", "67124", "67054", "67501", "73838", "80836", ...anywhere].map(
      (zip) => `/price-by-county?zip=${zip}&limit=500`,
    ),
    "/price-by-state",
    ...["KS", "MT", "NM", "AL", "MO"].map((state) => `/price-by-state?state=${state}`),
    "/latest-prices",
    "/latest-prices?lat=37.75&lon=-100.02&limit=500",
    "/latest-prices?lat=38.9&lon=-97.1&limit=500",
    "/cattle-sale-barn-directory",
    "/barns",
    "/dealers/stats",
  ];
}
