import type {StateFacts, UseSystem} from "@open-cattle/entry-proposer";
import {stateBox} from "../geography/county-box.ts";
import {classifyLandUse} from "../parcels/land-use/classify.ts";
import {type CompiledSystem, landUseMap, normaliseCode} from "../parcels/land-use/land-use-map.ts";

/** What a proposal is told of states: where they are, and how their counties print land use. */
export const stateFacts: StateFacts = {
  boxOf: stateBox,
  useSystemsOf: (state) =>
    [...landUseMap().systems.values()].filter(({system}) => system.region === state).map(useSystem),
  useOfWords: (description) => classifyLandUse({codes: {}, description}, [], landUseMap()).category,
};

function useSystem({id, system, rules}: CompiledSystem): UseSystem {
  return {
    id,
    columns: system.fields,
    knows(cell) {
      const codes = normaliseCode(cell, system.normalise);
      return codes.length > 0 && codes.every((code) => rules.some((rule) => rule.fits(code)));
    },
    categoryOf: (code, column) => classifyLandUse({codes: {[column]: code}}, [id], landUseMap()).category,
  };
}
