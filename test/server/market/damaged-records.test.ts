import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, expect, it} from "vitest";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";
import {writeMarketFixture} from "./market-fixture.ts";

const folder = temporaryFolder();
let server: TestServer;
let damaged: string[];
beforeEach(async () => {
  await writeMarketFixture(folder.path);
  const market = openMarketArtifacts(folder.path);
  damaged = [];
  server = await testServer({
    generation: () => generationOf(market),
    damaged: ({message}) => damaged.push(message),
  });
});
afterEach(async () => {
  await server.close();
  folder.remove();
});

/** Changes one letter of the text in place, as the server has it mapped. */
function change(name: string, text: string): void {
  const path = join(folder.path, name);
  const bytes = readFileSync(path);
  bytes[bytes.indexOf(text)]! ^= 1;
  writeFileSync(path, bytes, {flag: "r+"});
}

it("B11: a market record with a wrong byte is a 503 that names its file to us, and others are answered", async () => {
  const [record] = (await server.get("/price-by-county?state=OK&county=40017")).json().records;
  expect(record).toMatchObject({county_fips: "40017"});
  change("county_prices.arrow", '"county_fips":"40017"');
  const reply = await server.get("/price-by-county?state=OK&county=40017");
  expect([reply.status, reply.json()["type"]]).toEqual([503, "/problems/build-unavailable"]);
  expect(reply.text).not.toContain("arrow");
  expect(damaged).toEqual([expect.stringContaining("county_prices.arrow: row 0 is damaged")]);
  expect((await server.get("/price-by-state?state=OK")).status).toBe(200);
});
