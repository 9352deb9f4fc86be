import {createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject} from "zod-openapi";
import {EvidenceField} from "../../schemas/evidence-field.ts";
import {MarketSource} from "../../schemas/market-source.ts";
import {ProblemDocument, type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import type {Endpoint, Family} from "./endpoint.ts";
import {answerHeaders, notModifiedHeaders, problemHeaders} from "./openapi-headers.ts";
import {forGenerators} from "./openapi-shape.ts";

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

const security: Record<Family, Record<string, string[]>[]> = {
  market: [{apiKey: []}],
  parcel: [{apiKey: []}, {authorization: []}],
};

/** The OpenAPI 3.1.0 document of the endpoints, made from the very schemas that check requests. */
export function openApiDocument(endpoints: readonly Endpoint[]): ReturnType<typeof createDocument> {
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Cattle-market answers and parcel lookups",
        version: CONTRACT_VERSION,
        description:
          "Read-only market intelligence with source lineage and limitations, and land parcels by address, number, owner or place. " +
          "Not brokerage, financial, veterinary or regulatory advice; not survey, title, ownership or boundary evidence.",
        license: {name: "Apache-2.0", identifier: "Apache-2.0"},
      },
      servers: [{url: "/"}],
      tags: [
        {name: "market", description: "Cattle-market answers"},
        {name: "parcel", description: "Parcel lookups"},
      ],
      paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, {get: operation(endpoint)}])),
      components: {
        schemas: {EvidenceField, SourceRegistryEntry: MarketSource},
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
    {override: forGenerators},
  );
}

function operation(endpoint: Endpoint): ZodOpenApiOperationObject {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : {description: endpoint.description}),
    tags: [endpoint.family],
    security: security[endpoint.family],
    requestParams: {query: endpoint.parameters},
    responses: {
      "200": {
        description: "The answer",
        headers: answerHeaders(endpoint.family),
        content: {"application/json": {schema: endpoint.response}},
      },
      "304": {
        description: "The caller's copy, named in If-None-Match, is still true",
        headers: notModifiedHeaders,
      },
      ...problemResponses([...everywhere, ...endpoint.problems]),
    },
  };
}

function problemResponses(slugs: readonly ProblemSlug[]): ZodOpenApiResponsesObject {
  const byStatus = Object.groupBy(slugs, (slug) => String(problemKinds[slug].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: group.map((slug) => `${slug}: ${problemKinds[slug].title}`).join("; "),
        headers: problemHeaders(status),
        content: {"application/problem+json": {schema: ProblemDocument}},
      },
    ]),
  ) as ZodOpenApiResponsesObject;
}
