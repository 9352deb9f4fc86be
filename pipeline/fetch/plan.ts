import type {FetchPace} from "../../schemas/fetch-pace.ts";
import type {FetchState, FetchStatus} from "../../schemas/fetch-state.ts";
import type {Settings} from "../../schemas/settings.ts";
import {isDue, nextDue} from "./cadence.ts";
import {type Cost, expectedCost} from "./expected-cost.ts";
import type {FetchSource} from "./fetch-source.ts";

/** The plan of a run for one source; it is made without a request. */
export type PlannedSource = {
  readonly source: FetchSource;
  /** `ask`, or the outcome of a source that is not asked. */
  readonly action: "ask" | FetchStatus;
  readonly because: string;
  readonly hosts: readonly string[];
  /** What it takes, or would take if it were asked. */
  readonly cost: Cost;
};

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
  /** What was measured of sources by runs and probes. */
  readonly paces?: ReadonlyMap<string, FetchPace>;
  readonly now: Date;
  /** True where the sources were named: they are asked although they are not due. */
  readonly named: boolean;
  /** Sources that are wanted beside the registry's, with the reason. */
  readonly wanted?: ReadonlyMap<string, string>;
};

/** Gives the plan of a run, one line for each source in their order. */
export function planFetch(sources: readonly FetchSource[], facts: PlanFacts): PlannedSource[] {
  return sources.map((source) => {
    const [action, because] = actionOf(source, facts);
    const cost = expectedCost(source, facts.paces?.get(source.id));
    return {source, action, because, hosts: [...source.hosts], cost};
  });
}

function actionOf(source: FetchSource, facts: PlanFacts): [PlannedSource["action"], string] {
  const {settings, states, now, named, wanted} = facts;
  const {key, unlessKey, state} = source;
  if (source.bulkRefusal !== null) return ["not allowed", source.bulkRefusal];
  if (source.licensed && !settings.CATTLE_FUTURES_LICENSED)
    return ["not allowed", "only with a licence: CATTLE_FUTURES_LICENSED"];
  if (key !== null && settings[key] === null) return ["no key", `set ${key}_FILE`];
  if (unlessKey !== null && settings[unlessKey] !== null)
    return ["not due", `${unlessKey}_FILE is set, and its source has the same reports`];
  if (source.contact && settings.CATTLE_CONTACT === "")
    return ["no contact", "its publisher requires a contact: set CATTLE_CONTACT"];
  if (named) return ["ask", "named"];
  const because = wanted?.get(source.id);
  const {CATTLE_FETCH_STATES: only} = settings;
  if (state !== null && only.length > 0 && !only.includes(state) && because === undefined)
    return ["not due", `${state} is not in CATTLE_FETCH_STATES`];
  const last = states.get(source.id) ?? null;
  const lastGood = last?.last_good ?? null;
  if (lastGood !== null && Date.parse(lastGood) > now.getTime())
    return ["ask", `its last good run is noted for ${lastGood.slice(0, 16)}Z, in the future: not believed`];
  if (!isDue(source.cadence, lastGood, now)) {
    const due = nextDue(source.cadence, new Date(lastGood!)).toISOString();
    return ["not due", `due from ${due.slice(0, 16)}Z`];
  }
  return [
    "ask",
    because ?? (last === null ? "never asked" : last.last_good === null ? "not whole yet" : "due"),
  ];
}
