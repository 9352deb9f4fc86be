import {once} from "node:events";
import {get, type IncomingMessage} from "node:http";
import {afterAll, afterEach, beforeAll, expect, it, vi} from "vitest";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import {createParcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";
import {testServer} from "../server-fixture.ts";
import {brazos, countyDeps, inventedRows, layerEntry} from "./county-fixture.ts";
import {pageOf, startFakeArcgis} from "./fake-arcgis.ts";

// Calls that wait for a place at the county wait as long as they must, whatever else the machine does.
beforeAll(() => void vi.useFakeTimers({toFake: ["setInterval", "clearInterval"]}));
afterAll(() => void vi.useRealTimers());

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const pathOf = (id: string) =>
  `/public/land-agent/property/parcel-id-lookup?state=TX&county=${brazos.key}&parcelId=${id}`;
const soon = (wanted: () => unknown) => vi.waitFor(wanted, {timeout: 300_000, interval: 10});

/** A door that lets nothing through until it is opened, and counts those that came to it. */
function door() {
  const {promise, resolve} = Promise.withResolvers<void>();
  const gate = {
    came: 0,
    open: resolve,
    async pass() {
      gate.came += 1;
      await promise;
    },
  };
  return gate;
}

/** A server with an invented county that gives its metadata at once, its rows and their reading when their doors are open. */
async function server() {
  const fake = await startFakeArcgis(inventedRows());
  const [answers, readings] = [door(), door()];
  fake.misbehave = (response, {isQuery, form}) => {
    if (!isQuery) return false;
    const rows = fake.rows.filter(({attributes}) => form.get("where")!.includes(String(attributes["APN"])));
    void answers.pass().then(() => response.end(JSON.stringify(pageOf(rows))));
    return true;
  };
  const inside = createAnswerReader();
  const read: string[] = [];
  const {deps, store, close} = countyDeps([layerEntry(fake.url)], {
    reader: {
      async read(kind, task, turn) {
        if (kind === "reply") await readings.pass();
        read.push(kind);
        return inside.read(kind, task, turn);
      },
      close: () => inside.close(),
    },
  });
  const http = await testServer({
    endpoints: createParcelEndpoints(deps),
    generation: () => generationOfStates([]),
  });
  open.push(fake.close, close, http.close);
  return {fake, answers, readings, read, store, http};
}

type Server = Awaited<ReturnType<typeof server>>;

/** Asks over a socket of its own, which can be cut. */
function caller({http}: Server, id: string) {
  const headers = {"X-API-Key": http.key};
  const request = get({host: "127.0.0.1", port: http.port, path: pathOf(id), headers, agent: false});
  const status = new Promise<number>((resolve) => {
    request.on("response", (response) => resolve(response.resume().statusCode ?? 0));
    request.on("error", () => resolve(0));
  });
  return {status, cut: () => request.destroy()};
}

/**
 * Asks over a connection that comes after all others. By its answer the server has read what they sent, and has seen the end of those that
 * were cut.
 */
async function afterAllOthers({http: {port}}: Server): Promise<void> {
  const request = get({host: "127.0.0.1", port, path: "/healthz", agent: false});
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
}

it("O1: the answer of a county whose only caller has cut the connection is not read", async () => {
  const place = await server();
  const {status, cut} = caller(place, "R-100-1");
  await soon(() => expect(place.fake.queries()).toHaveLength(1));
  cut();
  expect(await status).toBe(0);
  await afterAllOthers(place);
  place.answers.open();
  place.readings.open();
  expect((await place.http.get(pathOf("R-100-2"))).status).toBe(200);
  expect(place.read).toEqual(["layer", "reply"]);
  expect(place.store.discoveries).toHaveLength(1);
});

it("O1: a caller who has gone frees its place in the line: its question never reaches the county", async () => {
  const place = await server();
  const first = ["R-100-1", "R-100-2", "R-200-1", "R-300-1"].map((id) => caller(place, id));
  await soon(() => expect(place.fake.queries()).toHaveLength(4));
  const waiting = caller(place, "R-400-1");
  await afterAllOthers(place);
  waiting.cut();
  expect(await waiting.status).toBe(0);
  await afterAllOthers(place);
  place.answers.open();
  place.readings.open();
  expect(await Promise.all(first.map(({status}) => status))).toEqual([200, 200, 200, 404]);
  const numbers = place.fake.queries().map(({form}) => form.get("where"));
  expect(numbers.filter((where) => where!.includes("400"))).toEqual([]);
});

it("O1: one of two callers with the same question goes, and the other gets the answer", async () => {
  const place = await server();
  const [one, other] = [caller(place, "R-100-1"), caller(place, "R-100-1")];
  await soon(() => expect(place.fake.queries()).toHaveLength(1));
  await afterAllOthers(place);
  one.cut();
  expect(await one.status).toBe(0);
  place.answers.open();
  place.readings.open();
  expect(await other.status).toBe(200);
  expect(place.fake.queries()).toHaveLength(1);
});

it("D5: a find whose caller goes while it is read is stored", async () => {
  const place = await server();
  place.answers.open();
  const {status, cut} = caller(place, "R-100-1");
  await soon(() => expect(place.readings.came).toBe(1));
  cut();
  expect(await status).toBe(0);
  await afterAllOthers(place);
  place.readings.open();
  await soon(() => expect(place.store.discoveries).toHaveLength(1));
  expect(place.store.discoveries[0]?.upsert.parcelUid).toBe("48041-R-100-1");
});
