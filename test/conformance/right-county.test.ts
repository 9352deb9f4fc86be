import {join} from "node:path";
import {distanceMiles} from "@open-cattle/parcel-outlines";
import {beforeAll, describe, expect, test} from "vitest";
import {countiesOfZip, placeOf, placesOfCounty, postOffices} from "../../lib/parcels/place/postal-places.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {draftOf} from "../../pipeline/commands/propose-options.ts";
import {proposeEntry} from "../../pipeline/parcels/propose/propose-entry.ts";
import {listRawFiles, type RawFile} from "../../pipeline/raw/raw-files.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {parquetRows} from "../pipeline/parcels/parquet-rows.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {asker, generationOfStates} from "../server/parcels/lookup-fixture.ts";
import {corpus} from "./corpus.ts";
import {buildCorpusState, type CorpusState, corpusEntries} from "./corpus-states.ts";
import {addressOutcome, answeredCounties} from "./outcomes.ts";
import {
  cityLines,
  cityQuestions,
  elsewhereLines,
  elsewhereQuestions,
  type PlacedRow,
} from "./place-mutations.ts";
import {count, firstShare, type Shares, sharesTable} from "./shares.ts";
import {rawFilesOf} from "./two-source-state.ts";

// All states where asked for, with 10,000 lines of another county and 1,000 of other spellings; else fewer of some states.
const all = process.env.CORPUS_ALL === "1";
const someStates = ["AZ", "CA", "FL", "UT", "WA", "WI"];
const [elsewhereLinesWanted, cityLinesWanted] = all ? [10_000, 1_000] : [2_000, 400];

const townLinesWanted = 1_000;

/** Files without a town column in states without another file in the corpus; each is read as proposed. */
const filesWithoutTown: Readonly<Record<string, string>> = {
  "23005": "new-counties/us-me-portland.csv.gz",
  "27173": "new-counties-2/mn-yellow-medicine.zip",
  "33009": "new-counties-2/nh-lebanon-parcels.csv.gz",
  "42081": "new-counties/us-pa-lycoming.csv",
};

async function proposedFiles(): Promise<{entry: ParcelSource; files: RawFile[]}[]> {
  const made = Object.entries(filesWithoutTown).map(async ([county, file]) => {
    const {entry} = await proposeEntry(join(corpus!, file), draftOf({county: [county]}), "2026-11-21");
    return {entry, files: await rawFilesOf({[entry.id]: file})};
  });
  return Promise.all(made);
}

const columns = `lon, lat, parcel_uid, county_key, situs_status, city, zip, concat_ws(' ', situs_number, situs_fraction, situs_pre, situs_name,
  situs_type, situs_post, CASE WHEN situs_unit IS NOT NULL THEN '#' END, situs_unit) AS street`;
type Row = PlacedRow & {situs_status: string; lon: number | null; lat: number | null};

/** True if a row's point is within rural-route distance of a town (docs/design/parcels.md section 7), or has its ZIP. */
function isNearTown({lon, lat, zip}: Row, {state, town}: {state: string; town: string}): boolean {
  const place = placeOf(state, town);
  if (zip !== null && place?.zips.has(zip.slice(0, 5)) === true) return true;
  if (lon === null || lat === null || place?.point == null) return false;
  const offices = postOffices(state).map((office) => distanceMiles({lat, lon}, office));
  return distanceMiles({lat, lon}, place.point) <= Math.max(6, 2 * Math.min(...offices));
}

/** True for a town stated to be covered by a complete file of the county. */
function covers(county: string, town: string): boolean {
  return loadParcelSources().some(
    ({coverage: {counties, places}}) =>
      counties.includes(county) &&
      places?.some((place) => place.toUpperCase() === town.toUpperCase()) === true,
  );
}

