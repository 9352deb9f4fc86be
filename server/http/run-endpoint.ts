import type {Settings} from "../../schemas/settings.ts";
import {isOldBuild, lastModified} from "../generation/build-age.ts";
import type {Generation} from "../generation/generation.ts";
import type {AnswerCache} from "./answer-cache.ts";
import type {Answer, Endpoint, Family} from "./endpoint.ts";
import type {Exchange, Handler} from "./exchange.ts";
import {type Parameters, readParameters} from "./parameters.ts";
import {Problem} from "./problem.ts";
import {matchingTag, type Reply, sendNotModified, sendReply, tagOf} from "./reply.ts";
import {TimedCall} from "./timed-call.ts";

export type EndpointDeps = {
  generation: () => Generation | null;
  settings: Settings;
  /** Version of the server, part of every ETag. */
  version: string;
  now: () => Date;
  answers: (generation: Generation) => AnswerCache;
};

const cacheControl: Record<Family, string> = {
  market: "private, max-age=300, must-revalidate",
  // The delta may grow at any time: a parcel answer is asked for again before it is used again.
  parcel: "private, no-cache",
};

/**
 * Parameters, then the answer of one endpoint within the deadline, from the one generation taken at the start. An answer that was
 * given to the same words a short while ago is given again without reading them.
 */
export function runEndpoint(endpoint: Endpoint, deps: EndpointDeps): Handler {
  return (exchange) => {
    const generation = deps.generation();
    if (generation === null) {
      exchange.parameters = parametersOf(exchange, endpoint).given;
      throw new Problem("build-unavailable", "No data build is being served.");
    }
    exchange.buildId = generation.buildId;
    const oldBuild = isOldBuild(generation, deps.now());
    const position = endpoint.position?.(generation) ?? "";
    const words = `${endpoint.path} ${oldBuild} ${position} ${exchange.query}`;
    const held = deps.answers(generation).find(words);
    if (held === undefined) return respond(exchange, {endpoint, deps, generation, oldBuild, position, words});
    exchange.parameters = held.given;
    return sendAnswer(exchange, held.answer, {tag: held.tag, ...cachingOf(endpoint, generation, oldBuild)});
  };
}

type Question = {
  endpoint: Endpoint;
  deps: EndpointDeps;
  generation: Generation;
  oldBuild: boolean;
  /** What the answer follows from besides the build and the parameters. */
  position: string;
  /** All that the answer of this generation follows from, as it came. */
  words: string;
};

function respond(exchange: Exchange, question: Question): Promise<void> | undefined {
  const {endpoint, deps, generation, oldBuild, words} = question;
  const parameters = parametersOf(exchange, endpoint);
  exchange.parameters = parameters.given;
  const tag = questionTag(question, parameters);
  const caching = cachingOf(endpoint, generation, oldBuild);
  // Only a 200 of these very bytes ever carried this tag, so there is nothing to compute.
  const held = matchingTag(exchange.request, tag);
  if (held !== null) {
    sendNotModified(exchange, held, caching);
    return;
  }
  const reply = {tag, ...caching};
  const {requestId} = exchange;
  const call = new TimedCall({generation, parameters, oldBuild, settings: deps.settings, requestId});
  const answer = call.answerOf(endpoint);
  // While others were waited for, the delta may have grown: only what was there at once is sure to be what the tag names.
  if (answer instanceof Promise) return answer.then((late) => sendAnswer(exchange, late, reply));
  if (answer.store !== "no-store")
    deps.answers(generation).keep(words, {answer, tag, given: parameters.given});
  return sendAnswer(exchange, answer, reply);
}

function parametersOf({query}: Exchange, endpoint: Endpoint): Parameters {
  return readParameters(endpoint, new URLSearchParams(query));
}

function cachingOf({family}: Endpoint, generation: Generation, oldBuild: boolean) {
  return {cacheControl: cacheControl[family], lastModified: lastModified(generation, oldBuild)};
}

/** Equal questions to equal data have equal tags. */
function questionTag(
  {endpoint, deps, generation, oldBuild, position}: Question,
  {query, ignored}: Parameters,
): string {
  const {buildId} = generation;
  return tagOf([buildId, deps.version, endpoint.path, position, query, ignored], oldBuild ? "old" : "");
}

function sendAnswer(
  exchange: Exchange,
  answer: Answer,
  reply: Omit<Reply, "body">,
): Promise<void> | undefined {
  const {body, store, lookup, countyFips} = answer;
  exchange.lookup = lookup ?? null;
  exchange.countyFips = countyFips ?? null;
  if (store === "no-store") return sendReply(exchange, {body, tag: null, cacheControl: "no-store"});
  return sendReply(exchange, {body, ...reply});
}
