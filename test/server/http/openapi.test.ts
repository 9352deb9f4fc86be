import {Validator} from "@seriousme/openapi-schema-validator";
import {describe, expect, it} from "vitest";
import {openApiDocument} from "../../../server/http/openapi.ts";
import {endpoints} from "../../../server/http/routes.ts";
import {marketEndpoints} from "../../../server/market/routes.ts";
import {generationOf, testServer} from "../server-fixture.ts";

type Node = Record<string, unknown>;

/** Calls `see` for every object of a document with its path. */
function visit(value: unknown, path: string, see: (node: Node, path: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) see(value as Node, path);
  for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`, see);
}

type Operation = {
  parameters?: {name: string; in: string; required?: boolean; schema: {type?: string}}[];
  security: Record<string, string[]>[];
  responses: Record<string, unknown>;
};
// As a client reads it: members that are undefined do not exist on the wire.
const document = JSON.parse(JSON.stringify(openApiDocument(marketEndpoints)));
const operation = (path: string) => document.paths[path].get as Operation;

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
    const contract = {
      "/price-by-county": ["state", "zip", "history", ...kinds, ...page],
      "/price-by-state": ["state", "history", ...kinds, ...page],
      "/latest-prices": ["lat", "lon", ...kinds, ...page],
      "/cattle-sale-barn-directory": ["state", ...page],
      "/barns": ["county", "state", "status", ...page],
      "/dealers/stats": page,
    };
    expect(Object.keys(document.paths).sort()).toEqual(Object.keys(contract).sort());
    for (const [path, names] of Object.entries(contract)) {
      const parameters = operation(path).parameters ?? [];
      expect(parameters.map(({name}) => name).sort()).toEqual(names.toSorted());
      for (const parameter of parameters) {
        expect(parameter).toMatchObject({in: "query", schema: {type: "string"}});
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

  it("says nothing that generators of clients stumble over, and describes every property", () => {
    const whole = JSON.parse(JSON.stringify(openApiDocument(endpoints)));
    const faults: string[] = [];
    visit(whole, "", (node, path) => {
      if (/^date/.test(String(node["format"])) && node["pattern"] !== undefined)
        faults.push(`${path}: pattern`);
      if (typeof node["const"] === "boolean") faults.push(`${path}: const`);
      if (node["items"] === false) faults.push(`${path}: items`);
      for (const [name, property] of Object.entries((node["properties"] ?? {}) as Record<string, Node>)) {
        const told = ["description", "$ref", "allOf"].some((word) => property[word] !== undefined);
        if (node["type"] === "object" && !told) faults.push(`${path}.${name}: no description`);
      }
    });
    expect(faults).toEqual([]);
  });

  it("names the headers of answers, 304 and the wait of 429 and 503", () => {
    const {responses} = document.paths["/price-by-county"].get;
    expect(Object.keys(responses["200"].headers)).toEqual(
      expect.arrayContaining(["ETag", "RateLimit", "Cache-Control"]),
    );
    expect(Object.keys(responses["304"].headers)).toContain("ETag");
    for (const status of ["429", "503"])
      expect(Object.keys(responses[status].headers)).toContain("Retry-After");
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
