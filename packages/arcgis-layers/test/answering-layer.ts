import {errorOf, readAnswer} from "../src/layer-reply.ts";
import type {PullAsker} from "../src/next-page.ts";
import {pageFacts} from "../src/page-facts.ts";
import type {QueryForm} from "../src/query-forms.ts";

/** What a layer refuses. */
export class Refusal extends Error {
  readonly refusesPages: boolean;

  constructor(said: string | undefined, refusesPages = false) {
    super(said);
    this.refusesPages = refusesPages;
  }
}

/** A fault on the way, which a smaller page may avoid or not. */
export class Fault extends Error {
  readonly isTooMuch: boolean;

  constructor(isTooMuch: boolean) {
    super(isTooMuch ? "took too long" : "cut off");
    this.isTooMuch = isTooMuch;
  }
}

/** A layer that answers each form with a body or an error; `forms` records them. */
export function answeringLayer(answer: (form: QueryForm) => unknown): {
  asker: PullAsker;
  forms: QueryForm[];
} {
  const forms: QueryForm[] = [];
  const reply = (form: QueryForm): unknown => {
    forms.push(form);
    const body = answer(form);
    if (body instanceof Error) throw body;
    return body;
  };
  const asker: PullAsker = {
    async page(form, objectIdField) {
      const body = reply(form);
      const facts = pageFacts(body, objectIdField);
      const error = errorOf(body);
      if (facts === null) throw new Refusal(error?.message, error?.refusesPages);
      return {bytes: Buffer.from(JSON.stringify(body)), ...facts};
    },
    async query(form) {
      const said = readAnswer(JSON.stringify(reply(form)));
      return said.kind === "error" ? null : said;
    },
    refused: (message) => new Refusal(message),
    isRefused: (fault) => fault instanceof Refusal,
    refusesPages: (fault) => fault instanceof Refusal && fault.refusesPages,
    isTooMuch: (fault) => fault instanceof Refusal || (fault instanceof Fault && fault.isTooMuch),
  };
  return {asker, forms};
}