describe.skipIf(corpus === null)("an address is answered by its own county", {timeout: 3_600_000}, () => {
  const rows = new Map<string, Row[]>();
  let generation: Generation;

  beforeAll(async () => {
    const files = (await listRawFiles(corpus!)).filter(({kind}) => kind === "parcels");
    const states: CorpusState[] = [];
    const asked = [...corpusEntries(files)]
      .filter(([state]) => all || someStates.includes(state))
      .map(([state, entries]) => ({state, entries, files}));
    const proposed = (await proposedFiles()).map(({entry, files: own}) => ({
      state: entry.coverage.state,
      entries: [entry],
      files: own,
    }));
    for (const {state, ...parts} of [...asked, ...proposed]) {
      const built = await buildCorpusState(state, parts);
      const found = await parquetRows<Row>(built.outDir, "parcels", columns);
      states.push(built);
      rows.set(
        state,
        found.filter(({situs_status}) => situs_status === "numbered"),
      );
    }
    generation = generationOfStates(states.map(({set}) => set));
  }, 1_200_000);

  /** Lines of rows spread evenly over all states, until there are enough. */
  function* spreadRows(): Generator<[string, Row]> {
    const lists = [...rows].filter(([, list]) => list.length > 0);
    for (let turn = 0; ; turn++) {
      for (const [state, list] of lists) {
        const step = 1 + Math.floor(list.length / 2_000);
        yield [state, list[(turn * step + Math.floor((turn * step) / list.length)) % list.length]!];
      }
    }
  }

  test("never by a parcel of another county than that of its city and ZIP", () => {
    const random = seededRandom(20261121);
    const counts = new Map<string, {asked: number; none: number; wrong: string[]}>();
    let asked = 0;
    for (const [state, row] of spreadRows()) {
      if (asked >= elsewhereLinesWanted) break;
      for (const [name, address] of elsewhereLines(row, state, random)) {
        const found = answeredCounties(generation, {address, state});
        const tally = counts.get(name) ?? {asked: 0, none: 0, wrong: []};
        counts.set(name, tally);
        tally.asked += 1;
        if (found.length === 0) tally.none += 1;
        if (found.includes(row.county_key)) tally.wrong.push(address);
        if (name === "city and ZIP") asked += 1;
      }
    }
    for (const name of elsewhereQuestions) {
      const {asked: total, none, wrong} = counts.get(name)!;
      process.stderr.write(
        `another county's ${name.padEnd(12)} ${total} lines, ${wrong.length} answered by the wrong county, ${none} by none\n`,
      );
      expect(wrong.slice(0, 5), name).toEqual([]);
    }
  });

  test("never at score 1, nor silently, by a parcel of another town of its county that was not checked", async () => {
    const random = seededRandom(20261123);
    const ask = asker(generation);
    const tally = {asked: 0, none: 0, near: 0, noted: 0, wrong: [] as string[]};
    const counties = new Set<string>();
    const bare = [...rows].map(([state, list]) => [state, list.filter(({city}) => city === null)] as const);
    for (let turn = 0; tally.asked < townLinesWanted && turn < townLinesWanted; turn++) {
      for (const [state, list] of bare) {
        const row = list[random.below(list.length)];
        const towns = row === undefined ? [] : placesOfCounty(row.county_key);
        if (row === undefined || towns.length < 2) continue;
        const town = random.pick(towns).words;
        const address = `${row.street}, ${town}`;
        const {json} = await ask("address", {address, state, county: row.county_key});
        tally.asked += 1;
        counties.add(row.county_key);
        const {match, parcelUid} = json.property ?? {};
        // A street in two towns has the same line, so the answer may be the other town's parcel.
        const answered = list.find(({parcel_uid}) => parcel_uid === parcelUid) ?? row;
        if (match === undefined) tally.none += 1;
        else if (covers(row.county_key, town) || isNearTown(answered, {state, town})) tally.near += 1;
        else if (match.score! <= 0.95 && match.notes.length > 0) tally.noted += 1;
        else tally.wrong.push(`${address}: ${JSON.stringify(match)}`);
      }
    }
    const {asked, none, near, noted, wrong} = tally;
    process.stderr.write(
      `another town of the county: ${asked} lines of the files of ${counties.size} counties (${[...counties].sort().join(", ")}), ${wrong.length} wrong, ${none} by none, ${near} checked by file, ZIP or point, ${noted} noted\n`,
    );
    expect(asked).toBeGreaterThanOrEqual(townLinesWanted);
    expect(counties.size).toBeGreaterThanOrEqual(6);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test("in spite of a city that is misspelt, abbreviated or the county", () => {
    const random = seededRandom(20261122);
    const shares: Shares = new Map();
    let asked = 0;
    for (const [state, row] of spreadRows()) {
      if (asked >= cityLinesWanted) break;
      for (const [name, address] of cityLines(row, state, random)) {
        const outcome = addressOutcome(generation, {address, state}, row.parcel_uid);
        count(shares, name, outcome);
        count(shares, "all", outcome);
        asked += 1;
      }
    }
    process.stderr.write(sharesTable("cities in other spellings", shares));
    for (const name of [...cityQuestions, "all"]) {
      expect([name, firstShare(shares, name) >= 0.95]).toEqual([name, true]);
    }
  });

  test("and every ZIP that a corpus row has is known", () => {
    const zips = [...rows.values()].flat().flatMap(({zip}) => (zip === null ? [] : [zip.slice(0, 5)]));
    const unknown = zips.filter((zip) => countiesOfZip(zip) === null);
    expect(unknown.length / Math.max(1, zips.length)).toBeLessThan(0.005);
  });
});
