import {connect} from "node:net";
import fc from "fast-check";
import {expect, it} from "vitest";
import {FairShare} from "../../../server/http/fair-share.ts";
import {generationOf, testServer} from "../server-fixture.ts";

/** Waits until the requests of the next turn of the event loop have begun. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const maxPerTurn = 8;
const maxWaiting = 1_024;

it("begins eight requests in a turn, and the only one of a key among the first of the next", async () => {
  const line = new FairShare();
  const begun: string[] = [];
  for (let i = 0; i < 20; i++) line.enter("greedy", () => void begun.push("greedy"));
  line.enter("honest", () => void begun.push("honest"));
  expect(begun).toHaveLength(maxPerTurn);
  await nextTurn();
  expect(begun).toHaveLength(2 * maxPerTurn);
  expect(begun.indexOf("honest")).toBe(maxPerTurn + 1);
  await nextTurn();
  expect(begun).toHaveLength(21);
  line.enter("later", () => void begun.push("later"));
  expect(begun.at(-1)).toBe("later");
});

it("begins every request once, those of a key in their order, and no more than eight in a turn", async () => {
  const arrivals = fc.array(fc.array(fc.constantFrom("a", "b", "c", "d"), {maxLength: 40}), {maxLength: 6});
  await fc.assert(
    fc.asyncProperty(arrivals, async (turns) => {
      const line = new FairShare();
      const [came, begun]: [string[], string[]] = [[], []];
      const mostBegun = async (enter: () => void) => {
        const before = begun.length;
        enter();
        expect(begun.length - before).toBeLessThanOrEqual(maxPerTurn);
        const entered = begun.length;
        await nextTurn();
        expect(begun.length - entered).toBeLessThanOrEqual(maxPerTurn);
      };
      for (const keys of turns) {
        await mostBegun(() => {
          for (const key of keys) {
            const name = `${key}${came.length}`;
            came.push(name);
            expect(line.enter(key, () => void begun.push(name))).toBe(true);
          }
        });
      }
      while (begun.length < came.length) await mostBegun(() => undefined);
      for (const key of ["a", "b", "c", "d"])
        expect(begun.filter((name) => name.startsWith(key))).toEqual(
          came.filter((name) => name.startsWith(key)),
        );
    }),
  );
});

it("refuses what one key asks beyond what may wait, and nothing of another", () => {
  const line = new FairShare();
  const taken = Array.from({length: maxPerTurn + maxWaiting + 1}, () =>
    line.enter("greedy", () => undefined),
  );
  expect(taken.indexOf(false)).toBe(maxPerTurn + maxWaiting);
  expect(line.enter("honest", () => undefined)).toBe(true);
});

it("answers thousands of requests that one connection sends at once, each with its answer or 503", async () => {
  const server = await testServer({endpoints: [], generation: () => generationOf(null)});
  try {
    const request = `GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key}\r\n`;
    const socket = connect(server.port, "127.0.0.1");
    const sent = 3_000;
    for (let i = 1; i < sent; i++) socket.write(`${request}\r\n`);
    socket.write(`${request}Connection: close\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toHaveLength(sent);
    expect(statuses.filter((status) => !["200", "429", "503"].includes(status!))).toEqual([]);
    expect(statuses[0]).toBe("200");
  } finally {
    await server.close();
  }
});
