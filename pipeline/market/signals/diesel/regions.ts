import {readFileSync} from "node:fs";
import {join} from "node:path";
import {referenceDir} from "../../../../lib/paths.ts";

/** Region of a diesel price: `US`, a PADD (`1` … `5`), a sub-region (`1A`), `5X` (West Coast less California) or `CA`. */
type DieselRegion = {readonly key: string; readonly areaType: "nation" | "padd" | "state"};

/** EIA area codes (`duoarea`) and the words of its series and of lists made from them. */
const regions: readonly [string, DieselRegion["areaType"], RegExp][] = [
  ["US", "nation", /^(nus|nus-z00|us|usa|u\.?s\.?|united states|national)$/],
  ["1A", "padd", /^(r1x|padd 1a|new england|new_england)$/],
  ["1B", "padd", /^(r1y|padd 1b|central atlantic|central_atlantic)$/],
  ["1C", "padd", /^(r1z|padd 1c|lower atlantic|lower_atlantic)$/],
  ["1", "padd", /^(r10|padd 1|east coast|east_coast)$/],
  ["2", "padd", /^(r20|padd 2|midwest)$/],
  ["3", "padd", /^(r30|padd 3|gulf coast|gulf_coast)$/],
  ["4", "padd", /^(r40|padd 4|rocky mountain|rocky_mountain)$/],
  [
    "5X",
    "padd",
    /^(r5xca|padd 5 excl(uding|\.)? california|west coast (less|except) california|west_coast_(less|except)_california)$/,
  ],
  ["5", "padd", /^(r50|padd 5|west coast|west_coast)$/],
  ["CA", "state", /^(sca|california)$/],
];

/** The region of a publisher's code or words; null for words that are not known. */
export function dieselRegion(words: string): DieselRegion | null {
  const plain = words
    .trim()
    .toLowerCase()
    .replace(/\s*\(padd (\w+)\)$/, "");
  const found = regions.find(([, , pattern]) => pattern.test(plain));
  return found === undefined ? null : {key: found[0], areaType: found[1]};
}

type PaddFile = {regions: {region: string; district: string; name: string; states: string[]}[]};
let paddFile: PaddFile | undefined;

/** Regions whose price a state may take, nearest first: its own, its sub-region, its district. */
export function regionsOfState(state: string): string[] {
  paddFile ??= JSON.parse(readFileSync(join(referenceDir, "padd-regions.json"), "utf8")) as PaddFile;
  const found = paddFile.regions.find(({states}) => states.includes(state));
  if (found === undefined) return [];
  const own = state === "CA" ? ["CA"] : found.region === "5" ? ["5X"] : [];
  return [...new Set([...own, found.region, found.district])];
}
