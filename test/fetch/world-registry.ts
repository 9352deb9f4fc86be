import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {sourcesDir} from "../../lib/paths.ts";

type Json = Record<string, unknown>;

const paths: Readonly<Record<string, string>> = {
  lmr: "/lmr",
  "ams-text": "/texts",
  mars: "/mars",
  nass: "/nass",
  usdm: "/usdm",
  nws: "/nws",
  "nws-forecasts": "/nws",
  diesel: "/eia",
  echo: "/echo",
  "nass-bulk": "/datasets/",
  "diesel-bulk": "/PET.zip",
};

/** The layer of the invented county with its own field map, as an operator registers it. */
export function countyEntry(origin: string, rate: Json): Json {
  return {
    ...{
      id: "us-az-cochise",
      name: "Cochise County parcels (invented)",
      publisher: "Nobody",
      authority: "county",
    },
    coverage: {country: "US", state: "AZ", counties: ["04003"]},
    licence: "invented",
    terms: {store: true, redistributeOwners: true, bulk: true},
    ...{
      protocol: "arcgis",
      format: "geojson",
      url: `${origin}/county/FeatureServer/0`,
      rate,
      verified: false,
    },
    ...{cadence: {everyHours: 20}, verified: false},
    ids: {raw: "PARCEL_ID"},
    vintage: ["layer_edit", "retrieved"],
    fields: {
      situs_raw: {from: "SITE_ADDR"},
      city: {from: "SITE_CITY"},
      zip: {from: "SITE_ZIP"},
      owner_raw: {from: "OWNER"},
      land_value: {from: "LAND_VALUE", transform: ["money"]},
      use_description: {from: "USE_DESC"},
    },
    area: {from: "ACRES", unit: "acres", basis: "assessed"},
    values: {land_value: "assessed"},
    owners: {published: true, order: "last_first"},
    accept: {minRows: 1, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
  };
}

/** A layer that is queried on a miss, and whose terms allow bulk download. */
function missLayer(origin: string, rate: Json): Json {
  return {
    ...{id: "us-az-santa-cruz", name: "Parcel layer of Santa Cruz, AZ (invented)", authority: "county", rate},
    coverage: {country: "US", state: "AZ", counties: ["04023"]},
    licence: "invented",
    terms: {store: true, redistributeOwners: false, bulk: true},
    cadastre: {
      url: `${origin}/miss/FeatureServer/0`,
      idField: "PARCEL_ID",
      idForms: ["raw", "tok", "std"],
      point: true,
    },
  };
}

/** Writes a copy of the registry whose URLs all point to one server, for the setting `CATTLE_REGISTRY`. */
export function writeWorldRegistry(dir: string, origin: string): void {
  cpSync(sourcesDir, dir, {recursive: true});
  const rate = {perSecond: 400, atOnce: 2};
  rewrite(join(dir, "market.json"), (sources) =>
    (sources as unknown as Json[]).map((source) => withFeeds(source, origin, rate)),
  );
  for (const name of readdirSync(join(dir, "parcels")))
    rewrite(join(dir, "parcels", name), ({url: _, cadastre: __, ...entry}) => entry);
  rmSync(join(dir, "cadastre"), {recursive: true});
  mkdirSync(join(dir, "cadastre/us"), {recursive: true});
  writeFileSync(join(dir, "cadastre/us/az.json"), JSON.stringify([missLayer(origin, rate)]));
  writeFileSync(join(dir, "parcels/us-az-cochise.json"), JSON.stringify(countyEntry(origin, rate)));
}

function withFeeds({feeds = [], ...source}: Json, origin: string, rate: Json): Json {
  const moved = (feeds as Json[]).map(({hosts: _, ...feed}) => ({
    ...feed,
    ...{url: `${origin}${paths[String(feed["id"])]}`, rate},
    ...(feed["protocol"] !== "ams-text"
      ? {}
      : {
          files: `${origin}/mnreports/ams_{slug}.pdf`,
          jsonList: `${origin}/json-list`,
          archive: `${origin}/filerepo/reports?field_slug_id_value={slug}`,
        }),
  }));
  const directory = {
    ...{
      id: "barns",
      feed: "directory",
      protocol: "http-file",
      url: `${origin}/directory.json`,
      complete: true,
    },
    ...{cadence: {everyHours: 20}, verified: false, rate},
  };
  if (source["id"] === "editorial-market-reference-sources") moved.push(directory as never);
  return {...source, ...(moved.length === 0 ? {} : {feeds: moved})};
}

function rewrite(path: string, change: (content: Json) => unknown): void {
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")) as Json)));
}
