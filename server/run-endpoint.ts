import type {Request, RequestHandler, Response} from "express";
import type {Settings} from "../schemas/settings.ts";
import type {Answer, Call, Endpoint, Family} from "./endpoint.ts";
import {exchangeOf} from "./exchange.ts";
import type {Generation} from "./generation.ts";
import {canonicalQuery, type Parameters, readParameters} from "./parameters.ts";
import {Problem} from "./problem.ts";
import {matchingTag, sendNotModified, sendReply, tagOf} from "./reply.ts";

export type EndpointDeps = {
  generation: () => Generation | null;
  settings: Settings;
  /** Version of the server, part of every ETag. */
  version: string;
  now: () => Date;
};

/** Age of a build from which its answers say so (L11, P20). */
const OLD_BUILD_MS = 36 * 3_600_000;

const cacheControl: Record<Family, string> = {
  market: "private, max-age=300, must-revalidate",
  // The delta may grow at any time: a parcel answer is asked for again before it is used again.
  parcel: "private, no-cache",
};

/** Parameters, then the answer of one endpoint within the deadline, from the one generation taken at the start. */
export function runEndpoint(endpoint: Endpoint, deps: EndpointDeps): RequestHandler {
  return async (request, response) => {
    const exchange = exchangeOf(response);
    const parameters = readParameters(endpoint, request.query);
    exchange.parameters = parameters.given;
    const generation = deps.generation();
    if (generation === null) throw new Problem("build-unavailable", "No data build is being served.");
    exchange.buildId = generation.buildId;
    await respond(request, response, {endpoint, deps, parameters, generation});
  };
}

/** True when an answer of this build carries the notice of its age. */
export function isOldBuild(generation: Generation, now: Date): boolean {
  return now.getTime() - Date.parse(generation.builtAt) > OLD_BUILD_MS;
}

type Question = {endpoint: Endpoint; deps: EndpointDeps; parameters: Parameters; generation: Generation};

async function respond(request: Request, response: Response, question: Question): Promise<void> {
  const {endpoint, deps, parameters, generation} = question;
  const oldBuild = isOldBuild(generation, deps.now());
  const tag = tagOf(
    [
      generation.buildId,
      deps.version,
      endpoint.path,
      endpoint.position?.(generation) ?? "",
      canonicalQuery(parameters),
    ],
    oldBuild ? "old" : "",
  );
  const caching = {
    cacheControl: cacheControl[endpoint.family],
    lastModified: new Date(Date.parse(generation.builtAt) + (oldBuild ? OLD_BUILD_MS : 0)),
  };
  // Only a 200 of these very bytes ever carried this tag, so there is nothing to compute.
  const held = matchingTag(request, tag);
  if (held !== null) {
    sendNotModified(response, held, caching);
    return;
  }
  const answer = await answerInTime(question, oldBuild, exchangeOf(response).requestId);
  noteFacts(response, answer);
  if (answer.store === "no-store") {
    await sendReply(request, response, {body: answer.body, tag: null, cacheControl: "no-store"});
  } else {
    await sendReply(request, response, {body: answer.body, tag, ...caching});
  }
}

/** An answer that is there at once needs no deadline; one that waits for others has `signal` and the race. */
async function answerInTime(question: Question, oldBuild: boolean, requestId: string): Promise<Answer> {
  const {endpoint, deps, parameters, generation} = question;
  const deadline = lazyDeadline(deps.settings.CATTLE_DEADLINE_MS);
  const call: Call<unknown> = {
    generation,
    query: parameters.query,
    ignored: parameters.ignored,
    oldBuild,
    settings: deps.settings,
    requestId,
    get signal() {
      return deadline.signal();
    },
  };
  try {
    const answer = endpoint.answer(call);
    return answer instanceof Promise ? await Promise.race([answer, expiry(deadline.signal())]) : answer;
  } finally {
    deadline.clear();
  }
}

/** A signal that is made when it is first asked for, which is within the first turn of a request. */
function lazyDeadline(ms: number): {signal(): AbortSignal; clear(): void} {
  let controller: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    signal() {
      if (controller === undefined) {
        const made = new AbortController();
        controller = made;
        timer = setTimeout(() => made.abort(), ms);
      }
      return controller.signal;
    },
    clear: () => clearTimeout(timer),
  };
}

function expiry(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const late = () => reject(new Problem("deadline-exceeded", "The answer took too long; try again."));
    signal.addEventListener("abort", late, {once: true});
  });
}

function noteFacts(response: Response, answer: Answer): void {
  const exchange = exchangeOf(response);
  exchange.lookup = answer.lookup ?? null;
  exchange.countyFips = answer.countyFips ?? null;
}
