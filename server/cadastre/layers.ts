import {countyOf} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import type {ScoredAddress} from "../../lib/parcels/address/parsed-address.ts";
import {countiesOfZip, soleCounty} from "../../lib/parcels/place/places.ts";
import {
  type CadastreRegistry,
  loadCadastreSources,
  loadParcelSources,
} from "../../lib/registry/parcel-sources.ts";
import {mayBeAsked} from "../../lib/registry/terms.ts";
import type {CadastreSource, CadastreSpec, ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {Generation} from "../generation/generation.ts";
import type {CadastreQuestion} from "../parcels/cadastre.ts";

/** The county that a question goes to. */
export type AskedCounty = {readonly country: "US" | "CA"; readonly state: string; readonly key: string};

/** Least share of a ZIP's land that its county must have. */
const leastShare = 0.5;
const districtOfColumbia = "11001";

/** A registered layer with a query service: of a bulk source with its field map, or one that serves misses only. */
export type LayerSource = (ParcelSource | CadastreSource) & {readonly cadastre: CadastreSpec};

/** A layer chosen for a county. */
export type Layer = {
  readonly source: LayerSource;
  /** True when the layer has the whole state: its queries are narrowed to the county. */
  readonly statewide: boolean;
};

/** The registered layers. */
export type Layers = {
  /** Gives the layer of a county: its own before a statewide one, a bulk source's before others; null for none. */
  forCounty(county: AskedCounty): Layer | null;
};

/** Gives the layers of the registry in `data/sources`. The first use of a state throws `ConfigError` for a broken entry. */
export function registeredLayers(decisions: TermsDecisions): Layers {
  return layersOf({bulk: loadParcelSources(), cadastre: loadCadastreSources(), decisions});
}

type Registries = {
  bulk: readonly ParcelSource[];
  cadastre: Pick<CadastreRegistry, "of">;
  /** What the operator decided on terms. */
  decisions?: TermsDecisions;
};

/**
 * Gives the layers of these registries, without those of municipalities, whose limits are not known, and without those whose publisher
 * forbids programs to ask, unless the operator decided otherwise.
 */
export function layersOf({bulk, cadastre, decisions = {}}: Registries): Layers {
  const askable = bulk.filter(hasLayer);
  return {
    forCounty({country, state, key}) {
      const own = [...askable, ...cadastre.of(country, state)].filter(
        (source) =>
          source.coverage.country === country &&
          source.coverage.state === state &&
          mayBeAsked(source, decisions),
      );
      const county = own.find(({coverage: {counties, places}}) => {
        return places === undefined && counties !== "all" && counties.includes(key);
      });
      if (county !== undefined) return {source: county, statewide: county.coverage.counties.length > 1};
      const statewide = own.find(({coverage}) => coverage.counties === "all");
      return statewide === undefined ? null : {source: statewide, statewide: true};
    },
  };
}

function hasLayer(source: ParcelSource): source is ParcelSource & {cadastre: CadastreSpec} {
  return source.cadastre !== undefined;
}

/**
 * Gives the one county of a question (`docs/design/parcels.md` section 9): the named one, that of the number's prefix or of
 * the point, the one with most of the ZIP's land, the only one of the city with all its ZIPs, or the only one of the state.
 * Null when none of these is known, or when state and county contradict each other. A city whose deliveries cross a county
 * line is not enough: an empty answer of the wrong county would prove nothing.
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

/** Gives the county with at least half of the land of a ZIP, or the only one that its area touches; null without one. */
function countyOfZip(zip: string, {market}: Generation): string | null {
  const [largest] = market?.zip(zip)?.counties ?? [];
  if (largest !== undefined) return largest.share >= leastShare ? largest.county_fips : null;
  const [only, another] = countiesOfZip(zip) ?? [];
  return only !== undefined && another === undefined ? only : null;
}

/** Gives the state of a county key; for codes newer than the county table, the state of their first two digits. */
function stateOfKey(key: string): string | null {
  if (/^MB\d{3}$/.test(key)) return "MB";
  return countyOf(key)?.state ?? stateOf(key.slice(0, 2))?.state ?? null;
}
