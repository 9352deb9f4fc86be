import {addDays, weekdayOf} from "../../lib/dates.ts";
import {type SampleSale, sampleSale} from "../../pipeline/market/samples/sale.ts";
import {type SampleBarn, sampleBarns, sampleVenues} from "../../pipeline/market/samples/sample-barns.ts";
import {marsBody, printedReport} from "../../pipeline/market/samples/sample-reports.ts";
import {printPdf} from "../pipeline/market/print-pdf.ts";
import {playBulkFiles} from "./bulk-world.ts";
import {file, json, type ReplayServer, type Seen, tagOf} from "./replay-server.ts";

/** The state of the market's publishers, which a test may change between nights. */
export type MarketWorld = {
  /** Day of the latest sales. */
  today: string;
  /** Changes a sale, as a corrected report does. */
  correct: (sale: SampleSale, barn: SampleBarn) => SampleSale;
  /** Hours after the sale day at which each report was published, by slug; a corrected one is later. */
  publishedAt: (barn: SampleBarn, newest: string) => string;
  /** Numbers of reports marked as corrected in the list. */
  correctedSlugs: ReadonlySet<number>;
  /** Further reports in the service's list. */
  furtherReports: readonly Record<string, unknown>[];
  /** Maximum number of rows that the report service returns. */
  mostRows: number;
  /** Ids of ECHO queries that return an error inside a 200. */
  echoErrors: ReadonlySet<string>;
  readonly keys: {readonly mars: string; readonly nass: string; readonly eia: string};
};

const barns = sampleBarns.map((barn) => ({...barn}));
const forMars = barns.filter(({feed}) => feed === "mars");
const forTexts = barns.filter(({feed}) => feed === "ams-text");

/** Makes a world with two served and three printed reports, in which nothing was corrected. */
export function marketWorld(today: string): MarketWorld {
  return {
    today,
    correct: (sale) => sale,
    publishedAt: (_, newest) => `${american(newest)} 18:00:00`,
    correctedSlugs: new Set(),
    furtherReports: [],
    mostRows: 100_000,
    echoErrors: new Set(),
    keys: {mars: "mars-key-5f1e0c77", nass: "NASS-KEY-0A9B-77D2", eia: "eiakey8c41b2"},
  };
}

/** Makes a server play all market publishers. */
export function playMarket(server: ReplayServer, world: MarketWorld): void {
  const sales = (barn: SampleBarn) =>
    Array.from({length: 12}, (_, week) => addDays(newestSale(barn, world.today), -7 * week)).map((date) =>
      world.correct(sampleSale(barn.slug, date), barn),
    );
  const listed = (barn: SampleBarn) => ({
    slug_id: String(barn.slug),
    slug_name: `AMS_${barn.slug}`,
    report_title: `${barn.name} Cattle Auction - ${barn.city}, ${barn.state}`,
    published_date: world.publishedAt(barn, newestSale(barn, world.today)),
    market_types: ["Auction Livestock"],
    hasCorrectionsInLastThreeDays: world.correctedSlugs.has(barn.slug),
  });
  const cheese = {
    slug_id: "1084",
    report_title: "Cheese",
    published_date: "11/01/2026 10:00:00",
    market_types: ["Dairy"],
  };

  server.on("/mars", (request, reply) => {
    const expected = `Basic ${Buffer.from(`${world.keys.mars}:`).toString("base64")}`;
    if (request.headers["authorization"] !== expected) return void reply.writeHead(403).end();
    if (request.path === "/mars/reports")
      return json(() => [...forMars.map(listed), cheese, ...world.furtherReports])(request, reply);
    const barn = forMars.find(({slug}) => request.path === `/mars/reports/${slug}`);
    if (barn === undefined) return void reply.writeHead(404).end();
    return json(() => detail(barn, sales(barn), request, world.mostRows))(request, reply);
  });
  server.on(
    "/texts/listPublishedReports",
    index(() => [...forTexts.map(listed), cheese]),
  );
  server.on(
    "/texts/listCorrectedReports",
    index(() => []),
  );
  server.on("/mnreports", async (request, reply) => {
    const barn = forTexts.find(({slug}) => request.path === `/mnreports/ams_${slug}.pdf`);
    if (barn === undefined) return void reply.writeHead(404).end();
    const pdf = await printedEdition(world, barn.slug, newestSale(barn, world.today));
    return file(() => pdf, {type: "application/pdf"})(request, reply);
  });
  playBulkFiles(server);
  server.on("/lmr/reports", json(datamart));
  server.on(
    "/nass/get_counts",
    json(() => ({count: 2})),
  );
  server.on("/nass/api_GET", (request, reply) => {
    if (request.query.get("key") !== world.keys.nass) return void reply.writeHead(401).end();
    if (request.query.get("commodity_desc") !== "CATTLE")
      return void reply.writeHead(400).end('{"error":["bad request - invalid query"]}');
    return json(statistics)(request, reply);
  });
  server.on("/usdm", json(drought));
  server.on(
    "/nws/alerts/active",
    json(() => ({type: "FeatureCollection", features: [], title: "current alerts"})),
  );
  server.on(
    "/nws/points",
    json((request) => point(request, server.origin)),
  );
  server.on(
    "/nws/gridpoints",
    json(() => forecast(world.today)),
  );
  server.on("/eia", (request, reply) => {
    if (request.query.get("api_key") !== world.keys.eia) return void reply.writeHead(403).end();
    return json(() => diesel(world))(request, reply);
  });
  server.on(
    "/echo/cwa_rest_services.get_facilities",
    json(({query}) => echoQuery(query.get("p_st")!, world)),
  );
  server.on(
    "/echo/cwa_rest_services.metadata",
    json(() => ({
      Results: {
        Message: "Success",
        ResultColumns: echoColumns.map((name, at) => ({ColumnID: String(at * 10 + 1), ObjectName: name})),
      },
    })),
  );
  server.on("/echo/cwa_rest_services.get_download", (request, reply) => {
    const text = facilities(request.query.get("qid")!, request.query.get("qcolumns")!);
    const etag = tagOf(text);
    if (request.headers["if-none-match"] === etag) return void reply.writeHead(304, {etag}).end();
    reply.writeHead(200, {"content-type": "text/csv", etag}).end(text);
  });
  server.on(
    "/directory.json",
    file(() => Buffer.from(JSON.stringify(sampleVenues(barns, "2026-11-01")))),
  );
}

