import type {Command} from "commander";
import {UsageError} from "../../lib/errors.ts";
import {countyOf} from "../../lib/geography/counties.ts";
import {stateCodeOf} from "../../lib/geography/states.ts";
import type {Authority} from "../../schemas/parcel-source.ts";
import type {EntryDraft} from "../parcels/propose/propose-entry.ts";

/** Facts about a new file that a person supplies, as options of `sources check` and `sources add`. */
export type ProposeOptions = {
  county?: string[];
  state?: string;
  place?: string[];
  id?: string;
  name?: string;
  publisher?: string;
  licence?: string;
  authority?: Authority;
  parcelNumber?: string;
  layer?: string;
  crs?: string;
  json?: boolean;
};

/** Adds the options to a command. */
export function proposeOptions(command: Command): Command {
  return command
    .option(
      "--county <keys...>",
      "county key of a data file (5 digits, in Manitoba MB and 3 digits); several, if a column distinguishes them",
    )
    .option("--state <XX>", "state of a data file that covers all of its counties (MB: Manitoba)")
    .option(
      "--place <names...>",
      "municipality of a data file that does not cover its whole county; may be repeated",
    )
    .option("--id <id>", "id of the proposed entry")
    .option("--name <text>", "name of the source")
    .option("--publisher <text>", "who publishes it")
    .option("--licence <text>", "name or address of the licence")
    .option("--authority <word>", "county, state, aggregate, copy or derived")
    .option("--parcel-number <column>", "column with the parcel number, if its name does not show it")
    .option("--layer <name>", "table to read from a file, or layer of a service, that has several")
    .option("--crs <system>", "coordinate system, if the file does not state it (EPSG:n or WKT)")
    .option("--json", "as JSON");
}

/** Makes an entry's facts from the options. Throws a `UsageError` if neither county nor state is given, or one is unknown. */
export function draftOf(options: ProposeOptions): EntryDraft {
  const {country, state, counties} = placeOf(options);
  const [only] = counties === "all" ? [] : counties;
  const places = options.place ?? [];
  const whole = only === undefined || counties.length > 1 ? state : (countyOf(only)?.fullName ?? only);
  const where = [...(places.length > 0 ? [places.join(" and ")] : []), whole].join(", ");
  return {
    country,
    state,
    counties,
    ...(places.length === 0 ? {} : {places}),
    id: options.id ?? slugOf([country, state, ...(only === undefined ? [] : [only]), ...places]),
    name: options.name ?? `Parcels of ${where}`,
    publisher: options.publisher ?? "not stated",
    licence: options.licence ?? "not stated by the publisher",
    authority: options.authority ?? (counties === "all" ? "aggregate" : "county"),
    parcelNumber: options.parcelNumber,
    layer: options.layer,
    crs: options.crs,
  };
}

function slugOf(words: readonly string[]): string {
  return words
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
}

function placeOf({county, state}: ProposeOptions): Pick<EntryDraft, "country" | "state" | "counties"> {
  if (county !== undefined) {
    const places = county.map((key) => ({key, state: stateOfCounty(key)}));
    const [first] = places;
    const stranger = places.find((place) => place.state !== first?.state);
    if (first === undefined || stranger !== undefined)
      throw new UsageError(`--county: expected counties of one state, got ${county.join(" ")}.`);
    return {country: first.state === "MB" ? "CA" : "US", state: first.state, counties: county};
  }
  const code = state === undefined ? undefined : stateCodeOf(state);
  if (code === "MB") return {country: "CA", state: "MB", counties: "all"};
  if (code === undefined) {
    throw new UsageError(
      `${state === undefined ? "Add --county FIPS or --state XX" : `--state: "${state}" is not a state`}: the county or the state that the file is of, such as --county 48453 or --state TX.`,
    );
  }
  return {country: "US", state: code, counties: "all"};
}

function stateOfCounty(key: string): string {
  if (/^MB\d{3}$/.test(key)) return "MB";
  const county = countyOf(key);
  if (county === undefined)
    throw new UsageError(
      `--county: expected a county key (5 digits, or MB and 3 digits in Manitoba), got "${key}".`,
    );
  return county.state;
}
