import type {Settings} from "../schemas/settings.ts";
import type {AnswerCache} from "./answer-cache.ts";
import {isOldBuild, lastModified} from "./build-age.ts";
import type {Answer, Endpoint, Family} from "./endpoint.ts";
import type {Exchange, Handler} from "./exchange.ts";
import type {Generation} from "./generation.ts";
import {type Parameters, queryPairs, readParameters} from "./parameters.ts";
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

/** Parameters, then the answer of one endpoint within the deadline, from the one generation taken at the start. */
export function runEndpoint(endpoint: Endpoint, deps: EndpointDeps): Handler {
  return (exchange) => {
    const parameters = readParameters(endpoint, queryPairs(exchange.request));
    exchange.parameters = parameters.given;
    const generation = deps.generation();
    if (generation === null) throw new Problem("build-unavailable", "No data build is being served.");
    exchange.buildId = generation.buildId;
    return respond(exchange, {endpoint, deps, parameters, generation});
  };
}

type Question = {endpoint: Endpoint; deps: EndpointDeps; parameters: Parameters; generation: Generation};

function respond(exchange: Exchange, question: Question): Promise<void> | undefined {
  const {endpoint, deps, parameters, generation} = question;
  const oldBuild = isOldBuild(generation, deps.now());
  const tag = questionTag(question, oldBuild);
  const caching = {
    cacheControl: cacheControl[endpoint.family],
    lastModified: lastModified(generation, oldBuild),
  };
  // Only a 200 of these very bytes ever carried this tag, so there is nothing to compute.
  const held = matchingTag(exchange.request, tag);
  if (held !== null) {
    sendNotModified(exchange, held, caching);
    return;
  }
  const reply = {tag, ...caching};
  const answers = deps.answers(generation);
  const given = answers.find(tag);
  if (given !== undefined) return sendAnswer(exchange, given, reply);
  const {requestId} = exchange;
  const call = new TimedCall({generation, parameters, oldBuild, settings: deps.settings, requestId});
  const answer = call.answerOf(endpoint);
  // While others were waited for, the delta may have grown: only what was there at once is sure to be what the tag names.
  if (answer instanceof Promise) return answer.then((late) => sendAnswer(exchange, late, reply));
  if (answer.store !== "no-store") answers.keep(tag, answer);
  return sendAnswer(exchange, answer, reply);
}

/** Equal questions to equal data have equal tags. */
function questionTag({endpoint, deps, parameters, generation}: Question, oldBuild: boolean): string {
  const {buildId} = generation;
  const position = endpoint.position?.(generation) ?? "";
  const {query, ignored} = parameters;
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
