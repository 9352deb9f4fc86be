import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {ConfigError, messageOf, UserError} from "../../lib/errors.ts";
import {
  buildFolder,
  currentBuildId,
  type DataFolder,
  dataFolder,
  publishedBuildId,
} from "../../lib/storage/data-folder.ts";
import {Scope} from "../../schemas/api-key.ts";
import type {Settings} from "../../schemas/settings.ts";
import {GrowingView} from "../delta/delta-view.ts";
import {type Generation, isOldBuild} from "../generation/generation.ts";
import {type OpenState, openGeneration} from "../generation/open-generation.ts";
import {type Call, deployed, type Endpoint} from "./endpoint.ts";
import {readParameters} from "./parameters.ts";
import {Problem, problemDocument} from "./problem-document.ts";

/** Queries an endpoint: resolves to the body of the 200 or to a problem document. Throws if nobody can answer. */
export type Ask = (path: string, values: Readonly<Record<string, string>>) => Promise<DirectAnswer>;

type LocalParts = {endpoints: readonly Endpoint[]; openState: OpenState; settings: Settings};

/** An endpoint's answer without a server: the body of the 200, or the problem document. */
export type DirectAnswer = {ok: boolean; body: string};

/**
 * Opens the published build, checked by file set and sizes only, together with the delta's discoveries. Throws a `UserError` if nothing is
 * published.
 */
export async function openPublished(data: DataFolder, openState: OpenState): Promise<Generation> {
  const generation = await openGeneration(buildFolder(data, await publishedBuildId(data)), {
    openState,
    depth: "sizes",
  });
  const records = createFindMaker();
  const delta = new GrowingView(generation, records);
  const placed: PlacedRecord[] = [];
  await new DeltaReader(data.delta).poll((each) => void placed.push(each));
  await delta.fold(placed);
  await records.close();
  return {...generation, delta};
}

type DirectCall = {
  generation: Generation;
  settings: Settings;
  /** Whose question it is; by default that of whoever holds the data folder. */
  caller?: Pick<Call<unknown>, "scopes" | "requestId" | "keyId">;
  now?: Date;
};

const terminal = {scopes: Scope.options, requestId: "terminal", keyId: "terminal"};

/**
 * Calls an endpoint (as returned by `deployed`) the way a request would, within the same deadline. Errors other than problems are rethrown.
 */
export async function answerDirectly(
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  {generation, settings, caller = terminal, now = new Date()}: DirectCall,
): Promise<DirectAnswer> {
  try {
    const {query, ignored} = readParameters(endpoint, Object.entries(values));
    const answer = await endpoint.answer({
      generation,
      query,
      ignored,
      oldBuild: isOldBuild(generation, now),
      settings,
      ...caller,
      signal: AbortSignal.timeout(settings.CATTLE_DEADLINE_MS),
    });
    return {ok: true, body: answer.body.toString()};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return problemAnswer(error, caller.requestId);
  }
}

/** A problem as the answer to a direct call. */
export function problemAnswer(problem: Problem, requestId: string): DirectAnswer {
  return {ok: false, body: JSON.stringify(problemDocument(problem, requestId))};
}

/** Returns the way to ask: the server at `CATTLE_SERVER` if set, otherwise the published build of the data folder. */
export function askOf(parts: LocalParts): Ask {
  return parts.settings.CATTLE_SERVER === "" ? askBuild(parts) : askServer(parts.settings);
}

/** Asks the published build, opened on the first question and reopened when another one is published. */
function askBuild({endpoints: defined, openState, settings}: LocalParts): Ask {
  const data = dataFolder(settings.CATTLE_DATA);
  const endpoints = defined.map((each) => deployed(each, settings));
  let opened: Promise<Generation> | null = null;
  return async (path, values) => {
    const endpoint = endpoints.find((each) => each.path === path);
    if (endpoint === undefined) throw new Error(`no endpoint at ${path}`);
    const held = await opened?.catch(() => null);
    if (opened === null || held == null || held.buildId !== (await currentBuildId(data))) {
      opened = openPublished(data, openState);
    }
    return answerDirectly(endpoint, values, {generation: await opened, settings});
  };
}

/** Asks a server over HTTP. Redirects are refused because they would carry the key along. */
function askServer({CATTLE_SERVER: address, CATTLE_SERVER_KEY: key, CATTLE_DEADLINE_MS: ms}: Settings): Ask {
  if (key === null)
    throw new ConfigError("CATTLE_SERVER is set: set CATTLE_SERVER_KEY_FILE to the file of a key.");
  return async (path, values) => {
    const url = `${address.replace(/\/$/, "")}${path}?${new URLSearchParams(values)}`;
    const signal = AbortSignal.timeout(ms + 2_000);
    const response = await fetch(url, {headers: {"X-API-Key": key}, redirect: "error", signal}).catch(
      (error) => {
        throw new UserError(`CATTLE_SERVER: ${address} does not answer (${causeOf(error)}).`);
      },
    );
    const body = await response.text();
    const json = /^application\/(problem\+)?json\b/.test(response.headers.get("content-type") ?? "");
    if (!json)
      throw new UserError(
        `CATTLE_SERVER: ${address} answered ${response.status} without JSON: is it this service?`,
      );
    return {ok: response.ok, body};
  };
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
