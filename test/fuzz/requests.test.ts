import {Agent, request} from "node:http";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {ProblemDocument, type ProblemSlug, problemKinds} from "../../schemas/problem.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {openPublished} from "../../server/http/direct-answer.ts";
import type {Endpoint} from "../../server/http/endpoint.ts";
import {marketEndpoints} from "../../server/market/market-endpoints.ts";
import {parcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {sampleBuild} from "../sample-build.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {type TestServer, testServer} from "../server/server-fixture.ts";
import {type GeneratedRequest, generatedRequest} from "./generated-request.ts";

// `make fuzz` sends 100,000 requests; SEED starts another series.
const requests = Number(process.env["FUZZ_REQUESTS"] ?? 1000);
const seed = Number(process.env["SEED"] ?? 20261121);
const atOnce = 8;
const asOf = "2026-11-21";
const endpoints: readonly Endpoint[] = [...marketEndpoints, ...parcelEndpoints];

let generation: Generation;
let server: TestServer;
const agent = new Agent({keepAlive: true, maxSockets: atOnce});

beforeAll(async () => {
  const {data} = await sampleBuild(asOf);
  generation = await openPublished(data, openStateArtifacts);
  const settings = readSettings({CATTLE_RATE_PER_MINUTE: "1000000", CATTLE_OWNER_SEARCH_PER_DAY: "1000000"});
  server = await testServer({endpoints, settings, generation: () => generation});
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

type Reply = {status: number; text: string};

function ask({method, path}: GeneratedRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = {"X-API-Key": server.key};
    const outgoing = request(
      {host: "127.0.0.1", port: server.port, path, method, headers, agent},
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("error", reject);
        reply.on("end", () =>
          resolve({status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString()}),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** The fault in a reply (a server error, a problem not declared by the endpoint, a body that violates its schema), or null. */
function faultOf({endpoint, method}: GeneratedRequest, {status, text}: Reply): string | null {
  if (status >= 500) return `status ${status}`;
  if (method === "HEAD") return text === "" ? null : "HEAD with a body";
  const body: unknown = JSON.parse(text);
  if (status === 200) return endpoint.response.safeParse(body).error?.message ?? null;
  const problem = ProblemDocument.safeParse(body);
  if (!problem.success) return problem.error.message;
  const slug = problem.data.type.replace("/problems/", "");
  if (!(slug in problemKinds)) return `problem ${slug}`;
  return problemKinds[slug as ProblemSlug].status === status ? null : `${slug} with status ${status}`;
}

test(`S1: ${requests} generated requests of ten endpoints get no server error and no answer outside the schema`, {
  timeout: 3_600_000,
}, async () => {
  expect(endpoints).toHaveLength(10);
  const random = seededRandom(seed);
  const sets = [...generation.states.values()];
  const statuses = new Map<string, number>();
  const faults: string[] = [];
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const generated = generatedRequest(endpoints[left % endpoints.length]!, {random, sets});
      const reply = await ask(generated);
      const kind = `${generated.endpoint.operationId} ${reply.status}`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      const fault = faultOf(generated, reply);
      if (fault !== null) faults.push(`${generated.method} ${generated.path}: ${fault}`);
    }
  };
  await Promise.all(Array.from({length: atOnce}, worker));
  if (requests > 10_000)
    process.stderr.write(
      `${[...statuses]
        .sort()
        .map(([kind, times]) => `${kind}: ${times}`)
        .join("\n")}\n`,
    );
  expect(faults.slice(0, 20)).toEqual([]);
  // Every endpoint answers some requests, so the series is not only nonsense.
  expect(endpoints.filter(({operationId}) => !statuses.has(`${operationId} 200`))).toEqual([]);
});
