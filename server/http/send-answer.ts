import type {Scope} from "../../schemas/api-key.ts";
import type {Settings} from "../../schemas/settings.ts";
import {type Generation, isOldBuild} from "../generation/generation.ts";
import type {Answer, Call, Endpoint, Family} from "./endpoint.ts";
import {Problem} from "./problem-document.ts";
import {type Caching, matchingTag, sendNotModified, sendReply, tagOf} from "./reply.ts";
import type {Outgoing, Question, Step} from "./step.ts";

type Facts = {
  generation: Generation;
  question: Question;
  oldBuild: boolean;
  settings: Settings;
  scopes: readonly Scope[];
  requestId: string;
  keyId: string;
};

/** The call of one request. Its deadline starts when the endpoint first reads `signal`, because most answers need none. */
class TimedCall implements Call<unknown> {
  readonly generation: Generation;
  readonly query: unknown;
  readonly ignored: readonly string[];
  readonly oldBuild: boolean;
  readonly settings: Settings;
  readonly scopes: readonly Scope[];
  readonly requestId: string;
  readonly keyId: string;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #answered = false;

  constructor({generation, question, oldBuild, settings, scopes, requestId, keyId}: Facts) {
    this.generation = generation;
    this.query = question.query;
    this.ignored = question.ignored;
    this.oldBuild = oldBuild;
    this.settings = settings;
    this.scopes = scopes;
    this.requestId = requestId;
    this.keyId = keyId;
  }

  /** Aborted when the caller disconnects, and CATTLE_DEADLINE_MS after the first read, which happens early in a request. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const made = new AbortController();
      this.#controller = made;
      this.#timer = setTimeout(() => made.abort(), this.settings.CATTLE_DEADLINE_MS);
    }
    return this.#controller.signal;
  }

  /** Runs the endpoint; rejects with `deadline-exceeded` when it takes too long. */
  answerOf(endpoint: Endpoint): Promise<Answer> | Answer {
    let waits = false;
    try {
      const answer = endpoint.answer(this);
      waits = answer instanceof Promise;
      return answer instanceof Promise ? this.#inTime(answer) : answer;
    } finally {
      if (!waits) clearTimeout(this.#timer);
    }
  }

  /** Cancels the work on an answer that nobody waits for any more. */
  leave(): void {
    if (!this.#answered) this.#controller?.abort();
  }

  async #inTime(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await Promise.race([answer, expiry(this.signal)]);
    } finally {
      this.#answered = true;
      clearTimeout(this.#timer);
    }
  }
}

export type AnswerDeps = {
  generation: () => Generation | null;
  settings: Settings;
  /** Version of the server; part of every ETag. */
  version: string;
  now?: () => Date;
};

const cacheControl: Record<Family, string> = {
  market: "private, max-age=300, must-revalidate",
  // The delta may grow at any time, so a parcel answer must be revalidated before reuse.
  parcel: "private, no-cache",
  coverage: "private, max-age=300, must-revalidate",
};

/** Last step: answers within the deadline, from the generation that was current when it started. */
export function answer(
  endpoint: Endpoint,
  {generation: current, settings, version, now = () => new Date()}: AnswerDeps,
): Step {
  return (request, response) => {
    const generation = current();
    if (generation === null) throw new Problem("build-unavailable", "No data build is being served.");
    const {locals} = response;
    const {question, requestId, key} = locals;
    const keyId = key?.id ?? "";
    const scopes = key?.scopes ?? [];
    locals.buildId = generation.buildId;
    const oldBuild = isOldBuild(generation, now());
    const tag = questionTag({endpoint, version, generation, question, oldBuild, settings, scopes});
    const caching = {tag, cacheControl: cacheControl[endpoint.family]};
    // Only a 200 with exactly these bytes ever carried this tag, so nothing needs to be computed.
    const held = matchingTag(request, tag);
    if (held !== null) return sendNotModified(response, held, caching);
    const call = new TimedCall({generation, question, oldBuild, settings, scopes, requestId, keyId});
    const made = call.answerOf(endpoint);
    if (!(made instanceof Promise)) return sendAnswer(response, made, caching);
    response.once("close", () => call.leave());
    return made.then((late) => sendAnswer(response, late, caching));
  };
}

type TagParts = {
  endpoint: Endpoint;
  version: string;
  generation: Generation;
  question: Question;
  oldBuild: boolean;
  settings: Settings;
  scopes: readonly Scope[];
};

/** The same question to the same data has the same tag. */
function questionTag({
  endpoint,
  version,
  generation,
  question,
  oldBuild,
  settings,
  scopes,
}: TagParts): string {
  // Granting or revoking a licence or scope changes the content of market answers.
  const licence =
    endpoint.family === "market"
      ? [settings.CATTLE_FUTURES_LICENSED ? "futures" : "", ...scopes].sort().join()
      : "";
  const position = endpoint.position?.(generation) ?? licence;
  const {query, ignored} = question;
  return tagOf([generation.buildId, version, endpoint.path, position, query, ignored], oldBuild ? "old" : "");
}

function sendAnswer(
  response: Outgoing,
  {body, store, lookup, countyFips}: Answer,
  caching: Caching,
): Promise<void> | undefined {
  response.locals.lookup = lookup ?? null;
  response.locals.countyFips = countyFips ?? null;
  if (store === "no-store") return sendReply(response, {body, tag: null, cacheControl: "no-store"});
  return sendReply(response, {body, ...caching});
}

function expiry(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const late = () => reject(new Problem("deadline-exceeded", "The answer took too long; try again."));
    signal.addEventListener("abort", late, {once: true});
  });
}
