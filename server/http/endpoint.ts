import type {z} from "zod";
import type {Scope} from "../../schemas/api-key.ts";
import type {ProblemSlug} from "../../schemas/problem.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {Generation} from "../generation/generation.ts";

/** One question, as an endpoint gets it: checked parameters and the one generation that answers it. */
export type Call<Query> = {
  readonly generation: Generation;
  /** Output of the endpoint's parameter schema; an absent parameter is `undefined`. */
  readonly query: Query;
  /** Names of parameters that the endpoint does not know, sorted. */
  readonly ignored: readonly string[];
  /** True when the build is older than 36 hours: the answer carries limitation L11 or P20. */
  readonly oldBuild: boolean;
  readonly settings: Settings;
  /** The scopes of the caller's key. */
  readonly scopes: readonly Scope[];
  readonly requestId: string;
  /** Id of the key that asks. */
  readonly keyId: string;
  /** Aborted at the deadline of the request, and when its caller goes. */
  readonly signal: AbortSignal;
};

/** JSON as text, or as its UTF-8 bytes where they are copied from mapped files. */
export type AnswerBody = string | Buffer;

/** The answer of an endpoint to a call; failures are thrown as `Problem`. */
export type Answer = {
  /** JSON of a 200. */
  readonly body: AnswerBody;
  /** `no-store` for an answer made with the cadastre; else the endpoint family's caching with an ETag. */
  readonly store?: "no-store";
  /** For the access log only. */
  readonly lookup?: string;
  readonly countyFips?: string;
};

/** Market answers, parcel lookups and what stands beside them differ in access headers, caching and the `error` member of problems. */
export type Family = "market" | "parcel" | "coverage";

/**
 * One GET route. `answer` must depend on the generation, the parsed query, `ignored`, `oldBuild`, `scopes` and `position` alone:
 * the ETag is made of these.
 */
export type Endpoint<Query = unknown> = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly family: Family;
  /** What a key has to open; `any` takes every valid key. */
  readonly scope: Scope | "any";
  /** One strict schema: strings in (trimmed, empty left out), checked values out. */
  readonly parameters: z.ZodObject;
  /** Gives the parameters with the bounds that the settings of a deployment set; absent where none depend on them. */
  parametersIn?(settings: Settings): z.ZodObject;
  /** Parameters whose values no error body repeats: owner, address, parcel number, coordinate. */
  readonly unspoken: readonly string[];
  /** Shape of the 200, for the OpenAPI document and the tests. */
  readonly response: z.ZodType;
  /** Problems of this route, without the ones that every route has. */
  readonly problems: readonly ProblemSlug[];
  /** Gives the delta position as text for the ETag: the answer changes with it as with the build. */
  position?(generation: Generation): string;
  answer(call: Call<Query>): Promise<Answer> | Answer;
};

type Definition<Parameters extends z.ZodObject> = Omit<
  Endpoint<z.output<Parameters>>,
  "parameters" | "unspoken" | "problems"
> & {
  readonly parameters: Parameters;
  readonly unspoken?: readonly string[];
  readonly problems?: readonly ProblemSlug[];
};

/** An endpoint whose `answer` gets the output type of its own parameter schema. */
export function defineEndpoint<Parameters extends z.ZodObject>(definition: Definition<Parameters>): Endpoint {
  // The method type is compared bivariantly: the server calls it with the output of this schema and nothing else.
  return {unspoken: [], problems: [], ...definition} as Endpoint;
}

/** Gives an endpoint with the bounds of its parameters as the settings of a deployment have them. */
export function deployed(endpoint: Endpoint, settings: Settings): Endpoint {
  const parameters = endpoint.parametersIn?.(settings);
  return parameters === undefined ? endpoint : {...endpoint, parameters};
}
