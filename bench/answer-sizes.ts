import {openStateArtifacts} from "../lib/parcels/parcel-set.ts";
import {readSettings} from "../lib/read-settings.ts";
import {dataFolder} from "../lib/storage/data-folder.ts";
import {answerDirectly, openPublished} from "../server/http/direct-answer.ts";
import {marketEndpoints} from "../server/market/market-endpoints.ts";

/**
 * Sizes in bytes of market answers from the published build of a data folder: ten ZIPs, states, barns, the directory, with and
 * without evidence.
 *
 *   CATTLE_DATA=data node bench/answer-sizes.ts
 */
const zips = ["67801", "73036", "57501", "79101", "93701", "68901", "65301", "97801", "35401", "10001"];
const questions = [
  ...zips.map((zip) => `/price-by-county?zip=${zip}`),
  ...["KS", "TX", "MO", "CA"].map((state) => `/price-by-state?state=${state}`),
  "/price-by-state",
  "/latest-prices",
  "/latest-prices?lat=37.75&lon=-100",
  "/barns",
  "/cattle-sale-barn-directory",
];

const settings = readSettings();
const generation = await openPublished(dataFolder(settings.CATTLE_DATA), openStateArtifacts);

async function answerOf(question: string, more: Record<string, string> = {}) {
  const [path, search] = question.split("?");
  const endpoint = marketEndpoints.find((candidate) => candidate.path === path)!;
  const values = {...Object.fromEntries(new URLSearchParams(search)), ...more};
  return (await answerDirectly(endpoint, values, {generation, settings})).body;
}

const sizes = [];
for (const question of questions) {
  const full = await answerOf(question);
  const {returned, total} = (JSON.parse(full) as {page: {returned: number; total: number}}).page;
  const short = Buffer.byteLength(await answerOf(question, {evidence: "none"}));
  sizes.push({
    question,
    records: `${returned} of ${total}`,
    bytes: Buffer.byteLength(full),
    "evidence=none": short,
  });
}
console.table(sizes);
