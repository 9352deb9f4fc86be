import {
  type InvalidParameter,
  type ProblemDocument,
  type ProblemSlug,
  problemKinds,
} from "../../schemas/problem.ts";

export type ProblemExtras = {
  /** Extra members (`candidates`, `lookup`, `coverage` …). They must not contain an owner name. */
  members?: Record<string, unknown>;
  /** Value of Retry-After in seconds; 503 and 429 default to 5. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
};

/**
 * An expected failure of one request, thrown anywhere below the app and answered as a problem document. `detail` never contains an owner,
 * address, parcel number or coordinate.
 */
export class Problem extends Error {
  override name = "Problem";
  readonly slug: ProblemSlug;
  readonly extras: ProblemExtras;

  constructor(slug: ProblemSlug, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.slug = slug;
    this.extras = extras;
  }

  get status(): number {
    return problemKinds[this.slug].status;
  }
}

/** A wrong parameter; `sentence` says it in the detail in place of name and reason. */
export type ParameterFault = InvalidParameter & {readonly sentence?: string};

/** A 400 that says what is wrong with each parameter; no value is in the detail but an unknown word of a list. */
export function invalidParameters(faults: readonly ParameterFault[]): Problem {
  const detail = faults.map(faultSentence).join(" ");
  const invalid = faults.map(({sentence: _, ...fault}): InvalidParameter => fault);
  return new Problem("invalid-parameter", detail, {members: {invalid_params: invalid}});
}

function faultSentence({name, reason, allowed = [], sentence}: ParameterFault): string {
  if (sentence !== undefined) return sentence;
  const said = `${name} ${reason}${allowed.length === 0 ? "" : `; allowed: ${allowed.join(", ")}`}`;
  return said.endsWith("?") ? said : `${said}.`;
}

/** The problem document; `error` repeats the detail for clients of the older property API. */
export function problemDocument(problem: Problem, instance: string): ProblemDocument {
  const {status, title} = problemKinds[problem.slug];
  return {
    type: `/problems/${problem.slug}`,
    title,
    status,
    detail: problem.message,
    error: problem.message,
    instance,
    ...problem.extras.members,
  };
}
