import {z} from "zod";
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiHeadersObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameterObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import {EvidenceField} from "../../schemas/market-evidence.ts";
import {ParcelProblem} from "../../schemas/parcel-answer.ts";
import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {exampleQuestions, readExampleAnswers} from "./answer-examples.ts";
import type {Endpoint, Family} from "./endpoint.ts";
import {County, StateCode, StateOrProvince} from "./parameter-kinds.ts";
import {Problem, problemDocument} from "./problem-document.ts";
import {problemAdvice} from "./problem-page.ts";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...given: never[]) => unknown>;
type JsonSchema = Parameters<Override>[0]["jsonSchema"];

/**
 * Simplifies a JSON Schema to what every client generator understands: a date has a format but no pattern, a constant boolean is a boolean,
 * a tuple is a fixed-length array, a number is a double, "value or null" is one nullable type, and a value of several types is any value.
 * What our own schemas validate is unaffected.
 */
const simplified: Override = ({jsonSchema: schema}) => {
  joinTypes(schema);
  if ([schema.type].flat().includes("number")) schema.format = "double";
  if (schema.format === "date" || schema.format === "date-time") delete schema.pattern;
  if (typeof schema.const === "boolean") delete schema.const;
  if (!Array.isArray(schema.prefixItems)) return;
  const [first] = schema.prefixItems;
  schema.minItems = schema.prefixItems.length;
  schema.maxItems = schema.prefixItems.length;
  if (first !== undefined) schema.items = first;
  delete schema.prefixItems;
};

const header = (description: string) => ({description, schema: {type: "string"} as const});

const always: ZodOpenApiHeadersObject = {
  "X-Request-Id": header("Id of the request: the caller's, or a new one"),
};
const limits: ZodOpenApiHeadersObject = {
  RateLimit: header("Requests left, and seconds until the limit resets (Internet-Draft)"),
  "RateLimit-Policy": header("Requests allowed per window in seconds (Internet-Draft)"),
};
const retry: ZodOpenApiHeadersObject = {"Retry-After": header("Seconds to wait before asking again")};

/** Headers of a 304. */
const notModifiedHeaders: ZodOpenApiHeadersObject = {
  ...always,
  ...limits,
  ETag: header("The caller's tag"),
  "Cache-Control": header("As for the 200"),
  Vary: header("Accept-Encoding"),
};

/** Statuses that are sent before the rate limit is checked. */
const beforeRate = ["403"];

/** Version of the API contract; it only changes when the contract does. */
const CONTRACT_VERSION = "1.0.0";

/** Problems that any route can answer with. */
const everywhere: readonly ProblemSlug[] = [
  "invalid-parameter",
  "invalid-request",
  "access-denied",
  "method-not-allowed",
  "uri-too-long",
  "rate-limited",
  "internal",
  "overloaded",
  "build-unavailable",
  "deadline-exceeded",
];

/** Parameters shared by several endpoints, with the component that each refers to. */
const sharedParameters: Readonly<Record<string, (parameter: z.ZodType) => string>> = {
  state: (parameter) => (parameter.safeParse("MB").success ? "StateOrProvince" : "StateCode"),
  county: () => "County",
};

const security: Record<Family, Record<string, string[]>[]> = {
  market: [{apiKey: []}],
  parcel: [{apiKey: []}, {authorization: []}],
  coverage: [{apiKey: []}, {authorization: []}],
};

/** Generates the OpenAPI 3.1.0 document from the same schemas that validate requests. */
export function openApiDocument(endpoints: readonly Endpoint[]): ReturnType<typeof createDocument> {
  const answers = readExampleAnswers();
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Cattle-market answers and parcel lookups",
        version: CONTRACT_VERSION,
        description:
          "Read-only market intelligence with source lineage and limitations, and land parcels by address, number, owner or place. " +
          "Not brokerage, financial, veterinary or regulatory advice; not survey, title, ownership or boundary evidence. " +
          "Whitespace around a parameter's value is trimmed, and an empty value counts as absent; the schemas apply to what remains.",
        contact: {name: "The operator of this deployment"},
        license: {name: "Apache-2.0", identifier: "Apache-2.0"},
      },
      servers: [{url: "/"}],
      tags: [
        {name: "market", description: "Cattle-market answers"},
        {name: "parcel", description: "Parcel lookups"},
        {name: "coverage", description: "Data coverage and freshness"},
      ],
      paths: Object.fromEntries(
        endpoints.map((endpoint) => [
          endpoint.path,
          {get: operation(endpoint, answers[endpoint.operationId])},
        ]),
      ),
      components: {
        schemas: {EvidenceField, StateCode, StateOrProvince, County},
        securitySchemes: {
          apiKey: {type: "apiKey", in: "header", name: "X-API-Key"},
          authorization: {
            type: "apiKey",
            in: "header",
            name: "Authorization",
            description: "The key bare, or as `Bearer <key>`",
          },
        },
      },
    },
    {override: simplified, allowEmptySchema: {union: true}},
  );
}

