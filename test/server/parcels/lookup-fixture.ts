import type {z} from "zod";
import {openStateArtifacts, type StateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import type {ParcelCandidate, ParcelListMetadata} from "../../../schemas/parcel-answer.ts";
import type {PropertyRecord} from "../../../schemas/parcel-record.ts";
import type {StateStageResult} from "../../../schemas/part-file.ts";
import type {InvalidParameter} from "../../../schemas/problem.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {answerDirectly, type DirectAnswer} from "../../../server/http/direct-answer.ts";
import {noCadastre, type ParcelDeps} from "../../../server/parcels/cadastre-port.ts";
import {createParcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {inventedSources, partOf} from "./state-fixture.ts";

export const BUILT_AT = "2026-11-21T04:00:00Z";

/** A build of the given states that was never published. */
export function generationOfStates(
  states: readonly StateArtifacts[],
  changes: Partial<Generation> = {},
): Generation {
  const manifest = {
    sources: [],
    states: Object.fromEntries(states.map((set) => [set.state, set.part])),
  } as unknown as Manifest;
  return {
    buildId: "20261121-7be2d4",
    builtAt: BUILT_AT,
    asOf: "2026-11-21",
    sample: false,
    manifest,
    market: null,
    states: new Map(states.map((set) => [set.state, set])),
    ...changes,
  };
}

/** A build of one state that the pipeline made, in the folder of its serving files. */
export function generationOfBuilt({serving, counties, rows, pointCount, sources}: BuiltState): Generation {
  const part = partOf([], pointCount, {
    rows,
    counties: [...counties],
    sources: [...sources],
    coverage: "partial",
  });
  return generationOfStates([openStateArtifacts(serving, part)]);
}

type BuiltState = Pick<StateStageResult, "counties" | "rows" | "sources"> & {
  serving: string;
  pointCount: number;
};

const paths = {
  address: "address-lookup",
  parcel: "parcel-id-lookup",
  near: "location-search",
  owner: "owner-search",
} as const;

/** The members of answers and problems that tests look at; a body has either kind. */
export type Body = {
  property: PropertyRecord;
  properties: PropertyRecord[];
  metadata: z.infer<typeof ParcelListMetadata>;
  type: string;
  detail: string;
  error: string;
  candidates: ParcelCandidate[];
  candidateTotal: number;
  invalid_params: InvalidParameter[];
  limitations: string[];
};

export type Asked = DirectAnswer & {json: Body};

/** Asks a parcel endpoint as a request would; a 200 is held against the endpoint's response schema. */
export function asker(generation: Generation, deps: Partial<ParcelDeps> = {}) {
  const endpoints = createParcelEndpoints({cadastre: noCadastre, sources: inventedSources, ...deps});
  return async (kind: keyof typeof paths, values: Record<string, string>): Promise<Asked> => {
    const endpoint = endpoints.find(({path}) => path.endsWith(paths[kind]))!;
    const settings = readSettings({});
    const answer = await answerDirectly(endpoint, values, {generation, settings, now: new Date(BUILT_AT)});
    const json = JSON.parse(answer.body) as Body;
    if (answer.ok) endpoint.response.parse(json);
    return {...answer, json};
  };
}
