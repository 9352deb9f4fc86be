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

/** A 400 that says what is wrong with each parameter, without the values that came. */
export function invalidParameters(invalid: InvalidParameter[]): Problem {
  const detail = invalid.map(faultWords).join(" ");
  return new Problem("invalid-parameter", detail, {members: {invalid_params: invalid}});
}

function faultWords({name, reason, allowed = []}: InvalidParameter): string {
  if (reason.endsWith("?")) return `${name} ${reason}`;
  return `${name} ${reason}${allowed.length === 0 ? "" : `; allowed: ${allowed.join(", ")}`}.`;
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
