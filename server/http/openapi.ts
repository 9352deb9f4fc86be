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
import {EvidenceField} from "../../schemas/evidence-field.ts";
import {ParcelProblem} from "../../schemas/parcel-answer.ts";
import {type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import {exampleQuestions, readExampleAnswers} from "./answer-examples.ts";
import type {Endpoint, Family} from "./endpoint.ts";
import {County, State} from "./parameter-kinds.ts";
import {Problem, problemDocument} from "./problem.ts";
import {problemAdvice} from "./problem-page.ts";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...given: never[]) => unknown>;
type JsonSchema = Parameters<Override>[0]["jsonSchema"];

/**
 * Says a JSON Schema in words that every generator of clients takes: a date is a format without a pattern beside it, a constant
 * boolean is a boolean, a tuple is an array of its length, a number has the width of JSON's, a value or null is one type and no union, and a
 * value of several types is any value. What a schema of ours checks stays the same.
 */
const forGenerators: Override = ({jsonSchema: schema}) => {
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
  "X-Request-Id": header("Id of the request: the one that came, else a new one"),
};
const limits: ZodOpenApiHeadersObject = {
  RateLimit: header("Requests left and seconds until there are more (Internet-Draft)"),
  "RateLimit-Policy": header("Requests per window of seconds (Internet-Draft)"),
};
const retry: ZodOpenApiHeadersObject = {"Retry-After": header("Seconds to wait before asking again")};

/** Gives the headers of a 304. */
const notModifiedHeaders: ZodOpenApiHeadersObject = {
  ...always,
  ...limits,
  ETag: header("The tag that the caller holds"),
  "Cache-Control": header("As with the 200"),
  Vary: header("Accept-Encoding"),
};

/** Statuses that come before the rate of the caller is looked at. */
const beforeRate = ["403"];

/** Version of the contract; it moves only with the contract. */
const CONTRACT_VERSION = "1.0.0";

/** Problems that every route can answer. */
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

/** Parameters that several endpoints take, with the one component that each is. */
const sharedParameters: Readonly<Record<string, string>> = {state: "State", county: "County"};

const security: Record<Family, Record<string, string[]>[]> = {
  market: [{apiKey: []}],
  parcel: [{apiKey: []}, {authorization: []}],
  coverage: [{apiKey: []}, {authorization: []}],
};

/** The OpenAPI 3.1.0 document of the endpoints, made from the very schemas that check requests. */
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
          "Blanks around a parameter's value are dropped, and an empty value counts as absent; the schemas are those of what is left.",
        contact: {name: "The operator of this deployment"},
        license: {name: "Apache-2.0", identifier: "Apache-2.0"},
      },
      servers: [{url: "/"}],
      tags: [
        {name: "market", description: "Cattle-market answers"},
        {name: "parcel", description: "Parcel lookups"},
        {name: "coverage", description: "What is covered, and how fresh it is"},
      ],
      paths: Object.fromEntries(
        endpoints.map((endpoint) => [
          endpoint.path,
          {get: operation(endpoint, answers[endpoint.operationId])},
        ]),
      ),
      components: {
        schemas: {EvidenceField, State, County},
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
    {override: forGenerators, allowEmptySchema: {union: true}},
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

/** Gives the parameters of an endpoint that are its own, each with its value in the example question where that has one. */
function ownParameters({operationId, parameters}: Endpoint): Endpoint["parameters"] {
  const question = exampleQuestions[operationId] ?? {};
  const own = Object.entries(parameters.shape).filter(([name]) => !Object.hasOwn(sharedParameters, name));
  const shape = own.map(([name, schema]) => {
    const example = question[name];
    return [name, example === undefined ? schema : schema.meta({...schema.meta(), param: {example}})];
  });
  return z.object(Object.fromEntries(shape));
}

/** Gives the parameters of an endpoint whose schema is a component. */
function sharedWith({operationId, parameters}: Endpoint): ZodOpenApiParameterObject[] {
  const names = Object.keys(sharedParameters).filter((name) => Object.hasOwn(parameters.shape, name));
  return names.map((name) => {
    const example = exampleQuestions[operationId]?.[name];
    return {
      in: "query",
      name,
      description: parameters.shape[name].description,
      schema: {$ref: `#/components/schemas/${sharedParameters[name]}`},
      ...(example === undefined ? {} : {example}),
    };
  });
}

const notModified: ZodOpenApiResponseObject = {
  id: "NotModified",
  description: "The caller's copy, named in If-None-Match, is still true",
  headers: notModifiedHeaders,
};

/** The answers to a failure, one for each status, which every endpoint refers to. */
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

/** Gives the body of a problem with what its kind means as its detail; that of a request is about the request. */
function problemExample(slug: ProblemSlug): {summary: string; value: unknown} {
  const problem = new Problem(slug, problemAdvice[slug].meaning);
  const id = "403785f7-215e-4757-8d34-f72f8168c8ea";
  return {summary: problemAdvice[slug].nextSteps, value: problemDocument(problem, id)};
}

/** Gives the headers of a 200: those of caching are absent where an answer must not be stored. */
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

/** Gives the headers of an error by its status. */
function problemHeaders(status: string): ZodOpenApiHeadersObject {
  return {
    ...always,
    "Cache-Control": header("no-store"),
    ...(beforeRate.includes(status) ? {} : limits),
    ...(status === "405" ? {Allow: header("GET, HEAD")} : {}),
    ...(status === "429" || status === "503" ? retry : {}),
  };
}

/** Puts the null of a choice among its types, and drops a choice of several; one with a component, which has no type, stays. */
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
