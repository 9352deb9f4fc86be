import {states} from "../../lib/geography/states.ts";
import {registeredCadastreSource} from "../../lib/registry/cadastre-sources.ts";
import {withDecision} from "../../lib/registry/terms.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {DeltaInputs} from "../publish/delta-inputs.ts";
import {type FetchSource, sourceOfParcels} from "./fetch-source.ts";

/** The 50 states and the District of Columbia, by FIPS code; territories have neither markets nor layers here. */
export const surveyedStates = states.filter(({fips}) => fips <= "56");

/** Layers of the cadastre registry that a run asks beside the entries, with the reason for each by its id. */
export type WantedLayers = {readonly sources: FetchSource[]; readonly reasons: ReadonlyMap<string, string>};

/**
 * Gives the layers of the cadastre registry that are wanted whole: those of which a parcel was found on a miss, so that its
 * county becomes live (`docs/design/parcels.md` section 9), and those that were pulled before, so that they stay current. An
 * entry with an address stands before the layer of its id, which is then not asked beside it.
 */
export function wantedLayers(
  delta: Pick<DeltaInputs, "states">,
  states: ReadonlyMap<string, FetchState>,
  registered: readonly FetchSource[],
  decisions: TermsDecisions = {},
): WantedLayers {
  const found = [...delta.states.values()].flatMap(({records}) =>
    records.map(({record}) => record.provenance.sourceId),
  );
  const reasons = new Map([...states.keys()].map((id) => [id, "pulled before"]));
  for (const id of found) reasons.set(id, "a parcel of it was found on a miss");
  const known = new Set(registered.map(({id}) => id));
  const ids = [...reasons.keys()].filter((id) => !known.has(id)).sort();
  const layers = ids.map((id) => registeredCadastreSource(id));
  const sources = layers.map((layer) =>
    layer === undefined ? null : sourceOfParcels(withDecision(layer, decisions)),
  );
  return {sources: sources.filter((source) => source !== null), reasons};
}
