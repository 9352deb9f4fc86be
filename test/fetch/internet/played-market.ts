import {addDays} from "../../../lib/dates.ts";
import {venueStates} from "../../../pipeline/fetch/jobs/known-sources.ts";
import {loadFeedFetches} from "../../../pipeline/market/reference/market-sources.ts";
import {type MarketWorld, marketWorld, playMarket, printedEdition, textBarns} from "../market-world.ts";
import {type Answer, changed, type ReplayServer} from "../replay-server.ts";

/** Beginnings of the market's addresses, and where the server plays them. */
export const marketPlaces: Readonly<Record<string, string>> = {
  "mpr.datamart.ams.usda.gov/services/v1.1": "/lmr",
  "marsapi.ams.usda.gov/services/v1.1/public": "/texts",
  "marsapi.ams.usda.gov/services/v3.1/public": "/json-texts",
  "www.ams.usda.gov/mnreports": "/mnreports",
  "mymarketnews.ams.usda.gov": "/archive",
  "marsapi.ams.usda.gov/services/v1.2": "/mars",
  "quickstats.nass.usda.gov/api": "/nass",
  "usdmdataservices.unl.edu/api/CountyStatistics/GetDroughtSeverityStatisticsByAreaPercent": "/usdm",
  "api.weather.gov": "/nws",
  "api.eia.gov/v2/petroleum/pri/gnd/data": "/eia",
  "echodata.epa.gov/echo": "/echo",
  "www.nass.usda.gov/datasets": "/datasets",
  "www.eia.gov/opendata/bulk": "",
};

const html: Answer = (_, reply) =>
  void reply
    .writeHead(200, {"content-type": "text/html"})
    .end("<!DOCTYPE html><html><body>Please wait</body></html>");

/** How the list of printed reports comes on a day: as fixed text of the older or newer form, or only as JSON. */
export type ListForm = "old text" | "new text" | "JSON";

/** The publishers of the market at work; a night changes the day, the form of the list and whether the key is good. */
export type MarketAtWork = MarketWorld & {listForm: ListForm; refusesKey: boolean};

/** Documents that the list names otherwise than as a PDF: a text, and one that is gone. */
const oddReports = [
  {slug: 626, document: "AL_LS626.txt", title: "Invented Livestock Auction - Nowhere, AL"},
  {slug: 2874, document: "ams_2874.pdf", title: "Invented Livestock Auction - Elsewhere, NE"},
];
/** Forecasts of which one fails. */
const forecastsPerFault = 40;
const lostColumn = "PermitComponents";

/** Makes a server play the market's publishers with their quirks. */
export function playMarketOddly(server: ReplayServer, today: string): MarketAtWork {
  const market: MarketAtWork = {...marketWorld(today), listForm: "old text", refusesKey: false};
  playMarket(server, market);
  playLists(server, market);
  server.on("/texts/listCorrectedReports", html);
  server.on("/archive/filerepo/reports", (request, reply) =>
    archivePage(market, Number(request.query.get("field_slug_id_value")))(request, reply),
  );
  server.on("/archive/files", async (request, reply) => {
    const [, slug, date] = /\/files\/(\d+)\/([\d-]+)\//.exec(request.path) ?? [];
    reply
      .writeHead(200, {"content-type": "application/pdf"})
      .end(await printedEdition(market, Number(slug), date!));
  });
  const mars = server.answerOf("/mars");
  server.on("/mars", (request, reply) =>
    market.refusesKey ? void reply.writeHead(403).end() : mars(request, reply),
  );
  const weather = (text: string) => text.replaceAll(`${server.origin}/nws`, "https://api.weather.gov");
  server.on("/nws/points", changed(server.answerOf("/nws/points"), weather));
  server.on("/nws/gridpoints", everyFirstTime(server.answerOf("/nws/gridpoints"), forecastsPerFault));
  const [slug] = loadFeedFetches().flatMap((feed) => (feed.protocol === "datamart" ? feed.slugs : []));
  server.on(`/lmr/reports/${slug}`, everyFirstTime(server.answerOf("/lmr/reports"), 1));
  const drought = server.answerOf("/usdm");
  const unknown = venueStates().at(-1);
  server.on("/usdm", (request, reply) =>
    request.query.get("aoi") === unknown
      ? void reply.writeHead(200, {"content-type": "application/json"}).end("[]")
      : drought(request, reply),
  );
  const columns = "/echo/cwa_rest_services.metadata";
  server.on(
    columns,
    changed(server.answerOf(columns), (text) => text.replace(lostColumn, "OtherComponents")),
  );
  return market;
}

