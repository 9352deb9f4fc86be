import {ConfigError, messageOf, UserError} from "../../lib/errors.ts";
import {currentBuildId, dataFolder} from "../../lib/storage/data-folder.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {Generation} from "../generation/generation.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {answerDirectly, type DirectAnswer, openPublished} from "./direct-answer.ts";
import {deployed, type Endpoint} from "./endpoint.ts";

/** Asks the endpoint at a path: gives the body of the 200, or a problem document. Throws where nobody can answer. */
export type Ask = (path: string, values: Readonly<Record<string, string>>) => Promise<DirectAnswer>;

type LocalParts = {endpoints: readonly Endpoint[]; openState: OpenState; settings: Settings};

/** Gives a way of asking: the server at `CATTLE_SERVER` where it is set, else the published build of the data folder. */
export function askOf(parts: LocalParts): Ask {
  return parts.settings.CATTLE_SERVER === "" ? askBuild(parts) : askServer(parts.settings);
}

/** Asks the published build, opened at the first question and again when another one is published. */
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

/** Asks a server over HTTP. A redirection is refused, because the key would go along. */
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
