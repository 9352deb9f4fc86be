import {ordinalWords, parseAddress, streetTypes} from "@open-cattle/us-address";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {countyBox} from "../../lib/geography/county-box.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {tableOf} from "../../lib/parcels/conform/staged-table.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import {stageEntry} from "../../pipeline/parcels/stage-entry.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {countyAsker, layerEntry} from "../server/cadastre/county-fixture.ts";
import {
  type FakeArcgis,
  type FakeRow,
  isAskedFor,
  pageOf,
  startFakeArcgis,
} from "../server/cadastre/fake-arcgis.ts";
import {type Random, seededRandom} from "../server/parcels/invented-state.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

/** Files of one county each, queried as that county's service: five print a line, two the parts of an address. */
const layers = [
  "us-az-maricopa",
  "us-ca-berkeley",
  "us-ca-los-angeles",
  "us-fl-miami-dade",
  "us-nc-wake",
  "us-ny-albany",
  "us-ut-davis",
];
/** Addresses of each layer, each asked in one way; 500 and more in all where all of the corpus is asked for. */
const addressesWanted = process.env["CORPUS_ALL"] === "1" ? 100 : 20;
const maxRows = 200;

type Cells = Record<string, string | number | null>;
type Printed = {readonly id: string; readonly line: string; readonly row: FakeRow};

/** Spelling variants of a printed line; null if there is nothing to vary. */
const ways: Readonly<Record<string, (line: string, random: Random) => string | null>> = {
  "as printed": (line) => line,
  "as people write": (line) => inTitle(otherTypes(line)),
  "other ordinals": (line) =>
    changed(line, /\b(?:\d{1,2}(?:ST|ND|RD|TH)|[A-Z]+(?:ST|ND|RD|TH))\b/, otherOrdinal),
  "other saints": (line) =>
    changed(line, /(?<=^\S+ (?:[NSEW] )?)(?:ST|SAINT)(?=\.? [A-Z]{3})/, (word) =>
      word === "ST" ? "SAINT" : "ST",
    ),
  "other apostrophes": (line) =>
    line.includes("'") ? line.replaceAll("'", "") : changed(line, /(?<= [OD])(?=[A-Z]{4,} )/, () => "'"),
  "beside an unreadable one": (line) => line,
  "itself unreadable": (line) => line,
};
type Way = keyof typeof ways;