/** The barns whose reports are printed, with the days of their latest sales, newest first. */
export function textBarns({today}: MarketWorld): {barn: SampleBarn; newest: string; days: string[]}[] {
  return forTexts.map((barn) => {
    const newest = newestSale(barn, today);
    return {barn, newest, days: Array.from({length: 12}, (_, week) => addDays(newest, -7 * week))};
  });
}

/** The printed report of a barn's sale on a day. */
export function printedEdition(world: MarketWorld, slug: number, day: string): Promise<Buffer> {
  const barn = forTexts.find((each) => each.slug === slug)!;
  const [sale, before] = [day, addDays(day, -7)].map((date) =>
    world.correct(sampleSale(slug, date), barn),
  ) as [SampleSale, SampleSale];
  return printPdf(printedReport(barn, sale, before, sampleSale(slug, addDays(day, -364))));
}

type IndexedReport = {slug_id: string; report_title: string; published_date: string};

/** The keyless index of reports: one JSON string of text lines, with columns as wide as the day's longest cells. */
function index(reports: () => readonly IndexedReport[]) {
  return json(() => {
    const lines = reports().map(({slug_id: slug, report_title: title, published_date: published}) => {
      const moment = `${iso(published.slice(0, 10))} ${published.slice(11)}.0`;
      const days = `${iso(published.slice(0, 10))}  ${iso(published.slice(0, 10))}`;
      // Washington is five hours behind in November.
      const instant = Date.parse(`${moment.slice(0, 19).replace(" ", "T")}-05:00`);
      return `${slug.padEnd(8)}${`ams_${slug}`.padEnd(12)}PDF   ${moment}  ${instant}  ${days}  ${title}`;
    });
    const columns =
      "Slug ID  Slug Name  Ext  Published Date  Msec  Report Begin Date  Report End Date  Report Title";
    return ["Published reports", "", columns, ...lines, "", `Total: ${lines.length} reports`].join("\n");
  });
}

function newestSale({saleWeekday}: SampleBarn, today: string): string {
  return addDays(today, -((weekdayOf(today) - saleWeekday + 7) % 7));
}

/** A report's detail for the requested days, truncated to the caller's row limit. */
function detail(barn: SampleBarn, sales: readonly SampleSale[], {query}: Seen, mostRows: number): unknown {
  const [, from = "", to = ""] = /=(\S+):(\S+)$/.exec(query.get("q") ?? "") ?? [];
  const within = sales.filter(({date}) => date >= iso(from) && date <= iso(to));
  const [envelope] = JSON.parse(marsBody(within.map((sale) => ({barn, sale})))) as [
    {results: unknown[]; stats: object},
  ];
  const rows = envelope.results.map((row) => ({
    ...(row as object),
    report_title: `${barn.name} Cattle Auction - ${barn.city}, ${barn.state}`,
    report_narrative: null,
    office_name: "Nowhere",
  }));
  const results = rows.slice(0, mostRows);
  return [
    {stats: {totalRows: rows.length, returnedRows: results.length, userAllowedRows: mostRows}, results},
  ];
}

function datamart({path, query}: Seen): unknown {
  const slug = path.split("/").at(-1)!;
  const [, , to = ""] = /=(\S+):(\S+)$/.exec(query.get("q") ?? "") ?? [];
  const row = {
    ...{
      report_date: "11/16/2026",
      report_title: `Invented Daily Cattle Report (LM_CT${slug})`,
      slug_id: slug,
    },
    ...{class_description: "STEER", weighted_avg_price: "231.40", head_count: "1,204"},
  };
  const results = iso(to) >= "2026-11-16" ? [row] : [];
  return [
    {
      reportSection: "Detail",
      stats: {"totalRows:": results.length, "returnedRows:": results.length},
      results,
    },
  ];
}

