import {gzipSync} from "node:zlib";
import {zipOf} from "../../packages/parcel-files/test/write-zip.ts";
import {file, type ReplayServer} from "./replay-server.ts";

/** The bulk files that need no key: invented lines in the forms of weekly diesel prices and of statistics. */

const series = (id: string, points: unknown[]) =>
  JSON.stringify({series_id: id, name: `Invented ${id}`, units: "Dollars per Gallon", f: "W", data: points});

/** Series of petroleum: three of weekly diesel among others. */
const petroleum = [
  series("PET.EMM_EPMR_PTE_NUS_DPG.W", [["20261123", 3.011]]),
  series("PET.EMD_EPD2D_PTE_NUS_DPG.W", [
    ["20261123", 3.811],
    ["20261116", 3.8],
    ["20261109", null],
  ]),
  series("PET.EMD_EPD2D_PTE_NUS_DPG.M", [["202611", 3.805]]),
  series("PET.EMD_EPD2D_PTE_R20_DPG.W", [["20261123", 3.711]]),
  series("PET.EMD_EPD2D_PTE_R30_DPG.W", [["20261116", 3.611]]),
  JSON.stringify({category_id: "714755", name: "Petroleum"}),
];

const columns = [
  ...["SOURCE_DESC", "COMMODITY_DESC", "STATISTICCAT_DESC", "SHORT_DESC", "AGG_LEVEL_DESC", "STATE_ALPHA"],
  ...["STATE_FIPS_CODE", "COUNTY_ANSI", "COUNTY_NAME", "YEAR", "REFERENCE_PERIOD_DESC", "DOMAIN_DESC"],
  ...["UNIT_DESC", "VALUE", "CV_%"],
];

function statistic(more: Record<string, string>): string {
  const cells: Record<string, string> = {
    ...{SOURCE_DESC: "SURVEY", COMMODITY_DESC: "CATTLE", STATISTICCAT_DESC: "INVENTORY"},
    ...{SHORT_DESC: "CATTLE, INCL CALVES - INVENTORY", AGG_LEVEL_DESC: "STATE", STATE_ALPHA: "AZ"},
    ...{STATE_FIPS_CODE: "04", YEAR: "2026", REFERENCE_PERIOD_DESC: "FIRST OF JAN", DOMAIN_DESC: "TOTAL"},
    ...{UNIT_DESC: "HEAD", VALUE: "980,000", "CV_%": "\0", ...more},
  };
  return columns.map((name) => cells[name] ?? "").join("\t");
}

/** Statistics of animals: a state and a county of this year among rows of other animals, years, programs and levels. */
export const animals = [
  columns.join("\t"),
  statistic({}),
  statistic({AGG_LEVEL_DESC: "COUNTY", COUNTY_ANSI: "003", COUNTY_NAME: "COCHISE", VALUE: "60,000"}),
  statistic({COMMODITY_DESC: "HOGS", SHORT_DESC: "HOGS - INVENTORY"}),
  statistic({YEAR: "2019"}),
  statistic({SOURCE_DESC: "CENSUS"}),
  statistic({AGG_LEVEL_DESC: "NATIONAL"}),
].join("\r\n");

const hay = {COMMODITY_DESC: "HAY", SHORT_DESC: "HAY - PRICE RECEIVED, MEASURED IN $ / TON"};
const crops = [
  columns.join("\t"),
  statistic({...hay, STATISTICCAT_DESC: "PRICE RECEIVED", UNIT_DESC: "$ / TON", VALUE: "201"}),
].join("\r\n");

/** Names of the statistics of a day. */
export const dated = (day: string) => [`qs.animals_products_${day}.txt.gz`, `qs.crops_${day}.txt.gz`];

/** Makes a server play both publishers, at `/PET.zip` and below `/datasets/`, whose page links these names; the statistics are `changed`. */
export function playBulkFiles(
  server: ReplayServer,
  names: readonly string[] = dated("20261124"),
  changed = (text: string) => text,
): void {
  server.on(
    "/PET.zip",
    file(() => zipOf({"PET.txt": `${petroleum.join("\r\n")}\r\n`})),
  );
  const page = names.map((name) => `<a href="${name}">${name}</a>`).join(" ");
  server.on("/datasets/", (_, reply) => void reply.writeHead(200).end(`<html>${page}</html>`));
  for (const [stem, text] of Object.entries({"qs.animals": animals, "qs.crops": crops}))
    server.on(
      `/datasets/${stem}`,
      file(() => gzipSync(changed(text))),
    );
}
