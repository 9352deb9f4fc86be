import {afterAll, describe, expect, it, vi} from "vitest";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import {createParcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";
import {testServer} from "../server-fixture.ts";
import {countyDeps, inventedRows, layerEntry} from "./county-fixture.ts";
import {startFakeArcgis} from "./fake-arcgis.ts";
import {type Answered, hangs, type Kind, type Outcome, place, type Question, table} from "./outcome-rows.ts";

const rows = table.flatMap((outcome) =>
  (Object.keys(outcome.ask) as Kind[]).map((kind) => ({
    outcome,
    kind,
    wanted: isSingle(kind) ? outcome.single! : outcome.search!,
  })),
);

function isSingle(kind: Kind): boolean {
  return kind === "address" || kind === "parcel-id";
}

const pathOf = (kind: Kind, question: Question) =>
  `/public/land-agent/property/${kind}-${isSingle(kind) ? "lookup" : "search"}?${new URLSearchParams(question)}`;

// All rows share one reader: to open one takes longer than to answer a row.
const reader = createAnswerReader();
const shared = {read: reader.read, close: () => Promise.resolve()};
afterAll(() => reader.close());

/** A county of the row and a server that asks it. Time is short only in rows about time. */
async function startServer({county: does, entry = {}, others}: Outcome) {
  const fake = await startFakeArcgis(inventedRows());
  const layer = layerEntry(fake.url, {
    owners: {published: true, order: "last_first"},
    terms: {store: true, redistributeOwners: true, bulk: false},
    ...entry,
  });
  layer.cadastre.ownerField = "OWNER";
  const totalMs = does !== hangs ? 60_000 : others === undefined ? 150 : 8_000;
  const county = countyDeps([layer], {totalMs, callMs: totalMs, clock: () => 0, reader: shared});
  const generation = generationOfStates([]);
  const server = await testServer({
    endpoints: createParcelEndpoints(county.deps),
    generation: () => generation,
  });
  const close = async () => {
    await server.close();
    await fake.close();
    await county.close();
  };
  return {fake, server, close};
}

/** Asks as the row says, and gives the parts of the answer that the table lists. */
async function answered(outcome: Outcome, kind: Kind): Promise<Answered> {
  const {fake, server, close} = await startServer(outcome);
  const {count = 0, beside = false} = outcome.others ?? {};
  const other = (n: number) => server.get(pathOf("parcel-id", {parcelId: `B-${n}`, ...place}));
  try {
    // The layer's metadata are read, so that only the question itself fails.
    await server.get(pathOf("parcel-id", {parcelId: "A-1", ...place}));
    fake.misbehave = outcome.county ?? null;
    const before = fake.queries().length;
    const waiting = [];
    for (let n = 0; n < count; n++) waiting.push(beside ? other(n) : await other(n));
    if (beside) await vi.waitFor(() => expect(fake.queries()).toHaveLength(before + count), 10_000);
    const {status, headers, json} = await server.get(pathOf(kind, outcome.ask[kind]!));
    // Requests that hang are released.
    await fake.close();
    await Promise.all(waiting);
    const {type, error, detail, lookup, metadata} = json() as Record<string, unknown>;
    expect(detail).toBe(error);
    return {
      status,
      ...(type === undefined ? {} : {slug: String(type).replace("/problems/", ""), error: String(error)}),
      lookup:
        (metadata as {lookup?: Answered["lookup"]} | undefined)?.lookup ?? (lookup as Answered["lookup"]),
      ...(headers["retry-after"] === undefined ? {} : {retryAfter: headers["retry-after"]}),
      cacheControl: String(headers["cache-control"]),
    };
  } finally {
    await close();
  }
}

describe.concurrent("C4: a miss", () => {
  for (const {outcome, kind, wanted} of rows) {
    it(`C4: by ${kind}, in a county of which is true: ${outcome.when}`, async () => {
      expect(await answered(outcome, kind)).toEqual(wanted);
    });
  }
});
