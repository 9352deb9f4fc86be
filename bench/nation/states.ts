import {cpSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {stateOfZip} from "@open-cattle/us-address";
import {counties} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import {packageRoot} from "../../lib/paths.ts";
import {type Place, writeRollCsv} from "../parcels/roll-csv.ts";

/** Ten states, each with an invented statewide roll. */
export const states = ["AZ", "CO", "KS", "MT", "NE", "NM", "OK", "TX", "UT", "WY"] as const;
export type State = (typeof states)[number];

/** Ranges of parcel numbers per state, so that a number without a state still finds one parcel. */
const numbersOfState = 100_000_000;

/** The id of a state's entry. */
export function entryOf(state: string): string {
  return `us-${state.toLowerCase()}-bench`;
}

/** Writes a copy of the registry with an entry for each state, modelled on the statewide Texas one; returns its folder. */
export function writeRegistry(root: string): string {
  const folder = join(root, "registry");
  cpSync(join(packageRoot, "data", "sources"), folder, {recursive: true});
  const texas = JSON.parse(readFileSync(join(folder, "parcels", "us-tx-stratmap.json"), "utf8"));
  const {crs: _crs, compression: _compression, ...entry} = texas;
  for (const state of states) {
    const id = entryOf(state);
    const invented = {
      ...entry,
      id,
      name: `Invented parcels of ${state}`,
      coverage: {...entry.coverage, state},
      format: "csv",
      fields: {...entry.fields, lon: {from: "LON"}, lat: {from: "LAT"}},
      accept: {minRows: 0, maxRejectShare: 1, maxDropShare: 1, rows: []},
    };
    writeFileSync(join(folder, "parcels", `${id}.json`), JSON.stringify(invented));
  }
  return folder;
}

/** Writes the roll of a state below a raw folder, covering all of its counties. */
export async function writeRoll(raw: string, state: State, rows: number): Promise<void> {
  const folder = join(raw, "parcels", entryOf(state));
  mkdirSync(folder, {recursive: true});
  const path = join(folder, "parcels.csv");
  const first = (1 + states.indexOf(state)) * numbersOfState;
  await writeRollCsv(path, {rows, first, state, firstZip: firstZipOf(state), places: placesOf(state)});
  const meta = {retrieved_at: "2026-11-20T05:00:00Z", complete: true, sample: true};
  writeFileSync(`${path}.meta.json`, JSON.stringify(meta));
}

/** The lowest ZIP code of a state. MT is a street word too, and before another state's ZIP it would not be read as a state. */
function firstZipOf(state: State): number {
  const prefix = Array.from({length: 1000}, (_, number) => String(number).padStart(3, "0")).find(
    (digits) => stateOfZip(digits) === state,
  );
  return Number(`${prefix}00`);
}

/** The middle of each county's bounding box, because points outside it would stop the source. */
function placesOf(state: string): Place[] {
  return counties()
    .filter((county) => county.state === state)
    .map(({fips}) => {
      const {west, south, east, north} = countyBox(fips)!;
      const [width, height] = [(east - west) / 2, (north - south) / 2];
      return {fips, west: west + width / 2, south: south + height / 2, width, height};
    });
}