/** A 500 for every so many of the places that are asked for the first time. */
function everyFirstTime(answer: Answer, places: number): Answer {
  const asked = new Set<string>();
  return (request, reply) => {
    if (asked.has(request.path)) return answer(request, reply);
    asked.add(request.path);
    return asked.size % places === 0 ? void reply.writeHead(500).end() : answer(request, reply);
  };
}

function playLists(server: ReplayServer, market: MarketAtWork): void {
  server.on("/texts/listPublishedReports", (request, reply) => {
    if (market.listForm === "JSON") return html(request, reply);
    const lines = published(market).map((report) =>
      market.listForm === "old text" ? oldLine(report) : newLine(report),
    );
    const text = [
      "Slug ID  Slug Name  Published Date  Report Title",
      ...lines,
      "",
      `Total: ${lines.length} reports`,
    ].join("\n");
    reply.writeHead(200, {"content-type": "text/plain"}).end(text);
  });
  server.on("/json-texts/listPublishedReports", (_, reply) => {
    const list = published(market).map(({slug, document, day, at, title}) => {
      const [fileName, fileExtension] = document.split(".");
      return {
        id: slug,
        fileName,
        fileExtension,
        publishedDate: day,
        publishedDateMilliseconds: at,
        reportBeginDate: day,
        reportEndDate: day,
        reportTitle: title,
        correction: false,
        final: true,
      };
    });
    reply.writeHead(200, {"content-type": "application/json"}).end(JSON.stringify(list));
  });
  server.on(
    "/mnreports/AL_LS626.txt",
    (_, reply) => void reply.writeHead(200).end(`${oddReports[0]!.title}\n\nNo cattle were sold.\n`),
  );
}

type Published = {
  readonly slug: number;
  readonly document: string;
  readonly title: string;
  readonly day: string;
  readonly at: number;
};

function published(market: MarketWorld): Published[] {
  const odd = oddReports.map((report) => ({...report, day: addDays(market.today, -3)}));
  const barns = textBarns(market).map(({barn, newest}) => ({
    ...{slug: barn.slug, document: `ams_${barn.slug}.pdf`, day: newest},
    title: `${barn.name} Cattle Auction - ${barn.city}, ${barn.state}`,
  }));
  return [...barns, ...odd].map((report) => ({...report, at: Date.parse(`${report.day}T22:45:31Z`)}));
}

/** The older form: number, name, extension, publication, days of the report, title. */
function oldLine({slug, document, day, title}: Published): string {
  const [name, extension = ""] = document.split(".");
  return `${String(slug).padEnd(8)}${name!.padEnd(12)}${extension.toUpperCase()}   ${day} 17:45:31.0  ${day}  ${day}  ${title}`;
}

/** The newer form, of v3.1: the number of 13 digits is the publication. */
function newLine({slug, document, day, at, title}: Published): string {
  return `${String(slug).padEnd(8)}${day} 17:45:31 EST  ${at}  ${day}  ${day}  x  https://www.ams.usda.gov/mnreports/${document}  ${title}`;
}

/** The archive's page of a report: every edition since the first, newest first. */
function archivePage(market: MarketWorld, slug: number): Answer {
  return (_, reply) => {
    const editions = textBarns(market).find(({barn}) => barn.slug === slug)?.days ?? [];
    const links = editions.map(
      (day) => `<tr><td><a href="/files/${slug}/${day}/1/ams_${slug}_${day}.pdf">${day}</a></td></tr>`,
    );
    reply
      .writeHead(200, {"content-type": "text/html"})
      .end(`<html><body><table>${links.join("")}</table></body></html>`);
  };
}
