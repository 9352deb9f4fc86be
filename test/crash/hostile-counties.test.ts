import {createServer} from "node:https";
import type {AddressInfo} from "node:net";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {counties} from "../../lib/geography/counties.ts";
import {build} from "../../pipeline/publish/build.ts";
import {ask, deltaWorkshop, until} from "../delta/delta-workshop.ts";
import {brazos, inventedRows} from "../server/cadastre/county-fixture.ts";
import {expiredCertificate} from "../server/cadastre/expired-certificate.ts";
import {startFakeArcgis} from "../server/cadastre/fake-arcgis.ts";
import {bodyFaults, meaningFaults, transportFaults} from "../server/cadastre/misbehaviours.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type Asking, askBeside, askTimed, byNumber, heldKib, p99, recordsOf} from "./asking.ts";
import {kill, startChild} from "./children.ts";
import {everyParcel} from "./known-county.ts";
import {long, note, sizeOf} from "./table.ts";

const rounds = sizeOf("C1", {push: 1, long: 25});
const divisor = long ? 1 : 2;
/** Counties that are queried at the same time. */
const lanes = long ? 8 : 4;
const mostGrowthKib = 50 * 1024;

type County = {name: string; url: string; county: string; close(): Promise<unknown>};

/** A county in Texas for each misbehaviour, with rows in it, so that nothing but this is wrong with what it sends. */
async function hostileCounties(): Promise<County[]> {
  const [refusing, uncertified, ...places] = counties().filter(
    ({state, fips}) => state === "TX" && fips !== brazos.key,
  );
  const count = transportFaults.length + bodyFaults.length + meaningFaults({rows: inventedRows()}).length;
  const faulty = places.slice(0, count).map(async ({fips, point}, i): Promise<County> => {
    const rows = inventedRows().map((row) => ({...row, west: point.lon, south: point.lat}));
    const fake = await startFakeArcgis(rows);
    const {name, does} = [...transportFaults, ...bodyFaults, ...meaningFaults(fake)][i]!;
    fake.misbehave = does;
    return {name, url: fake.url, county: fips, close: fake.close};
  });
  return [
    await refusingCounty(refusing!.fips),
    await uncertifiedCounty(uncertified!.fips),
    ...(await Promise.all(faulty)),
  ];
}

/** A port at which nobody listens any more. */
async function refusingCounty(county: string): Promise<County> {
  const {url, close} = await startFakeArcgis();
  await close();
  return {name: "refuses", url, county, close};
}

async function uncertifiedCounty(county: string): Promise<County> {
  const server = createServer(expiredCertificate(), (_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const {port} = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return {name: "has an expired certificate", url: `https://127.0.0.1:${port}/0`, county, close};
}

const fairIds = Array.from({length: 8}, (_, i) => `R-100-${i}`);
const fairRows = () => {
  const [row] = inventedRows();
  return fairIds.map((id) => ({...row!, attributes: {...row!.attributes, APN: id}}));
};

let numbers = 1;
const absent = () => byNumber(brazos.key, `Z-${numbers++}`);

/** Asks each of these counties for a parcel, `rounds` times; what is no 503 is bad. */
async function askHostile(place: Asking, hostile: readonly County[]) {
  const bad: string[] = [];
  let slowest = 0;
  const one = async ({name, county}: County) => {
    const {status, ms} = await askTimed(place, byNumber(county, "R-100-1"));
    slowest = Math.max(slowest, ms);
    if (status !== 503) bad.push(`${name}: ${status}`);
  };
  for (let round = 0; round < rounds; round++) {
    const asking = Array.from({length: lanes}, async (_, lane) => {
      for (const county of hostile.filter((_, i) => i % lanes === lane)) await one(county);
    });
    await Promise.all(asking);
  }
  return {bad, slowest};
}

test(
  `C1: each misbehaviour of a county, ${rounds} times, is a 503 and leaves no record, while another county is answered`,
  async () => {
    const shop = deltaWorkshop(temporaryFolder(), everyParcel());
    shop.roll(["100-A"]);
    await build(shop.options());
    const hostile = await hostileCounties();
    const fair = {...(await startFakeArcgis(fairRows())), county: brazos.key};
    const asked = JSON.stringify([...hostile, fair].map(({url, county}) => ({url, county})));
    const child = startChild("county-server.ts", [shop.data.root, String(divisor), asked]);
    const place = {port: await child.ready, key: shop.key};
    // Memory that the first answers take for good is taken before memory is compared.
    const {key} = brazos;
    await until(async () => (await askTimed(place, byNumber(key, "Z-0"))).status === 404);
    for (const id of fairIds) {
      await until(async () => {
        const {body} = await ask(place, place, byNumber(key, id));
        return body.metadata?.lookup.persisted === true;
      });
    }
    const calm = await askBeside(place, sleep(long ? 10_000 : 500), {nextPath: absent, status: 404});
    const before = await heldKib(child);
    const asking = askHostile(place, hostile);
    const beside = await askBeside(place, asking, {nextPath: absent, status: 404});
    const {bad, slowest} = await asking;
    const growth = (await heldKib(child)) - before;
    await kill(child);
    await Promise.all([fair, ...hostile].map(({close}) => close()));
    note(
      "C1",
      `${hostile.length} misbehaviours of a county ${rounds} times`,
      `${bad.length} wrong, slowest ${(slowest / 1000).toFixed(1)} s, RssAnon ${(growth / 1024).toFixed(0)} MiB more; another county: p99 ${p99(calm.ms).toFixed(0)} ms, ${p99(beside.ms).toFixed(0)} ms beside them`,
    );
    expect([bad, beside.wrong]).toEqual([[], []]);
    expect(growth).toBeLessThanOrEqual(mostGrowthKib);
    const {found, others, badLines} = await recordsOf(shop);
    expect([found, others, badLines]).toEqual([fairIds.map((id) => `${brazos.key}-${id}`), ["source"], 0]);
  },
  60_000 + rounds * 60_000,
);
