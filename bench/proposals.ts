// What is proposed for all files and layers below a folder, and for tables made at random of the names and cells that columns have:
//   node bench/proposals.ts CORPUS [FOLDER]
// prints a digest of each proposal, so that two checkouts are compared by `cmp`; FOLDER gets the proposals themselves.
import {createHash} from "node:crypto";
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {proposeCodedFields} from "@open-cattle/entry-proposer";
import {counties} from "../lib/geography/counties.ts";
import {stateFacts} from "../lib/registry/proposal-facts.ts";
import {proposedLayerMap} from "../lib/registry/proposed-layer-map.ts";
import synonyms from "../packages/entry-proposer/data/field-synonyms.json" with {type: "json"};
import {draftOf} from "../pipeline/commands/propose-options.ts";
import {proposeEntry} from "../pipeline/parcels/propose/propose-entry.ts";
import {seededRandom} from "../test/server/parcels/invented-state.ts";

const [folder = ".", out] = process.argv.slice(2);
const tables = 20_000;
const all = createHash("sha256");

function told(what: string, value: unknown): void {
  const text = JSON.stringify(value, null, 1);
  all.update(`${what}\n${text}\n`);
  console.log(`${createHash("sha256").update(text).digest("hex").slice(0, 16)}  ${what}`);
  if (out === undefined) return;
  mkdirSync(out, {recursive: true});
  writeFileSync(join(out, `${what.replaceAll(/[^\w.-]+/g, "_").slice(-180)}.json`), text);
}

for (const path of readdirSync(folder, {recursive: true, encoding: "utf8"}).sort()) {
  if (!statSync(join(folder, path)).isFile()) continue;
  const [, code = "ks"] = /\bus-([a-z]{2})-/.exec(path) ?? [];
  const state = path.includes("ca-mb-") ? "MB" : code.toUpperCase();
  const county = counties().find((each) => each.state === state)?.fips ?? "20001";
  const entry = await proposeEntry(join(folder, path), draftOf({county: [county]}), "2026-11-21").catch(
    String,
  );
  told(`file ${path}`, typeof entry === "string" ? entry.replaceAll(/\/tmp\/\S+/g, "TMP") : entry);
  if (!path.endsWith(".json")) continue;
  const {fields} = JSON.parse(readFileSync(join(folder, path), "utf8").replaceAll(/\bNaN\b/g, "null")) ?? {};
  if (!Array.isArray(fields) || typeof fields[0]?.name !== "string") continue;
  const terms = (redistributeOwners: boolean) => ({terms: {store: true, redistributeOwners, bulk: true}});
  const coverage = {country: "US", state, counties: "all"} as const;
  const map = (redistributeOwners: boolean) =>
    proposedLayerMap({...terms(redistributeOwners), coverage}, fields);
  told(`layer ${path}`, [map(true), map(false)]);
}

