import {loadWaves} from "../../lib/registry/parcel-sources.ts";
import type {FetchPace, FetchState, FetchStatus} from "../../schemas/fetch-state.ts";
import type {Settings} from "../../schemas/settings.ts";
import {isDue, nextDue} from "./jobs/cadence.ts";
import {venueTowns} from "./jobs/known-sources.ts";
import {shareOfTime} from "./jobs/run-budget.ts";
import {addressesOf, type FetchSource} from "./jobs/source-address.ts";

/** The cost of fetching a source when everything is new. */
export type Cost = {
  readonly requests: number;
  /** Seconds, with its requests in sequence. */
  readonly seconds: number;
  /** Bytes on the wire and on disk, compressed; null if unknown. */
  readonly bytes: number | null;
  /** The same unpacked, as the limits of a run count them. */
  readonly unpackedBytes: number | null;
  /** Rows of a layer; null for other sources. */
  readonly rows: number | null;
  /** True if rows, page size and pace were measured by a run or a probe. */
  readonly measured: boolean;
};

/** Approximate number of auction reports that the market-news service lists. */
const auctionReports = 350;
const states = 50;
const arcgisPage = 2000;
/** Assumed rows of a layer with unknown size: those of a medium-sized county. */
const layerRows = 30_000;
/** Days of one question for the history of a report; older weeks take further questions. */
const windowDays = 364;
/** Bytes per row with outline, compressed and unpacked, and seconds per page, until measured. */
const rowBytes = 400;
const unpackedRowBytes = 800;
const pageSeconds = 3;

/** The plan for one source; planning sends no request. */
export type PlannedSource = {
  readonly source: FetchSource;
  /** `ask`, or the outcome of a source that is not fetched. */
  readonly action: "ask" | FetchStatus;
  readonly because: string;
  readonly hosts: readonly string[];
  /** What fetching it takes, or would take. */
  readonly cost: Cost;
  /** Wave of its state; null for a source of the market. */
  readonly wave: number | null;
  /** Seconds that what is not here yet takes: fewer than all for a pull that is under way. */
  readonly secondsLeft: number;
};

/** Wave of a state that no wave names. */
const lastWave = 5;

export type PlanFacts = {
  readonly settings: Pick<
    Settings,
    | "CATTLE_CONTACT"
    | "CATTLE_FUTURES_LICENSED"
    | "CATTLE_FETCH_STATES"
    | "CATTLE_MARS_KEY"
    | "CATTLE_QUICKSTATS_KEY"
    | "CATTLE_EIA_KEY"
  >;
  readonly states: ReadonlyMap<string, FetchState>;
  /** Measurements of sources from runs and probes. */
  readonly paces?: ReadonlyMap<string, FetchPace>;
  readonly now: Date;
  /** True if the sources were named, so that they are fetched even if not due. */
  readonly areNamed: boolean;
  /** Sources wanted in addition to the registry's, with the reason. */
  readonly layerReasons?: ReadonlyMap<string, string>;
};

/** Plans a run: one item per source, in order. */
export function planFetch(sources: readonly FetchSource[], facts: PlanFacts): PlannedSource[] {
  const waveOf = new Map(loadWaves().map(({state, wave}) => [state, wave]));
  const plan = sources.map((source) => {
    const [action, because] = actionOf(source, facts);
    const isFirst = (facts.states.get(source.id)?.last_good ?? null) === null;
    const cost = expectedCost(source, facts.paces?.get(source.id), isFirst);
    const here = facts.states.get(source.id)?.under_way?.share ?? 0;
    const wave = source.kind === "market" ? null : (waveOf.get(source.state ?? "") ?? lastWave);
    const secondsLeft = cost.seconds * (1 - here);
    return {source, action, because, hosts: [...source.hosts], cost, wave, secondsLeft};
  });
  return plan.map((planned) => besideOther(planned, plan));
}

/**
 * The order in which a run asks: the market as it is planned, then the parcels that will be whole tonight, because what is left of them fits
 * a source's share of the run, then by wave, then the least time left; ties by id.
 */
export function inOrder(plan: readonly PlannedSource[], runHours: number): PlannedSource[] {
  const shareSeconds = runHours * 3600 * shareOfTime;
  const isLong = ({secondsLeft}: PlannedSource) => Number(secondsLeft > shareSeconds);
  const parcels = plan.filter(({wave}) => wave !== null);
  const ordered = parcels.toSorted(
    (a, b) =>
      isLong(a) - isLong(b) ||
      a.wave! - b.wave! ||
      a.secondsLeft - b.secondsLeft ||
      (a.source.id < b.source.id ? -1 : 1),
  );
  return [...plan.filter(({wave}) => wave === null), ...ordered];
}