function statistics({query}: Seen): unknown {
  const row = {
    ...{
      short_desc: "CATTLE, INCL CALVES - INVENTORY",
      commodity_desc: "CATTLE",
      statisticcat_desc: "INVENTORY",
    },
    ...{agg_level_desc: query.get("agg_level_desc"), state_alpha: "AZ", state_fips_code: "04", year: "2026"},
    ...{
      Value: "980,000",
      unit_desc: "HEAD",
      freq_desc: "POINT IN TIME",
      reference_period_desc: "FIRST OF JAN",
    },
    ...{source_desc: "SURVEY", domain_desc: "TOTAL", county_ansi: "003", county_name: "COCHISE"},
  };
  return {data: [row]};
}

function drought({query}: Seen): unknown {
  const [month, day, year] = query.get("enddate")!.split("/");
  const date = `${year}${month!.padStart(2, "0")}${day!.padStart(2, "0")}`;
  const shares = {None: 40, D0: 60, D1: 30, D2: 10, D3: 0, D4: 0};
  return [
    {
      MapDate: date,
      FIPS: "04003",
      County: "Cochise County",
      State: query.get("aoi"),
      ...shares,
      StatisticFormatID: 1,
    },
  ];
}

function point({path}: Seen, origin: string): unknown {
  const [lat, lon] = path.split("/").at(-1)!.split(",").map(Number) as [number, number];
  const [x, y] = [Math.round((lon + 130) * 4), Math.round(lat * 4)];
  const grid = {
    gridId: "TWC",
    gridX: x,
    gridY: y,
    forecast: `${origin}/nws/gridpoints/TWC/${x},${y}/forecast`,
  };
  return {
    geometry: {type: "Point", coordinates: [lon, lat]},
    properties: {
      ...grid,
      forecastHourly: `${grid.forecast}/hourly`,
      county: "https://api.weather.gov/zones/county/AZC003",
    },
  };
}

function forecast(today: string): unknown {
  const period = {startTime: `${today}T06:00:00-07:00`, endTime: `${today}T18:00:00-07:00`};
  const said = {
    name: "Today",
    temperature: 71,
    temperatureUnit: "F",
    windSpeed: "5 to 10 mph",
    windDirection: "W",
  };
  return {
    properties: {
      generatedAt: `${today}T05:00:00+00:00`,
      periods: [{...period, ...said, shortForecast: "Sunny"}],
    },
  };
}

/** The service echoes the request, including the key. */
function diesel({today, keys}: MarketWorld): unknown {
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7));
  const data = ["NUS", "R10", "R20", "R30", "R40", "R50"].map((duoarea) => ({
    ...{period: monday, duoarea, product: "EPD2D", "product-name": "No 2 Diesel", process: "PTE"},
    ...{series: `EMD_EPD2D_PTE_${duoarea}_DPG`, value: "3.811", units: "$/GAL"},
  }));
  const request = {command: "/v2/petroleum/pri/gnd/data/", params: {api_key: keys.eia}};
  return {response: {total: data.length, dateFormat: "YYYY-MM-DD", frequency: "weekly", data}, request};
}

function echoQuery(state: string, {echoErrors}: MarketWorld): unknown {
  if (echoErrors.has(state))
    return {Results: {Error: {ErrorMessage: "Query limit exceeded, please narrow it"}}};
  return {Results: {Message: "Success", QueryRows: state === "AZ" ? "1" : "0", QueryID: `q-${state}`}};
}

/** The columns of ECHO's facilities, numbered with gaps as there. */
const echoColumns: readonly string[] = [
  ...["CWPName", "SourceID", "CWPStreet", "CWPCity", "CWPState", "CWPStateDistrict", "CWPZip", "RegistryID"],
  ...["CWPCounty", "CWPSICCodes", "CWPNAICSCodes", "FacLat", "FacLong", "CWPPermitStatusDesc"],
  ...["CWPPermitTypeDesc", "PermitComponents"],
];

/** A facility of a state with the asked columns. */
function facilities(query: string, numbers: string): string {
  const cells: Readonly<Record<string, string>> = {
    ...{CWPName: "INVENTED FEEDERS", SourceID: "AZA000001", CWPStreet: "1 SAGE RD", CWPCity: "NOWHERE"},
    ...{CWPState: query.slice(2), CWPNAICSCodes: "112112", FacLat: "33.4", FacLong: "-112.1"},
  };
  const names = numbers.split(",").map((number) => echoColumns[(Number(number) - 1) / 10]!);
  const line = (texts: readonly string[]) => `${texts.map((text) => `"${text}"`).join(",")}\n`;
  return line(names) + line(names.map((name) => cells[name] ?? ""));
}

function american(date: string): string {
  const [year, month, day] = date.split("-");
  return `${month}/${day}/${year}`;
}

function iso(text: string): string {
  const [month = "", day = "", year = ""] = text.split("/");
  return `${year}-${month}-${day}`;
}
