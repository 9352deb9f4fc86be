import {join} from "node:path";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {sourcesDir} from "../../lib/paths.ts";
import {readRegistryFile} from "../../lib/reference/registry-file.ts";
import {statementOf} from "../../lib/registry/layer-terms.ts";
import {MARKET, tableOfPath} from "../../lib/storage/build-layout.ts";
import type {Manifest, StatePart} from "../../schemas/manifest.ts";
import {MarketSourceFile, type MarketSourceId} from "../../schemas/market-source.ts";

/** A part of a build that `/files/` does not show, with the source whose terms forbid it. */
export type LeftOut = {readonly part: string; readonly source: string; readonly reason: string};

/** Sources of the tables of prices: every market table that is not named below. */
const priceSources: readonly MarketSourceId[] = ["ams-lmr-datamart", "mars"];

/** Sources of the other market tables, besides what the service derives itself. */
const tableSources: Readonly<Record<string, readonly MarketSourceId[]>> = {
  barns: [...priceSources, "editorial-market-reference-sources"],
  venue_schedules: [...priceSources, "editorial-market-reference-sources"],
  venue_ids: [...priceSources, "editorial-market-reference-sources"],
  venue_status_history: [...priceSources, "editorial-market-reference-sources"],
  dealers: ["state-agriculture-reference-pages"],
  derived_measures: [...priceSources, "futures"],
  "signals/alerts": ["nws"],
  "signals/animal_health": ["aphis"],
  "signals/basis": ["futures"],
  "signals/diesel": ["diesel"],
  "signals/drought": ["us-drought-monitor"],
  "signals/facilities": ["echo"],
  "signals/forecast_points": ["nws"],
  "signals/forecasts": ["nws"],
  "signals/futures": ["futures"],
  "signals/inventory": ["nass-quickstats"],
  "signals/references": ["editorial-market-reference-sources", "state-brand-inspection-agencies"],
};

/**
 * Returns why a file may not be handed on as a table: one line for each source whose terms are not known to permit it. Each market table is
 * a part of its own, each state is one. A sample has no terms.
 */
export function refusals(path: string, part: string | null, manifest: Manifest): LeftOut[] {
  if (manifest.sample || part === null) return [];
  return part === MARKET ? marketRefusals(path) : stateRefusals(part, manifest);
}

function marketRefusals(path: string): LeftOut[] {
  const table = tableOfPath(path);
  return (tableSources[table] ?? priceSources).flatMap((source) =>
    leftOut(table, source, marketReason(source)),
  );
}

function leftOut(part: string, source: string, reason: string | null): LeftOut[] {
  return reason === null ? [] : [{part, source, reason}];
}

function marketReason(id: MarketSourceId): string | null {
  const {handOn, terms} = marketSource(id);
  return handOn === "yes" ? null : `${notPermitted} ("${terms}")`;
}

function stateRefusals(state: string, {states, sources}: Manifest): LeftOut[] {
  const part = states[state];
  if (part === undefined) return [];
  const registered = sources.filter(({parts}) => parts.includes(state)).map(({id}) => id);
  const ids = new Set([...part.sources.map(({id}) => id), ...registered]);
  return [...ids].sort().flatMap((source) => leftOut(state, source, parcelReason(source, part, sources)));
}

function parcelReason(id: string, {fill}: StatePart, sources: Manifest["sources"]): string | null {
  const entry = registeredSource(id);
  const statement = entry === undefined ? undefined : statementOf(entry);
  if (statement?.handOn !== "yes")
    return statement === undefined
      ? "no terms have been read that permit handing its rows on"
      : `${notPermitted} ("${statement.words}")`;
  const hasOwners = (fill["owner_raw"] ?? 0) > 0;
  const terms = sources.find((source) => source.id === id)?.terms;
  return hasOwners && terms?.redistributeOwners !== true ? "its owner names may not be handed on" : null;
}

const notPermitted = "its terms are not known to permit handing its rows on";

let registry: ReturnType<typeof MarketSourceFile.parse> | undefined;

function marketSource(id: MarketSourceId) {
  registry ??= readRegistryFile(MarketSourceFile, join(sourcesDir, "market.json"));
  return registry.find((source) => source.id === id)!;
}
