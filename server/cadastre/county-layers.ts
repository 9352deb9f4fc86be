import type {ScoredAddress} from "@open-cattle/us-address";
import {countyOf} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {countiesOfZip, soleCounty} from "../../lib/parcels/place/postal-places.ts";
import {mayBeQueried} from "../../lib/registry/layer-terms.ts";
import {hasLayer, type LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {
  type CadastreRegistry,
  loadCadastreSources,
  loadParcelSources,
} from "../../lib/registry/parcel-sources.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {Generation} from "../generation/generation.ts";
import type {CadastreQuestion} from "../parcels/cadastre-port.ts";

/** The county that a question is sent to. */
export type AskedCounty = {readonly country: "US" | "CA"; readonly state: string; readonly key: string};

/** Minimum share of a ZIP's land area for its county to be assumed. */
const minLandShare = 0.5;
const districtOfColumbia = "11001";
/** Layers that one question may ask. */
const maxDoors = 2;

/** A layer chosen for a county. */
export type Layer = {
  readonly source: LayerSource;
  /** True when the layer covers more than the county, so that queries must be narrowed to it. */
  readonly statewide: boolean;
};

/** A layer among those that may be asked for one county. */
export type Door = Layer & {
  /** True when another layer comes before it: its empty answer proves something only of counties of which it has given a row. */
  readonly isNext: boolean;
};

/** The registered layers. */
export type Layers = {
  /**
   * Returns the layers that may be asked for a county, best first: its own before those of the state, a bulk source before a query-only
   * one, and at most two, because a question has no time for more.
   */
  forCounty(county: AskedCounty): readonly Door[];
};

/** Returns the layers of the registry in `data/sources`. The first use of a state throws a `ConfigError` if an entry is broken. */
export function registeredLayers(decisions: TermsDecisions): Layers {
  return layersOf({bulk: loadParcelSources(), cadastre: loadCadastreSources(), decisions});
}

type Registries = {
  bulk: readonly ParcelSource[];
  cadastre: Pick<CadastreRegistry, "of">;
  /** The operator's decisions on terms. */
  decisions?: TermsDecisions;
};

/**
 * Returns the layers of these registries. Left out are municipal layers, whose boundaries we do not know, and layers whose publisher
 * forbids automated queries, unless the operator has decided otherwise.
 */
export function layersOf({bulk, cadastre, decisions = {}}: Registries): Layers {
  const askable = bulk.filter(hasLayer);
  return {
    forCounty({country, state, key}) {
      const countyLayers = [...askable, ...cadastre.of(country, state)].filter(
        (source) =>
          source.coverage.country === country &&
          source.coverage.state === state &&
          mayBeQueried(source, decisions),
      );
      const county = countyLayers.find(({coverage: {counties, places}}) => {
        return places === undefined && counties !== "all" && counties.includes(key);
      });
      const statewide = countyLayers.filter(({coverage}) => coverage.counties === "all");
      const doors = [county, ...statewide]
        .filter((source) => source !== undefined)
        .filter(({cadastre: {url}}, i, all) => all.findIndex((other) => other.cadastre.url === url) === i);
      return doors.slice(0, maxDoors).map((source, i) => ({
        source,
        statewide: source.coverage.counties === "all" || source.coverage.counties.length > 1,
        isNext: i > 0,
      }));
    },
  };
}

/**
 * Determines the county of a question (`docs/design/parcels.md` section 9). In this order: the named county; that of the parcel number's
 * prefix or of the point; the one with most of the ZIP's land; the only county of the city and of all its ZIPs; the only county of the
 * state. Null when none applies or when state and county contradict each other. A city whose deliveries cross a county line is not enough:
 * an empty answer from the wrong county would prove nothing.
 */
export function askedCounty(question: CadastreQuestion, generation: Generation): AskedCounty | null {
  const key = onlyKey(question, generation);
  if (key === null) return null;
  const state = stateOfKey(key);
  if (state === null || (question.state !== null && question.state !== state)) return null;
  return {country: state === "MB" ? "CA" : "US", state, key};
}

function onlyKey({counties, state, ...question}: CadastreQuestion, generation: Generation): string | null {
  if (counties?.size === 1) return [...counties][0]!;
  if (counties === null && state === "DC") return districtOfColumbia;
  if (question.kind !== "address") return null;
  const key = countyOfAddress(question.address, {state, generation});
  return key !== null && (counties === null || counties.has(key)) ? key : null;
}

function countyOfAddress(
  {city, zip}: ScoredAddress,
  {state, generation}: {state: string | null; generation: Generation},
): string | null {
  const byZip = zip === null ? null : countyOfZip(zip, generation);
  if (byZip !== null || city === null || state === null) return byZip;
  const byCity = soleCounty(state, city);
  const ofZip = zip === null ? null : countiesOfZip(zip);
  return byCity !== null && (ofZip === null || ofZip.includes(byCity)) ? byCity : null;
}

/** The county with at least half of a ZIP's land, or the only county that the ZIP touches; otherwise null. */
function countyOfZip(zip: string, {market}: Generation): string | null {
  const [largest] = market?.zip(zip)?.counties ?? [];
  if (largest !== undefined) return largest.share >= minLandShare ? largest.county_fips : null;
  const [only, another] = countiesOfZip(zip) ?? [];
  return only !== undefined && another === undefined ? only : null;
}

/** The state of a county key; for codes newer than the county table, from the first two digits. */
function stateOfKey(key: string): string | null {
  if (/^MB\d{3}$/.test(key)) return "MB";
  return countyOf(key)?.state ?? stateOf(key.slice(0, 2))?.state ?? null;
}
