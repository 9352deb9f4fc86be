import {messageOf} from "../../lib/errors.ts";
import {withDecision} from "../../lib/registry/layer-terms.ts";
import {
  loadCadastreSources,
  loadParcelSources,
  loadWaves,
  registeredCadastreSource,
} from "../../lib/registry/parcel-sources.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import {feedNames} from "../../schemas/market-feed.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {MarketStageResult} from "../../schemas/part-file.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {type Venue, VenueFile} from "../../schemas/vocabulary/venue.ts";
import {buildMarket, type MarketInput} from "../market/build-market.ts";
import {loadMarketSources} from "../market/reference/market-sources.ts";
import {loadReferencePages} from "../market/reference/reference-pages.ts";
import {loadVenues} from "../market/reference/venues.ts";
import {failedVectors} from "../market/vectors.ts";
import {buildState} from "../parcels/build-state.ts";
import {entryOfLayer} from "../parcels/propose/propose-entry.ts";
import {openRawContent} from "../raw/raw-content.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {stageCodeDigest} from "./code-version.ts";
import type {Stages} from "./stages.ts";

type ReadVenues = {readonly venues: Venue[]; readonly report: FileReport};

/** Returns the stages and the registry of this project. Throws a `ConfigError` if the registry is invalid. */
export function projectStages({
  futuresLicensed = false,
  decisions = {},
}: {
  futuresLicensed?: boolean;
  /** The operator's decisions on the terms of sources. */
  decisions?: TermsDecisions;
} = {}): Stages<ParcelSource> {
  const layers = loadCadastreSources();
  return {
    entries: loadParcelSources().map((entry) => withDecision(entry, decisions)),
    layers: (country, state) => layers.of(country, state).map((layer) => withDecision(layer, decisions)),
    entryOfPull: (id, layer) => {
      const source = registeredCadastreSource(id);
      return source === undefined ? null : entryOfLayer(withDecision(source, decisions), layer);
    },
    waves: loadWaves(),
    marketFeeds: feedNames,
    marketSources: loadMarketSources(),
    futuresLicensed,
    codeDigest: stageCodeDigest,
    failedVectors,
    buildMarket: (input) => marketStage(input, {futuresLicensed}),
    buildState,
  };
}

/**
 * Runs the market stage and returns its files, rows and sources. Venue files (`directory/*venues.json`, in the format of
 * `data/reference/venues.json`) extend the venue registry and replace venues with the same id; all other files go to the market's own
 * readers.
 */
export async function marketStage(
  input: MarketInput,
  {futuresLicensed = false}: {futuresLicensed?: boolean} = {},
): Promise<MarketStageResult> {
  const venueFiles = input.files.filter(isVenueFile);
  const venuesByFile = new Map<string, ReadVenues>();
  for (const file of venueFiles) venuesByFile.set(file.path, await readVenues(file));
  const added = new Map(
    [...venuesByFile.values()].flatMap(({venues}) => venues.map((venue) => [venue.venueId, venue])),
  );
  const venues = [...loadVenues().filter(({venueId}) => !added.has(venueId)), ...added.values()];
  const files = input.files.filter((file) => !isVenueFile(file));
  const pages = input.sample ? [] : loadReferencePages();
  const made = await buildMarket({...input, files, venues, pages, futuresLicensed});
  const reports = new Map(made.files.map((report) => [report.path, report]));
  return {
    ...made,
    files: input.files.flatMap(({path}) => venuesByFile.get(path)?.report ?? reports.get(path) ?? []),
  };
}

function isVenueFile({feedOrEntryId, path}: RawFile): boolean {
  return feedOrEntryId === "directory" && /venues\.json(\.gz)?$/.test(path);
}

async function readVenues(file: RawFile): Promise<ReadVenues> {
  try {
    const text = (await (await openRawContent(file)).bytes()).toString("utf8");
    const venues = VenueFile.parse(JSON.parse(text));
    const report = {
      ...fileWithoutRows(file.path, file.feedOrEntryId, "read", null),
      rowsIn: venues.length,
      accepted: venues.length,
    };
    return {venues, report};
  } catch (error) {
    const reason = messageOf(error).split("\n").slice(0, 12).join(" ");
    return {venues: [], report: fileWithoutRows(file.path, file.feedOrEntryId, "failed", reason)};
  }
}
