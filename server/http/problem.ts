import {
  type InvalidParameter,
  type ProblemDocument,
  type ProblemSlug,
  problemKinds,
} from "../../schemas/problem.ts";

export type ProblemExtras = {
  /** Members in addition to the standard ones (`candidates`, `lookup`, `coverage` …). They must not hold an owner name. */
  members?: Record<string, unknown>;
  /** Seconds for the header Retry-After; 503 and 429 get 5 when absent. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
};

/**
 * An expected failure of one request: thrown anywhere below the app, answered as its problem document.
 * `detail` never repeats an owner, address, parcel number or coordinate.
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

/** A 400 that names the wrong parameters. */
export function invalidParameters(invalid: InvalidParameter[]): Problem {
  const names = [...new Set(invalid.map(({name}) => name))].join(", ");
  return new Problem("invalid-parameter", `Wrong or missing: ${names}. See invalid_params.`, {
    members: {invalid_params: invalid},
  });
}

/** The body of a problem; `error` repeats the detail, for clients of the compatible property API. */
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
