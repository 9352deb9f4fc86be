import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {UserError} from "../../lib/errors.ts";
import {createRecordMaker} from "../../lib/parcels/record/record-maker.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {Scope} from "../../schemas/api-key.ts";
import type {Settings} from "../../schemas/settings.ts";
import {GrowingView} from "../delta/delta-view.ts";
import {isOldBuild} from "../generation/build-age.ts";
import type {Generation} from "../generation/generation.ts";
import {type OpenState, openGeneration} from "../generation/open-generation.ts";
import type {Endpoint} from "./endpoint.ts";
import {readParameters} from "./parameters.ts";
import {Problem, problemDocument} from "./problem.ts";

/** The answer of an endpoint without a server: the body of the 200, or the problem document. */
export type DirectAnswer = {ok: boolean; body: string};

/**
 * The published build of a data folder, checked by file set and sizes, with the finds of the delta. Throws a `UserError` if nothing
 * is published.
 */
export async function openPublished(data: DataFolder, openState: OpenState): Promise<Generation> {
  const buildId = await currentBuildId(data);
  if (buildId === null) throw new UserError(`${data.current}: nothing is published. Run "cattle build".`);
  const generation = await openGeneration(buildFolder(data, buildId), {openState, depth: "sizes"});
  const records = createRecordMaker();
  const delta = new GrowingView(generation, records);
  const placed: PlacedRecord[] = [];
  await new DeltaReader(data.delta).poll((each) => void placed.push(each));
  await delta.fold(placed);
  await records.close();
  return {...generation, delta};
}

/**
 * Asks an endpoint, with its parameters as `deployed` gives them, as a request would and within the same deadline. Faults other than
 * problems are thrown.
 */
export async function answerDirectly(
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  {generation, settings, now = new Date()}: {generation: Generation; settings: Settings; now?: Date},
): Promise<DirectAnswer> {
  try {
    const {query, ignored} = readParameters(endpoint, Object.entries(values));
    const answer = await endpoint.answer({
      generation,
      query,
      ignored,
      oldBuild: isOldBuild(generation, now),
      settings,
      scopes: Scope.options,
      requestId: "terminal",
      keyId: "terminal",
      signal: AbortSignal.timeout(settings.CATTLE_DEADLINE_MS),
    });
    return {ok: true, body: answer.body.toString()};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const document = problemDocument(error, "terminal");
    return {ok: false, body: JSON.stringify(document)};
  }
}
