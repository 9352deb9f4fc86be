import {z} from "zod";
import {
  createDocument,
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
import {answerHeaders, notModifiedHeaders, problemHeaders} from "./openapi-headers.ts";
import {forGenerators} from "./openapi-shape.ts";
import {County, State} from "./parameter-kinds.ts";
import {Problem, problemDocument} from "./problem.ts";
import {problemAdvice} from "./problem-advice.ts";

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
  return {summary: problemAdvice[slug].wayOn, value: problemDocument(problem, id)};
}
