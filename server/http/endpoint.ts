import type {z} from "zod";
import type {Scope} from "../../schemas/api-key.ts";
import type {ProblemSlug} from "../../schemas/problem.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {Generation} from "../generation/generation.ts";

/** One question as an endpoint receives it: validated parameters and the generation that answers it. */
export type Call<Query> = {
  readonly generation: Generation;
  /** Output of the endpoint's parameter schema; an absent parameter is `undefined`. */
  readonly query: Query;
  /** Names of unknown parameters, sorted. */
  readonly ignored: readonly string[];
  /** True when the build is older than 36 hours: the answer carries limitation L11 or P20. */
  readonly oldBuild: boolean;
  readonly settings: Settings;
  /** The scopes of the caller's key. */
  readonly scopes: readonly Scope[];
  readonly requestId: string;
  /** Id of the calling key. */
  readonly keyId: string;
  /** Aborted at the request's deadline, and when the caller disconnects. */
  readonly signal: AbortSignal;
};

/** JSON as a string, or as UTF-8 bytes when copied from mapped files. */
export type AnswerBody = string | Buffer;

/** An endpoint's answer; failures are thrown as `Problem`. */
export type Answer = {
  /** JSON of a 200. */
  readonly body: AnswerBody;
  /** `no-store` for an answer that involved the cadastre; otherwise the family's caching with an ETag. */
  readonly store?: "no-store";
  /** For the access log only. */
  readonly lookup?: string;
  readonly countyFips?: string;
};

/** Families differ in access headers, caching and the `error` member of problems. */
export type Family = "market" | "parcel" | "coverage";

/**
 * One GET route. `answer` must depend only on the generation, the parsed query, `ignored`, `oldBuild`, `scopes` and `position`, because the
 * ETag is derived from these.
 */
export type Endpoint<Query = unknown> = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly family: Family;
  /** The scope a key needs; `any` accepts every valid key. */
  readonly scope: Scope | "any";
  /** A strict schema: strings in (trimmed, empty ones omitted), validated values out. */
  readonly parameters: z.ZodObject;
  /** Returns the parameters with limits from the deployment's settings; absent if none depend on them. */
  parametersIn?(settings: Settings): z.ZodObject;
  /** Parameters whose values must not appear in error bodies: owner, address, parcel number, coordinate. */
  readonly redacted: readonly string[];
  /** Schema of the 200, for the OpenAPI document and the tests. */
  readonly response: z.ZodType;
  /** Problems specific to this route. */
  readonly problems: readonly ProblemSlug[];
  /** Returns the delta position for the ETag: the answer changes with it as it does with the build. */
  position?(generation: Generation): string;
  answer(call: Call<Query>): Promise<Answer> | Answer;
};

type Definition<Parameters extends z.ZodObject> = Omit<
  Endpoint<z.output<Parameters>>,
  "parameters" | "redacted" | "problems"
> & {
  readonly parameters: Parameters;
  readonly redacted?: readonly string[];
  readonly problems?: readonly ProblemSlug[];
};

/** Defines an endpoint whose `answer` receives the output type of its own parameter schema. */
export function defineEndpoint<Parameters extends z.ZodObject>(definition: Definition<Parameters>): Endpoint {
  // Safe despite bivariant method types: the server only calls it with the output of this schema.
  return {redacted: [], problems: [], ...definition} as Endpoint;
}

/** Returns the endpoint with its parameter limits taken from the deployment's settings. */
export function deployed(endpoint: Endpoint, settings: Settings): Endpoint {
  const parameters = endpoint.parametersIn?.(settings);
  return parameters === undefined ? endpoint : {...endpoint, parameters};
}
