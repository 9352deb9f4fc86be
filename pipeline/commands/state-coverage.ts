import {countWithNoun} from "../../lib/counts.ts";
import {UsageError} from "../../lib/errors.ts";
import {addressOf, withDecision} from "../../lib/registry/layer-terms.ts";
import {loadParcelSources, loadWaves} from "../../lib/registry/parcel-sources.ts";
import {Completeness, type Manifest, type StatePart} from "../../schemas/manifest.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {refusalOfBulk, refusalOfSource} from "../parcels/datasets.ts";
import {print, printJson, textTable} from "./command-line.ts";

/** A source that a state needs to be live but lacks or has incompletely, with the command that gets it. */
type MissingSource = {readonly id: string; readonly why: string; readonly command: string};

/** Attributes in the table of states: those that lookups depend on. */
export const mainAttributes = [
  "parcel_id",
  "situs_name",
  "owner_name",
  "acres",
  "land_use_category",
  "lon",
] as const;

const completeFacts = Object.keys(Completeness.shape) as (keyof Completeness)[];

/** Returns a state's sources with licence and terms, both null if the manifest does not list the source. */
export function termsOf({sources}: Manifest, part: StatePart) {
  return part.sources.map(({id}) => {
    const source = sources.find((each) => each.id === id);
    return {id, licence: source?.licence ?? null, terms: source?.terms ?? null};
  });
}

/** Returns the newest vintage of a state's sources; null if none is known. */
export function newestVintage({sources}: StatePart): string | null {
  return (
    sources
      .flatMap(({vintage}) => vintage ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/** Formats a share in whole percent; `<1%` and `>99%` are not rounded away, and `-` means nothing. */
export function percent(share: number | undefined): string {
  if (share === undefined || share === 0) return "-";
  const whole = Math.round(share * 100);
  if (whole === 0) return "<1%";
  return whole === 100 && share < 1 ? ">99%" : `${whole}%`;
}

/**
 * Prints counties, attribute shares and terms of one state, plus what keeps it from being live and the commands that help. Throws a
 * `UsageError` for an unknown state.
 */
export function showState(
  manifest: Manifest,
  state: string,
  {asJson, decisions}: {asJson: boolean; decisions: TermsDecisions},
): void {
  const part = manifest.states[state];
  const missingNames = missingSources(manifest, state, decisions);
  if (part === undefined && missingNames.length === 0)
    throw new UsageError(
      `--state: ${JSON.stringify(state)} is neither code nor name of a state, DC, a territory or Manitoba.`,
    );
  if (part === undefined) {
    if (asJson) printJson({state, coverage: "planned", rows: 0, missing: missingNames});
    else {
      print(`${state}  planned  no rows in this build`);
      printMissing(missingNames);
    }
    return;
  }
  const {coverage, rows, counties, fill} = part;
  const sources = termsOf(manifest, part);
  if (asJson) {
    printJson({state, coverage, rows, sources, attributes: fill, counties, missing: missingNames});
    return;
  }
  print(
    `${state}  ${coverage}  ${countWithNoun(rows, "row")} in ${countWithNoun(counties.length, "county", "counties")}, in percent of rows:`,
  );
  print(attributeTable(part));
  print(countyTable(part));
  print(
    textTable(
      ["source", "licence", "store", "owners", "bulk"],
      sources.map(({id, licence, terms}) => [
        id,
        licence ?? "not stated",
        ...[terms?.store, terms?.redistributeOwners].map(word),
        word(terms === null ? undefined : refusalOfBulk({licence: licence ?? "not stated", terms}) === null),
      ]),
    ),
  );
  printMissing(missingNames);
}

function printMissing(missing: readonly MissingSource[]): void {
  if (missing.length === 0) return;
  print("missing for live:");
  print(
    textTable(
      ["source", "why", "command"],
      missing.map(({id, why, command}) => [id, why, command]),
    ),
  );
}

function attributeTable({fill, counties}: StatePart): string {
  const named = new Set(counties.flatMap((county) => Object.keys(county.fill ?? {})));
  const shown = Object.entries(fill).filter(([name]) => named.has(name));
  return textTable(
    ["attribute", "present"],
    shown.map(([name, share]) => [name, percent(share)]),
  );
}

function countyTable({counties}: StatePart): string {
  return textTable(
    ["county", "name", "coverage", "rows", "vintage", ...completeFacts, "sources"],
    counties.map(({county_key, county_name, complete, places, rows, vintage, completeness, sources}) => [
      county_key,
      county_name,
      complete ? "live" : places === undefined ? "partial" : `partial: ${places.join(", ")}`,
      rows,
      vintage ?? "",
      ...completeFacts.map((fact) => percent(completeness?.[fact])),
      sources.join(", "),
    ]),
  );
}

function word(allowed: boolean | undefined): string {
  if (allowed === undefined) return "?";
  return allowed ? "yes" : "no";
}

/**
 * Returns the sources that keep a state from being live: those required by `waves.json` that the build lacks or has incompletely; empty for
 * a live state. A state without any settled source gets one line that says so and how to add its counties. Throws a `ConfigError` for an
 * invalid registry.
 */
function missingSources(manifest: Manifest, state: string, decisions: TermsDecisions): MissingSource[] {
  const wave = loadWaves().find((each) => each.state === state);
  if (wave === undefined) return [];
  const {country, required} = wave;
  if (required.length === 0) {
    const id = `${country}-${state}`.toLowerCase();
    const command = `cattle sources add FILE --county KEY --id ${id}-PLACE --write`;
    return [
      {
        id: `${id}-counties`,
        why: "none is settled: its counties come one by one, and it cannot be live yet",
        command,
      },
    ];
  }
  const entries = loadParcelSources().map((entry) => withDecision(entry, decisions));
  const sources = manifest.states[state]?.sources ?? [];
  return required.flatMap((id) => {
    const made = sources.find((source) => source.id === id);
    if (made?.complete === true) return [];
    const entry = entries.find((each) => each.id === id);
    if (entry === undefined)
      return [{id, why: "no entry in this registry", command: `cattle sources add ${id}.json`}];
    return [{id, why: whyMissing(entry, made !== undefined), command: commandFor(entry)}];
  });
}

function whyMissing(entry: ParcelSource, hasExtract: boolean): string {
  if (hasExtract) return "only an extract is in the build";
  const refusal = refusalOfSource(entry);
  if (refusal !== null) return refusal;
  return entry.verified === false
    ? "never pulled; its entry is not verified"
    : "no file of it is in the build";
}

/** Sources that must not be pulled as a whole are brought by hand. */
function commandFor(entry: ParcelSource): string {
  const {id} = entry;
  const canFetch = refusalOfSource(entry) === null && addressOf(entry) !== undefined;
  return canFetch ? `cattle fetch --source ${id}` : `cattle add --entry ${id} --complete FILE`;
}