describe.skipIf(corpus === null)(
  "addresses of seven files, asked of the county",
  {timeout: 1_800_000},
  () => {
    const tally = new Map<Way, {asked: number; found: number; several: number; unanswered: number}>();
    const wrong: string[] = [];

    describe.each(layers)("%s", (id) => {
      const entry = loadParcelSources().find((each) => each.id === id)!;
      const county = entry.coverage.counties[0]!;
      const [state] = [entry.coverage.state];
      let fake: FakeArcgis;
      let asked: ReturnType<typeof countyAsker>;
      let printed: Printed[];
      let spoil: {readonly row: FakeRow | null; readonly beside: FakeRow | null} = {row: null, beside: null};

      beforeAll(async () => {
        printed = await printedRows(entry, county);
        fake = await startFakeArcgis(printed.map(({row}) => row));
        fake.misbehave = (response, {isQuery, form}) => {
          if (!isQuery) return false;
          const rows = [...fake.rows, ...(spoil.beside === null ? [] : [spoil.beside])];
          const found = rows.filter((row) => isAskedFor(row, form));
          const more = found.length > maxRows ? {exceededTransferLimit: true} : {};
          const {features, ...page} = pageOf(found.slice(0, maxRows), more) as {features: object[]};
          const isSpoilt = (i: number) => found[i] === spoil.row || found[i] === spoil.beside;
          const sent = features.map((each, i) => (isSpoilt(i) ? {...each, geometry: null} : each));
          return response.end(JSON.stringify({...page, features: sent})) !== undefined;
        };
        const names = new Set(printed.flatMap(({row}) => Object.keys(row.attributes)));
        const isNumber = (name: string) => printed.some(({row}) => typeof row.attributes[name] === "number");
        fake.metadata = {
          fields: [...names].map((name) => ({
            name,
            type: isNumber(name) ? "esriFieldTypeDouble" : "esriFieldTypeString",
          })),
        };
        const {ids, vintage, area, use, values} = entry;
        // A service has only one table.
        const joined = Object.keys(entry.fields).filter(
          (name) => !names.has(String(entry.fields[name]!.from)),
        );
        const fields = Object.fromEntries(
          Object.entries(entry.fields).filter(([name]) => !joined.includes(name)),
        );
        asked = countyAsker([
          layerEntry(fake.url, {
            id,
            // A city's file stands for its county here: a municipality is never asked.
            coverage: {country: "US", state, counties: [county]},
            ids,
            fields,
            vintage,
            area,
            use,
            values,
            cadastre: {url: fake.url, point: true},
          }),
        ]);
      });
      afterAll(async () => {
        await asked.close();
        await fake.close();
      });

      test("are found, or not said to be none or the only one", async () => {
        const random = seededRandom(20261123);
        const byLine = Map.groupBy(printed, ({line}) => line);
        for (const [{id: number, line, row}, way] of chosen(printed, random)) {
          const address = ways[way]!(line, random)!;
          spoil = {
            row: way === "itself unreadable" ? row : null,
            beside: way === "beside an unreadable one" ? twinOf(row, entry) : null,
          };
          const {json} = await asked.ask("address", {address, state, county});
          const count = tally.get(way) ?? {asked: 0, found: 0, several: 0, unanswered: 0};
          tally.set(way, count);
          count.asked += 1;
          const {type, status} = json as {type?: string; status?: number};
          const uid = json.property?.parcelUid;
          const isOnly = byLine.get(line)!.length === 1 && way !== "beside an unreadable one";
          if (type === "/problems/ambiguous-parcel") count.several += 1;
          else if (status === 503) count.unanswered += 1;
          else if (uid === `${county}-${number}` && isOnly && way !== "itself unreadable") count.found += 1;
          else wrong.push(`${id}, ${way}: ${address} (${line}) gave ${uid ?? type}, wanted ${number}`);
        }
        expect(wrong).toEqual([]);
      });
    });

    test("in every way, and nearly all of them are found", () => {
      const total = {asked: 0, found: 0, several: 0, unanswered: 0};
      for (const [way, counts] of tally) {
        const {asked, found, several, unanswered} = counts;
        process.stderr.write(
          `county addresses, ${way}: ${asked} asked, ${found} found, ${several} of several, ${unanswered} not answered\n`,
        );
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
      }
      process.stderr.write(`county addresses: ${total.asked} asked, ${wrong.length} wrong\n`);
      expect(total.asked).toBeGreaterThanOrEqual(5 * addressesWanted);
      // A building with more flats than a county returns has no answer; all others must be found.
      const plain = [...tally].filter(
        ([way]) => !way.endsWith("unreadable") && !way.endsWith("unreadable one"),
      );
      const sum = (name: "asked" | "found") => plain.reduce((all, [, counts]) => all + counts[name], 0);
      expect(sum("found") / sum("asked")).toBeGreaterThan(0.85);
      expect([...tally.keys()].sort()).toEqual(Object.keys(ways).sort());
    });
  },
);

