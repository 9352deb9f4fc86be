import {join} from "node:path";
import {afterAll, beforeAll, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {buildMarket} from "../../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {writeSample} from "../../../pipeline/sample/write-sample.ts";
import type {marketSourceIds} from "../../../schemas/market-source.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";

const asOf = "2026-11-21";
const folder = temporaryFolder();
let licensed: TestServer;
let unlicensed: TestServer;

beforeAll(async () => {
  const raw = join(folder.path, "raw");
  await writeSample(raw, asOf);
  const files = (await listRawFiles(raw)).filter(({kind}) => kind === "market");
  const outDir = join(folder.path, "build");
  const tempDir = join(folder.path, "temp");
  await buildMarket({files, outDir, asOf, previousDir: null, sample: true, tempDir, futuresLicensed: true});
  const generation = generationOf(openMarketArtifacts(join(outDir, marketServing)), {asOf, sample: true});
  const served = (licence: string) =>
    testServer({
      generation: () => generation,
      settings: readSettings({CATTLE_RATE_PER_MINUTE: "1000000", CATTLE_FUTURES_LICENSED: licence}),
    });
  [licensed, unlicensed] = [await served("1"), await served("0")];
});
afterAll(async () => {
  await Promise.all([licensed.close(), unlicensed.close()]);
  folder.remove();
});

type Cited = {
  sources: string[];
  context: {signal: string; source_id: string; key_type: string; values: Record<string, unknown>}[];
};
const ask = async (server: TestServer, question: string) =>
  (await server.get(question)).json() as unknown as Cited & {limitations: string[]};

/** A question whose answer cites each source. */
const questions: Record<(typeof marketSourceIds)[number], string> = {
  "ams-lmr-datamart": "/price-by-state?state=TX",
  "nass-quickstats": "/price-by-state?state=TX",
  mars: "/latest-prices",
  aphis: "/price-by-state?state=TX",
  "us-drought-monitor": "/price-by-county?zip=76401",
  nws: "/price-by-state?state=TX",
  futures: "/price-by-state?state=TX",
  diesel: "/price-by-state?state=TX",
  echo: "/price-by-county?zip=76401",
  "open-map-parcel-context": "/barns?state=TX",
  "derived-aggregates": "/price-by-county",
  "state-brand-inspection-agencies": "/price-by-state?state=TX",
  "state-agriculture-reference-pages": "/dealers/stats",
  "editorial-market-reference-sources": "/price-by-state?state=AZ",
};

it.each(Object.entries(questions))("an answer cites %s", async (id, question) => {
  expect((await ask(licensed, question)).sources).toContain(id);
});

it("gives pointers by state with title, address, kind and boundary wherever an answer names the state", async () => {
  const paths = [
    ...["/price-by-state?state=TX", "/barns?state=TX", "/cattle-sale-barn-directory?state=TX"],
    ...["/barns?county=48143", "/barns?zip=76401", "/cattle-sale-barn-directory?zip=76401"],
    ...["/barns?venue=crooked", "/latest-prices?venue=crooked"],
  ];
  for (const question of paths) {
    const {context} = await ask(licensed, question);
    const found = context.filter(({signal}) => signal === "references");
    expect(found.map(({values}) => values["kind"]).sort()).toEqual([
      "brand_inspection",
      "editorial",
      "state_page",
    ]);
    for (const {values} of found)
      expect(values).toMatchObject({
        title: expect.any(String),
        url: expect.stringMatching(/^https:/),
        boundary: expect.stringMatching(/\.$/),
      });
  }
});

it("gives a state its own drought map, else the shares of all its counties by area", async () => {
  const drought = async (state: string) =>
    (await ask(licensed, `/barns?state=${state}`)).context.filter(({signal}) => signal === "drought");
  expect(await drought("TX")).toMatchObject([{values: {d0_pct: 44.9, counties_summed: null}}]);
  const [arizona, ...more] = await drought("AZ");
  expect([arizona?.values, more]).toMatchObject([{none_pct: 0, d1_pct: 100, counties_summed: 15}, []]);
  // The state has no more than its worst county, no less than its best.
  expect(arizona?.values["d2_pct"]).toBeGreaterThan(40.4);
  expect(arizona?.values["d2_pct"]).toBeLessThan(54.4);
});

it("tells the alerts and the forecast at the venues of an answer, each once", async () => {
  const weather = async (question: string) =>
    (await ask(licensed, question)).context.filter(
      ({source_id, key_type}) => source_id === "nws" && key_type !== "state",
    );
  const atErath = [
    {signal: "weather_alert", key_type: "county", key: "48143"},
    {signal: "weather_forecast", key_type: "venue", key: "tx-sample-springs"},
  ];
  // The county is that of a record in the first two questions, and that of the question itself in the third.
  for (const question of ["/latest-prices", "/barns?venue=crooked", "/barns?county=48143"])
    expect(await weather(question), question).toMatchObject(atErath);
  const [, forecast] = await weather("/barns?venue=crooked");
  const periods = forecast!.values["periods"] as {starts: string}[];
  expect(periods).toHaveLength(5);
  expect(periods[0]).toMatchObject({
    name: "Day 1",
    starts: `${asOf}T12:00:00Z`,
    temperature: 52,
    temperature_unit: "degF",
    wind_low_mph: 15,
    wind_high_mph: 25,
    precipitation_pct: 60,
    summary: "Wintry Mix Likely",
  });
  expect(await weather("/barns?venue=saguaro")).toEqual([]);
});

it("withholds settlements where the server has no licence, whatever the build had", async () => {
  const question = "/price-by-state?state=TX";
  const [open, shut] = [await ask(licensed, question), await ask(unlicensed, question)];
  const L12 = "Futures values are not redistributed in this deployment.";
  expect([open.sources.includes("futures"), open.limitations.includes(L12)]).toEqual([true, false]);
  expect([shut.sources.includes("futures"), shut.limitations.includes(L12)]).toEqual([false, true]);
  expect(shut.context.filter(({source_id}) => source_id === "futures")).toEqual([]);
  const tags = await Promise.all(
    [licensed, unlicensed].map(async (server) => (await server.get(question)).headers.etag),
  );
  expect(new Set(tags).size).toBe(2);
});