/** A source with the facts of another is asked if that one does not succeed, which only the run can tell if both are due. */
function besideOther(planned: PlannedSource, plan: readonly PlannedSource[]): PlannedSource {
  const other = plan.find(({source}) => source.id === planned.source.unlessGood);
  if (planned.action !== "ask" || other === undefined) return planned;
  const {id} = other.source;
  if (other.action === "ask") return {...planned, because: `only if ${id} does not succeed`};
  return other.action === "not due" ? {...planned, action: "not due", because: sameReports(id)} : planned;
}

/** Why a source is not asked beside another with the same facts. */
export function sameReports(id: string): string {
  return `${id} has the same reports`;
}

function actionOf(source: FetchSource, facts: PlanFacts): [PlannedSource["action"], string] {
  const {settings, states, now, areNamed, layerReasons} = facts;
  const {key, state} = source;
  if (source.bulkRefusal !== null) return ["not allowed", source.bulkRefusal];
  if (source.licensed && !settings.CATTLE_FUTURES_LICENSED)
    return ["not allowed", "only with a licence: CATTLE_FUTURES_LICENSED"];
  if (key !== null && settings[key] === null) return ["no key", `set ${key}_FILE`];
  if (source.contact && settings.CATTLE_CONTACT === "")
    return ["no contact", "its publisher requires a contact: set CATTLE_CONTACT"];
  if (areNamed) return ["ask", "named"];
  const because = layerReasons?.get(source.id);
  const {CATTLE_FETCH_STATES: only} = settings;
  if (state !== null && only.length > 0 && !only.includes(state) && because === undefined)
    return ["not due", `${state} is not in CATTLE_FETCH_STATES`];
  const last = states.get(source.id) ?? null;
  const lastGood = last?.last_good ?? null;
  if (lastGood !== null && Date.parse(lastGood) > now.getTime())
    return ["ask", `its last good run is recorded as ${lastGood.slice(0, 16)}Z, which is in the future`];
  if (!isDue(source.cadence, lastGood, now)) {
    const due = nextDue(source.cadence, new Date(lastGood!)).toISOString();
    return ["not due", `due from ${due.slice(0, 16)}Z`];
  }
  return [
    "ask",
    because ?? (last === null ? "never asked" : last.last_good === null ? "not whole yet" : "due"),
  ];
}

/** Estimates the cost of a source from measurements or, failing that, from the registry; the first time its history comes, too. */
export function expectedCost(source: FetchSource, pace: FetchPace | undefined, isFirst = false): Cost {
  const {protocol, entry, rate} = source;
  const least = 1 / rate.perSecond;
  if (protocol !== "arcgis") {
    const requests = fileRequests(source, isFirst);
    const seconds = requests * Math.max(least, pace?.seconds_per_request ?? 0);
    return {
      requests,
      seconds: Math.ceil(seconds),
      bytes: pace?.bytes ?? null,
      unpackedBytes: pace?.bytes ?? null,
      rows: null,
      measured: pace !== undefined,
    };
  }
  const rows = pace?.rows ?? Math.max(entry?.accept?.minRows ?? 0, layerRows);
  const page = Math.min(entry?.pageSize ?? arcgisPage, pace?.page_rows ?? arcgisPage);
  // Metadata, count, the empty last page, and metadata again.
  const requests = 4 + Math.ceil(rows / page);
  const seconds = requests * Math.max(least, pace?.seconds_per_request ?? pageSeconds);
  const bytes = Math.ceil(rows * (pace?.bytes_per_row ?? rowBytes));
  const unpackedBytes = pace?.bytes ?? rows * unpackedRowBytes;
  const measured = pace?.rows != null && pace.page_rows !== null;
  return {requests, seconds: Math.ceil(seconds), bytes, unpackedBytes, rows, measured};
}

function fileRequests(source: FetchSource, isFirst: boolean): number {
  const {feed} = source;
  switch (feed?.protocol) {
    case "mars":
      // The newest weeks are a window of their own.
      return 2 + auctionReports * (isFirst ? 1 + Math.ceil(feed.historyDays / windowDays) : 1);
    case "ams-text":
      return 2 + auctionReports;
    case "datamart":
      // The list of a report's sections, then its rows.
      return 2 * feed.slugs.length;
    case "quickstats":
      return 2 * Object.keys(feed.queries).length;
    case "drought":
      return states;
    case "nws":
      return feed.ask === "alerts" ? states : 2 * venueTowns().length;
    case "echo":
      return 2 * states;
    case "bulk-lines":
      // The page of links is asked for each file.
      return Object.values(feed.files).reduce((sum, {link}) => sum + (link === undefined ? 1 : 2), 0);
    default:
      return addressesOf(source).length;
  }
}