function operation(endpoint: Endpoint, answer: unknown): ZodOpenApiOperationObject {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : {description: endpoint.description}),
    tags: [endpoint.family],
    security: security[endpoint.family],
    requestParams: {query: ownParameters(endpoint)},
    parameters: sharedWith(endpoint),
    responses: {
      "200": {
        description: "The answer",
        headers: answerHeaders(endpoint.family),
        content: {
          "application/json": {schema: endpoint.response, ...(answer === undefined ? {} : {example: answer})},
        },
      },
      "304": notModified,
      ...problemResponses([...everywhere, ...endpoint.problems]),
    },
  };
}

/** Returns the endpoint's own parameters, with example values from its example question. */
function ownParameters({operationId, parameters}: Endpoint): Endpoint["parameters"] {
  const question = exampleQuestions[operationId] ?? {};
  const own = Object.entries(parameters.shape).filter(([name]) => !Object.hasOwn(sharedParameters, name));
  const shape = own.map(([name, schema]) => {
    const example = question[name];
    return [name, example === undefined ? schema : schema.meta({...schema.meta(), param: {example}})];
  });
  return z.object(Object.fromEntries(shape));
}

/** Returns the endpoint's parameters whose schema is a shared component. */
function sharedWith({operationId, parameters}: Endpoint): ZodOpenApiParameterObject[] {
  const names = Object.keys(sharedParameters).filter((name) => Object.hasOwn(parameters.shape, name));
  return names.map((name) => {
    const example = exampleQuestions[operationId]?.[name];
    return {
      in: "query",
      name,
      description: parameters.shape[name].description,
      schema: {$ref: `#/components/schemas/${sharedParameters[name]!(parameters.shape[name])}`},
      ...(example === undefined ? {} : {example}),
    };
  });
}

const notModified: ZodOpenApiResponseObject = {
  id: "NotModified",
  description: "The caller's copy, named in If-None-Match, is still valid",
  headers: notModifiedHeaders,
};

/** One shared error response per status, referenced by every endpoint. */
const failures = Object.fromEntries(
  Object.entries(
    Object.groupBy(Object.keys(problemKinds) as ProblemSlug[], (slug) => String(problemKinds[slug].status)),
  ).map(([status, group = []]): [string, ZodOpenApiResponseObject] => [
    status,
    {
      id: `Problem${status}`,
      description: group.map((slug) => `${slug}: ${problemKinds[slug].title}`).join("; "),
      headers: problemHeaders(status),
      content: {
        "application/problem+json": {
          schema: ParcelProblem,
          examples: Object.fromEntries(group.map((slug) => [slug, problemExample(slug)])),
        },
      },
    },
  ]),
);

function problemResponses(answered: readonly ProblemSlug[]): ZodOpenApiResponsesObject {
  const statuses = answered.map((slug) => String(problemKinds[slug].status));
  return Object.fromEntries(
    statuses.map((status) => [status, failures[status]]),
  ) as ZodOpenApiResponsesObject;
}

/** Example body of a problem; its detail is the general meaning, since a real detail is about one request. */
function problemExample(slug: ProblemSlug): {summary: string; value: unknown} {
  const problem = new Problem(slug, problemAdvice[slug].meaning);
  const id = "403785f7-215e-4757-8d34-f72f8168c8ea";
  return {summary: problemAdvice[slug].nextSteps, value: problemDocument(problem, id)};
}

/** Headers of a 200. Caching headers are missing on answers that must not be stored. */
function answerHeaders(family: Family): ZodOpenApiHeadersObject {
  const caching =
    family === "parcel"
      ? "private, no-cache; no-store with the cadastre"
      : "private, max-age=300, must-revalidate";
  return {
    ...always,
    ...limits,
    ETag: header("Strong tag of the answer, for If-None-Match"),
    "Cache-Control": header(caching),
    Vary: header("Accept-Encoding"),
  };
}

/** Headers of an error, by status. */
function problemHeaders(status: string): ZodOpenApiHeadersObject {
  return {
    ...always,
    "Cache-Control": header("no-store"),
    ...(beforeRate.includes(status) ? {} : limits),
    ...(status === "405" ? {Allow: header("GET, HEAD")} : {}),
    ...(status === "429" || status === "503" ? retry : {}),
  };
}

/** Folds "or null" into the type and drops unions of several types; a union with a component, which has no type, stays. */
function joinTypes(schema: JsonSchema): void {
  const choices = schema.anyOf as JsonSchema[] | undefined;
  if (choices === undefined || choices.some(({type}) => type === undefined)) return;
  const [value, ...others] = choices.filter(({type}) => type !== "null");
  delete schema.anyOf;
  if (value === undefined || others.length > 0) return;
  const {const: constant, ...rest} = value;
  const values = value.enum ?? (constant === undefined ? undefined : [constant]);
  Object.assign(schema, {...rest, ...schema, type: [value.type, "null"]});
  if (values !== undefined) schema.enum = [...values, null];
}
