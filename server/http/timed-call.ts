import type {Scope} from "../../schemas/api-key.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {Generation} from "../generation/generation.ts";
import type {Answer, Call, Endpoint} from "./endpoint.ts";
import {Problem} from "./problem.ts";
import type {Question} from "./step.ts";

type Facts = {
  generation: Generation;
  question: Question;
  oldBuild: boolean;
  settings: Settings;
  scopes: readonly Scope[];
  requestId: string;
  keyId: string;
};

/** The call of one request; its deadline starts when the endpoint first reads `signal`, since most answers need none. */
export class TimedCall implements Call<unknown> {
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

  /** Aborted when the caller goes, and CATTLE_DEADLINE_MS after the first read, which is in the first turn of a request. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const made = new AbortController();
      this.#controller = made;
      this.#timer = setTimeout(() => made.abort(), this.settings.CATTLE_DEADLINE_MS);
    }
    return this.#controller.signal;
  }

  /** The endpoint's answer; rejects with `deadline-exceeded` when it takes too long. */
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

  /** Ends the work on an answer that its caller does not wait for any more. */
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

function expiry(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const late = () => reject(new Problem("deadline-exceeded", "The answer took too long; try again."));
    signal.addEventListener("abort", late, {once: true});
  });
}