/** Rows of an entry's files with a numbered address, with their printed line. */
async function printedRows(entry: ParcelSource, county: string): Promise<Printed[]> {
  const files = (await listRawFiles(corpus!)).filter(({feedOrEntryId}) => feedOrEntryId === entry.id);
  const db = await openDatabase();
  const {sources} = await stageEntry(new ModelRun(db), {
    entry,
    files,
    asOf: "2026-11-21",
    tempDir: temporaryFolder(),
    firstNumber: 0,
  });
  const cells: Cells[] = [];
  for (const source of sources.main)
    cells.push(...(await db.rows<Cells>(`FROM ${sqlName(tableOf(source))}`)));
  db.close();
  const {west, south, east, north} = countyBox(county)!;
  const known = new Map<string, Printed>();
  for (const [i, all] of cells.entries()) {
    const attributes = Object.fromEntries(
      Object.entries(all)
        .filter(([name]) => !name.startsWith("~"))
        .map(([name, cell]) => [name, asNumber(cell)]),
    );
    const id = String(attributes[idColumn(entry)] ?? "").trim();
    const line = lineOf(attributes, entry);
    const {status} = parseAddress(line, {state: entry.coverage.state});
    if (!/[1-9]/.test(id) || status !== "numbered" || known.has(id)) continue;
    const place = {
      west: (west + east) / 2 + (i % 40) * 0.0011,
      south: (south + north) / 2 + Math.floor(i / 40) * 0.0011,
    };
    known.set(id, {id, line, row: {attributes: {OBJECTID: i + 1, ...attributes}, ...place}});
  }
  return [...known.values()];
}

/** Shapefiles store numbers with decimals; a service sends them as numbers. */
function asNumber(cell: string | number | null): string | number | null {
  return typeof cell === "string" && /^\d+\.0{6}$/.test(cell) ? Number(cell) : cell;
}

function idColumn({ids}: ParcelSource): string {
  if ("none" in ids || typeof ids.raw !== "string") throw new Error("the test needs a column of numbers");
  return ids.raw;
}

/** The printed line of a row, or its parts in order. */
function lineOf(attributes: Cells, {fields}: ParcelSource): string {
  const names =
    fields["situs_raw"] === undefined
      ? [
          "situs_number",
          "situs_fraction",
          "situs_pre",
          "situs_name",
          "situs_type",
          "situs_post",
          "situs_unit",
        ]
      : ["situs_raw"];
  const parts = names.map((name) => attributes[String(fields[name]?.from ?? "")] ?? "");
  return parts.join(" ").toUpperCase().replace(/\s+/g, " ").trim();
}

/** Random rows, each with a variant; rows with streets in several spellings are preferably asked in another one. */
function chosen(rows: readonly Printed[], random: Random): (readonly [Printed, Way])[] {
  const spread = rows.map((row) => ({row, at: random.next()})).sort((a, b) => a.at - b.at);
  const names = Object.keys(ways);
  const others = names.filter((way) => way.startsWith("other "));
  const special = others.flatMap((way) =>
    spread
      .filter(({row: {line}}) => ways[way]!(line, random) !== null)
      .slice(0, addressesWanted / 5)
      .map(({row}) => [row, way] as const),
  );
  const usual = names.filter((way) => !others.includes(way));
  const rest = spread.slice(0, addressesWanted - special.length);
  return [...special, ...rest.map(({row}, i) => [row, usual[i % usual.length]!] as const)];
}

/** The same address under another number. */
function twinOf(row: FakeRow, entry: ParcelSource): FakeRow {
  const attributes = {...row.attributes, OBJECTID: 999_999, [idColumn(entry)]: "99-99-9"};
  return {...row, attributes};
}

function changed(line: string, pattern: RegExp, to: (word: string) => string | null): string | null {
  const found = pattern.exec(line);
  const word = found === null ? null : to(found[0]);
  return found === null || word === null
    ? null
    : line.slice(0, found.index) + word + line.slice(found.index + found[0].length);
}

function otherOrdinal(word: string): string | null {
  if (!/^\d/.test(word)) return ordinalWords.get(word) ?? null;
  return [...ordinalWords].find(([, digits]) => digits === word)?.[0] ?? null;
}

/** Spells out abbreviated street types, and abbreviates others. */
function otherTypes(line: string): string {
  const words = line.split(" ");
  const at = words.findLastIndex((word, i) => i > 1 && streetTypes.has(word));
  if (at < 0) return line;
  const {full, short} = streetTypes.get(words[at]!)!;
  return words.with(at, words[at] === full ? `${short}.` : full).join(" ");
}

function inTitle(line: string): string {
  return line.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
