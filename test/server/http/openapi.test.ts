import {Validator} from "@seriousme/openapi-schema-validator";
import {describe, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {problemKinds} from "../../../schemas/problem.ts";
import {exampleQuestions} from "../../../server/http/answer-examples.ts";
import {openApiDocument} from "../../../server/http/openapi.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {writeMarketFixture} from "../market/market-fixture.ts";
import {generationOf, type Reply, testServer} from "../server-fixture.ts";

type Node = Record<string, unknown>;

/** Headers that say how bytes are carried or what a browser may do, as with any server. */
const ofEveryServer = new Set(
  (
    "connection keep-alive date content-type content-length content-encoding content-security-policy " +
    "cross-origin-opener-policy cross-origin-resource-policy origin-agent-cluster referrer-policy x-content-type-options " +
    "x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-xss-protection"
  ).split(" "),
);

/** Calls `see` for every object of a document with its path. */
function visit(value: unknown, path: string, see: (node: Node, path: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) see(value as Node, path);
  for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`, see);
}

type Operation = {
  parameters?: {name: string; in: string; required?: boolean; schema: {type?: string; $ref?: string}}[];
  security: Record<string, string[]>[];
  responses: Record<string, Response & {$ref?: string}>;
};
type Response = {headers: Record<string, unknown>; content?: Record<string, Node>};
// As a client reads it: members that are undefined do not exist on the wire.
const document = JSON.parse(JSON.stringify(openApiDocument(marketEndpoints)));
const marketPaths = new Set(marketEndpoints.map(({path}) => path));
const whole = JSON.parse(JSON.stringify(openApiDocument(endpoints)));
const operation = (path: string) => document.paths[path].get as Operation;

/** The component that a reference names, else the value itself. */
function resolved<Value extends {$ref?: string}>(value: Value): Value {
  const [, kind, name] = /^#\/components\/(\w+)\/(\w+)$/.exec(value.$ref ?? "") ?? [];
  return name === undefined ? value : whole.components[kind!][name];
}

describe("S12: the OpenAPI document", () => {
  it("S12: is a valid OpenAPI 3.1 document of contract version 1.0.0", async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.0.0"]);
  });

  it("S12: names the routes of the contract with their parameters and ours, all optional strings", () => {
    const [page, kinds] = [
      ["evidence", "limit", "offset"],
      ["class", "commodity", "weight"],
    ];
    const place = ["lat", "lon", "radius", "zip"];
    const costs = ["rate_per_mile", "load_lb", "head", "shrink_pct", "commission_pct"];
    const past = ["from", "to", "cursor"];
    const contract = {
      "/price-by-county": [
        "county",
        "radius",
        "state",
        "zip",
        "history",
        "curve",
        ...past,
        ...kinds,
        ...page,
      ],
      "/price-by-state": ["state", "history", "curve", ...past, ...kinds, ...page],
      "/latest-prices": ["county", "state", "venue", ...place, ...kinds, ...costs, "order", ...past, ...page],
      "/cattle-sale-barn-directory": ["state", ...place, ...page],
      "/barns": ["county", "state", "status", "venue", ...place, ...page],
      "/dealers/stats": ["state", ...page],
    };
    expect(Object.keys(document.paths).sort()).toEqual(Object.keys(contract).sort());
    for (const [path, names] of Object.entries(contract)) {
      const parameters = operation(path).parameters ?? [];
      expect(parameters.map(({name}) => name).sort()).toEqual(names.toSorted());
      for (const parameter of parameters) {
        expect([parameter.in, resolved(parameter.schema).type]).toEqual(["query", "string"]);
        expect(parameter.required ?? false).toBe(false);
      }
    }
  });

  it("S12: asks for X-API-Key on every market operation and has 200 and 403", () => {
    expect(document.components.securitySchemes.apiKey).toEqual({
      type: "apiKey",
      in: "header",
      name: "X-API-Key",
    });
    for (const {path} of marketEndpoints) {
      expect(operation(path).security).toEqual([{apiKey: []}]);
      expect(Object.keys(operation(path).responses)).toEqual(expect.arrayContaining(["200", "403"]));
    }
  });

  it("S12: lists the fourteen evidence fields and the source registry entry", () => {
    expect(document.components.schemas.EvidenceField.enum).toHaveLength(14);
    expect(document.components.schemas.SourceRegistryEntry.required).toEqual(
      expect.arrayContaining(["id", "name", "type", "role", "citationBoundary"]),
    );
  });

  it("says nothing that generators of clients stumble over", () => {
    const faults: string[] = [];
    visit(whole, "", (node, path) => {
      if (path.includes("/example")) return;
      if (node["format"] !== undefined && node["pattern"] !== undefined) faults.push(`${path}: pattern`);
      if (typeof node["const"] === "boolean") faults.push(`${path}: const`);
      if (node["items"] === false) faults.push(`${path}: items`);
      if (node["prefixItems"] !== undefined) faults.push(`${path}: prefixItems`);
      const choices = (node["anyOf"] ?? node["oneOf"] ?? []) as Node[];
      if (choices.some(({type}) => type !== undefined && type !== "null"))
        faults.push(`${path}: a union of types`);
      if (Array.isArray(node["type"]) && (node["type"].length !== 2 || node["type"][1] !== "null"))
        faults.push(`${path}: ${node["type"]}`);
    });
    expect(faults).toEqual([]);
  });

  it("has a StateOrProvince for parcels, a StateCode without Manitoba for markets, one County, one Problem, and each failure once, which endpoints refer to", () => {
    const {schemas, responses} = whole.components;
    const ofProblems = Object.keys(schemas).filter((name) => name.includes("Problem"));
    expect([...ofProblems, schemas.Problem.required.includes("error")]).toEqual(["Problem", true]);
    // Endpoints answer with JSON; only files are sent by ranges.
    const {"range-not-satisfiable": _, ...forEndpoints} = problemKinds;
    const statuses = new Set(Object.values(forEndpoints).map(({status}) => `Problem${status}`));
    expect(Object.keys(responses).sort()).toEqual(["NotModified", ...statuses].sort());
    for (const [path, {get}] of Object.entries(whole.paths as Record<string, {get: Operation}>)) {
      const state = marketPaths.has(path) ? "StateCode" : "StateOrProvince";
      for (const {name, schema} of get.parameters ?? []) {
        if (name === "state") expect(schema).toEqual({$ref: `#/components/schemas/${state}`});
        if (name === "county") expect(schema).toEqual({$ref: "#/components/schemas/County"});
      }
      const written = Object.entries(get.responses).filter(([, {$ref}]) => $ref === undefined);
      expect([path, written.map(([status]) => status)]).toEqual([path, ["200"]]);
    }
  });

  it("describes every property, parameter, response and header", () => {
    const silent: string[] = [];
    const told = (node: Node) => ["description", "$ref", "allOf"].some((word) => node[word] !== undefined);
    visit(whole, "", (node, path) => {
      if (path.includes("/example") || /\/properties$/.test(path)) return;
      const parts: Record<string, Node> = {...(node["properties"] as object), ...(node["headers"] as object)};
      for (const [name, part] of Object.entries(parts)) if (!told(part)) silent.push(`${path}.${name}`);
      if (node["in"] === "query" && !told(node)) silent.push(path);
      if (/\/responses\/\d+$/.test(path) && !told(node)) silent.push(path);
    });
    expect(silent).toEqual([]);
  });

  it("has an example of every answer that its schema takes, an example question, and one of every problem", () => {
    for (const {path, operationId, parameters, response, problems} of endpoints) {
      const {responses, parameters: listed = []} = whole.paths[path].get;
      const {example} = responses["200"].content["application/json"];
      expect([operationId, response.safeParse(example).error?.issues ?? []]).toEqual([operationId, []]);
      const question = Object.fromEntries(
        listed.flatMap((each: {name: string; example?: string}) =>
          each.example === undefined ? [] : [[each.name, each.example]],
        ),
      );
      expect([operationId, question]).toEqual([operationId, exampleQuestions[operationId]]);
      expect(parameters.safeParse(question).success).toBe(true);
      const slugs = Object.values(responses as Operation["responses"])
        .map(resolved)
        .flatMap(({content}) =>
          Object.keys((content?.["application/problem+json"]?.["examples"] as object) ?? {}),
        );
      expect(slugs).toEqual(expect.arrayContaining([...problems, "access-denied", "rate-limited"]));
    }
  });

  it("names the headers that answers of each status have", async () => {
    const folder = temporaryFolder();
    await writeMarketFixture(folder);
    const market = openMarketArtifacts(folder);
    const settings = readSettings({CATTLE_RATE_PER_MINUTE: "5"});
    const server = await testServer({generation: () => generationOf(market), settings});
    const own = (reply: Reply) => Object.keys(reply.headers).filter((name) => !ofEveryServer.has(name));
    const named = (status: number) =>
      Object.keys(resolved(operation("/price-by-state").responses[status]!).headers).map((name) =>
        name.toLowerCase(),
      );
    const first = await server.get("/price-by-state");
    const replies = [
      first,
      await server.get("/price-by-state", {
        headers: {"X-API-Key": server.key, "If-None-Match": first.headers.etag ?? ""},
      }),
      await server.get("/price-by-state", {headers: {}}),
      await server.get("/price-by-state?state=Texas"),
      await server.get("/price-by-state", {headers: {"X-API-Key": server.key}, method: "POST"}),
      await server.get(`/price-by-state?x=${"x".repeat(5000)}`),
      await server.get("/price-by-state"),
    ];
    await server.close();
    expect(replies.map(({status}) => status)).toEqual([200, 304, 403, 400, 405, 414, 429]);
    for (const reply of replies) {
      expect([reply.status, own(reply).sort()]).toEqual([reply.status, named(reply.status).sort()]);
    }
  });

  it("S12: lets every answer carry further properties", () => {
    const closed = Object.entries(
      document.components.schemas as Record<string, {additionalProperties?: unknown}>,
    )
      .filter(([name]) => /Answer$|Envelope$/.test(name))
      .filter(([, schema]) => schema.additionalProperties === false);
    expect(closed).toEqual([]);
  });

  it("S12: is served to any valid key, with a tag", async () => {
    const server = await testServer({generation: () => generationOf(null)});
    const reply = await server.get("/openapi.json");
    expect(reply.json()).toEqual(document);
    const again = await server.get("/openapi.json", {
      headers: {"X-API-Key": server.key, "If-None-Match": reply.headers.etag ?? ""},
    });
    expect(again.status).toBe(304);
    await server.close();
  });
});