const random = seededRandom(52);
const one = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
const spellings = new Map<string, readonly string[]>(Object.entries(synonyms.words));
const phrases = Object.values(synonyms.roles as Record<string, string[]>);
const name = () => {
  const words = one(one(phrases)).replaceAll(/\{(\w+)\}/g, (_, word) => `_${one(spellings.get(word)!)}_`);
  const spelt = words.replaceAll(/^_|_$/g, "").replaceAll(/_+/g, one(["_", " ", "", "."]));
  const [short, long, first] = [
    spelt.slice(0, 10),
    `${one(["2024_", "GIS.LAND.", "KCA_", "agcy_"])}${spelt}`,
    one([spelt.toLowerCase(), `${spelt}_1`, `${spelt}2`]),
  ];
  return one([spelt, spelt, spelt, short, long, first]);
};
const streets = ["OAK AVE", "N ELM ST", "COUNTY ROAD 12", "MAPLE DR W"];
const cells: readonly ((row: number, state: string) => string)[] = [
  (row) => `12-${1000 + row}`,
  (row) => String(84_000_000 + row),
  (row) => String(row + 1),
  (row) => `${100 + row * 2} ${one(streets)}`,
  (row, state) =>
    `${100 + row} ${one(streets)}, ASHMERE, ${one([state, state, "NV"])} ${one(["67501", "89501"])}`,
  () => one(streets),
  () => one(["N", "S", "E", "SW", ""]),
  () => one(["ST", "AVE", "RD", "DR"]),
  (row) => String(100 + row * 4),
  () => one(["ASHMERE", "BRISTOL", "ECHO CITY"]),
  () => one(["67501", "67501-1234", "67502"]),
  () => one(["89501", "10001", "67501"]),
  (_, state) => one([state, "NV", "TX"]),
  () => one(["HARLOW, DALE", "QUISTAD, JUNE", "PLAINS BANK"]),
  () => one(["HARLOW DALE", "QUISTAD JUNE & RAY", ""]),
  () => `PO BOX ${random.below(900)}`,
  () => (random.below(40_000) / 100).toFixed(2),
  () => String(random.below(600_000)),
  () => `$${random.below(900)},${100 + random.below(899)}`,
  () => String(2020 + random.below(4)),
  () => String(1900 + random.below(120)),
  () => `${1 + random.below(12)}/${1 + random.below(28)}/20${10 + random.below(15)}`,
  () => `20${10 + random.below(15)}0${1 + random.below(9)}1${random.below(9)}`,
  () => String(1_600_000_000_000 + random.below(90_000_000) * 1000),
  () => one(["A1", "D1", "E1", "F1"]),
  () => one(["1", "2", "3A", "4A"]),
  () => one(["SINGLE FAMILY", "VACANT LAND", "CROPLAND"]),
  () => one(["100", "110", "200", "510"]),
  () => String(-98 - random.below(100) / 100),
  () => String(38 + random.below(100) / 100),
  (row) => `https://example.org/parcel/${1000 + row}`,
  () => "POLYGON ((-98 38, -98.1 38, -98.1 38.1, -98 38))",
  (row) =>
    `{'names': ["DALE HARLOW"], 'mailingAddress': {'addressLine1': '${row} PINE DR', 'city': 'Reno', 'state': 'NV', 'zipCode': '89501'}}`,
  () => "",
];
const types = [
  "esriFieldTypeString",
  "esriFieldTypeDouble",
  "esriFieldTypeInteger",
  "esriFieldTypeDate",
  undefined,
];
for (let block = 0; block < 20; block++) {
  const made = Array.from({length: tables / 20}, () => {
    const [state, rows] = [one(["KS", "TX", "NJ", "OH", "MT", "MB"]), one([0, 4, 10, 40, 120])];
    const columns = [...new Set(Array.from({length: 1 + random.below(24)}, name))].map((each) => {
      const cell = one(cells);
      const filled = one([1, 1, 1, 0.9, 0.4]);
      const samples = Array.from({length: rows}, (_, row) =>
        random.below(100) < filled * 100 ? cell(row, state) : "",
      );
      return {
        name: each,
        type: one(types),
        ...(rows === 0 ? {} : {samples}),
        ...(random.below(9) === 0 ? {alias: name()} : {}),
      };
    });
    const outlineAcres = one([undefined, Array.from({length: rows}, () => one([1, 7, 40, null]))]);
    const coded = new Map(
      random.below(5) === 0
        ? [
            [
              columns[0]!.name,
              new Map([
                ["1", "FARM"],
                ["A1", "HOUSE"],
              ]),
            ],
          ]
        : [],
    );
    const idField = random.below(9) === 0 ? columns[0]!.name : undefined;
    return proposeCodedFields(columns, coded, {
      state: one([state, undefined]),
      outlineAcres,
      idField,
      facts: stateFacts,
    });
  });
  told(`random tables ${block}`, made);
}
console.log(`${all.digest("hex")}  all`);
