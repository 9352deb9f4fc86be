import {addressOf} from "../../../lib/registry/layer-terms.ts";
import type {Cadence, FeedFetch, KeySetting, Rate} from "../../../schemas/fetch-source.ts";
import type {ListSource} from "../../../schemas/list-source.ts";
import type {CadastreSource, ParcelSource} from "../../../schemas/parcel-source.ts";
import {refusalOfSource} from "../../parcels/datasets.ts";

/** A source with everything needed to fetch it: a uniform shape for feeds, parcel entries and cadastre layers. */
export type FetchSource = {
  readonly id: string;
  readonly kind: "market" | "parcels";
  /** Its folder below `<raw>/<kind>/`; a list has a subfolder of its feed's. */
  readonly folder: string;
  readonly protocol: FeedFetch["protocol"] | "arcgis";
  readonly url: string;
  /** Hosts that may be contacted, with their ports. */
  readonly hosts: ReadonlySet<string>;
  readonly rate: Rate;
  readonly cadence: Cadence;
  readonly timeoutMs: number;
  readonly format: string | undefined;
  readonly key: KeySetting | null;
  /** Id of a source whose success makes this one needless. */
  readonly unlessGood: string | null;
  readonly contact: boolean;
  readonly licensed: boolean;
  readonly verified: boolean;
  /** Why the source must not be pulled as a whole; null if it may be. */
  readonly bulkRefusal: string | null;
  /** State of a parcel source, else null. */
  readonly state: string | null;
  /** The registry entry, for details that only its protocol knows. */
  readonly feed: FeedFetch | null;
  readonly entry: ParcelSource | CadastreSource | null;
};

const politeRate: Rate = {perSecond: 1, atOnce: 1};
const arcgisRate: Rate = {perSecond: 1, atOnce: 2};
const silenceMs = 60_000;
/** Rolls are published once or a few times a year; a layer that states its last edit is checked weekly. */
const rollCadence: Cadence = {everyHours: 24 * 7};

/** Defaults for what the registry entry does not state. */
const defaults = {
  timeoutMs: silenceMs,
  format: undefined,
  key: null,
  unlessGood: null,
  contact: false,
  licensed: false,
  bulkRefusal: null,
  state: null,
  feed: null,
  entry: null,
};

/** Returns the source of a market feed. */
export function sourceOfMarketFeed(feed: FeedFetch): FetchSource {
  const {id, feed: folder, protocol, url, rate = politeRate, cadence, verified} = feed;
  const further = feed.protocol === "ams-text" ? [feed.files, feed.archive ?? feed.files] : [];
  return {
    ...defaults,
    ...{id, folder, protocol, url, rate, cadence, verified, feed},
    kind: "market",
    hosts: new Set([...[url, ...further].map((each) => new URL(each).host), ...(feed.hosts ?? [])]),
    key: feed.key ?? null,
    unlessGood: feed.unlessGood ?? null,
    contact: feed.contact ?? false,
    licensed: feed.licensed ?? false,
  };
}

/** Returns the source of a licence list or a roster, which has its own folder; null for a map without a download. */
export function sourceOfList({id, feed, download}: ListSource): FetchSource | null {
  if (download === undefined) return null;
  const {url, cadence, format, rate = politeRate, hosts = [], verified = true} = download;
  return {
    ...defaults,
    ...{id, url, cadence, format, rate, verified},
    kind: "market",
    folder: `${feed}/${id}`,
    protocol: "http-file",
    hosts: new Set([new URL(url).host, ...hosts]),
  };
}

/** Returns the source of a parcel entry or a cadastre layer; null without a URL. */
export function sourceOfParcels(entry: ParcelSource | CadastreSource): FetchSource | null {
  const url = addressOf(entry);
  if (url === undefined) return null;
  const isLayer = entry.protocol === "arcgis" || /\/(Map|Feature)Server\/\d+\/?$/.test(url);
  return {
    ...defaults,
    id: entry.id,
    kind: "parcels",
    folder: entry.id,
    protocol: isLayer ? "arcgis" : "http-file",
    url: url.replace(/\/+$/, ""),
    hosts: new Set([
      ...[url, entry.mirror, entry.fileList].flatMap((each) =>
        each === undefined ? [] : new URL(each).host,
      ),
      ...(entry.hosts ?? []),
    ]),
    rate: entry.rate ?? (isLayer ? arcgisRate : politeRate),
    cadence: entry.cadence ?? rollCadence,
    timeoutMs: entry.timeoutMs ?? silenceMs,
    format: entry.format,
    verified: entry.verified ?? true,
    bulkRefusal: refusalOfSource(entry),
    state: entry.coverage.state,
    entry,
  };
}

/** Returns the source of a layer that no registry has. */
export function sourceOfNewLayer(url: string): FetchSource {
  return {
    ...defaults,
    ...{id: "new-layer", folder: "new-layer", url, verified: false},
    kind: "parcels",
    protocol: "arcgis",
    hosts: new Set([new URL(url).host]),
    rate: arcgisRate,
    cadence: rollCadence,
  };
}

/** Placeholder in a URL for the county key, if a publisher has a file per county. */
const placeholder = "{county}";

/** Returns the URLs of a source: one per county if its URL has the placeholder. */
export function addressesOf({url, entry}: Pick<FetchSource, "url" | "entry">): string[] {
  const counties: ParcelSource["coverage"]["counties"] = entry?.coverage.counties ?? "all";
  if (!url.includes(placeholder) || counties === "all") return [url];
  return counties.map((county) => url.replace(placeholder, county));
}

/** Returns the address of the same file at the entry's mirror; null without one. */
export function mirrorOf(
  {url: template, entry}: Pick<FetchSource, "url" | "entry">,
  url: string,
): string | null {
  if (entry?.mirror === undefined) return null;
  const [before = "", after = ""] = template.split(placeholder);
  return entry.mirror.replace(placeholder, url.slice(before.length, url.length - after.length));
}
