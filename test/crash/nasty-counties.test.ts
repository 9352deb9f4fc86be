import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {counties} from "../../lib/geography/counties.ts";
import {build} from "../../pipeline/publish/build.ts";
import {deltaWorkshop} from "../delta/delta-workshop.ts";
import {brazos, inventedRows} from "../server/cadastre/county-fixture.ts";
import {startFakeArcgis} from "../server/cadastre/fake-arcgis.ts";
import {type NastyReply, nastyReplies} from "../server/cadastre/nasty-replies.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type Asking, askBeside, askTimed, byNumber, heldKib, p99, recordsOf} from "./asking.ts";
import {kill, startChild} from "./children.ts";
import {everyParcel} from "./known-county.ts";
import {long, note, sizeOf} from "./table.ts";

const rounds = sizeOf("C1N", {push: 1, long: 10});
/** Limit for the growth in private memory of server and reader process together after the first discoveries. */
const mostGrowthKib = 100 * 1024;

type County = {name: string; url: string; county: string; close(): Promise<unknown>};

/** One Texas county per reply, which has the requested parcel. */
async function nastyCounties(): Promise<County[]> {
  const places = counties().filter(({state, fips}) => state === "TX" && fips !== brazos.key);
  const count = nastyReplies(inventedRows()[0]!).length;
  return Promise.all(
    places.slice(0, count).map(async ({fips, point}, i): Promise<County> => {
      const row = {...inventedRows()[0]!, west: point.lon, south: point.lat};
      const fake = await startFakeArcgis([row]);
      const reply = nastyReplies(row)[i]!;
      fake.metadata = reply.metadata ?? {};
      fake.misbehave = answersWith(reply);
      return {name: reply.name, url: fake.url, county: fips, close: fake.close};
    }),
  );
}

function answersWith({page}: NastyReply) {
  if (page === undefined) return null;
  return (response: {end(text: string | Buffer): unknown}, {isQuery}: {isQuery: boolean}) =>
    isQuery && response.end(page) !== undefined;
}

/** Queries each county for its parcel, two at a time; any status but 503 is wrong. */
async function askNasty(place: Asking, nasty: readonly County[]): Promise<string[]> {
  const wrong: string[] = [];
  const one = async ({name, county}: County) => {
    const {status} = await askTimed(place, byNumber(county, "R-100-1"));
    if (status !== 503) wrong.push(`${name}: ${status}`);
  };
  for (let round = 0; round < rounds; round++) {
    const lanes = [0, 1].map(async (lane) => {
      for (const county of nasty.filter((_, i) => i % 2 === lane)) await one(county);
    });
    await Promise.all(lanes);
  }
  return wrong;
}

test(
  `C1: each of 58 nasty replies for a parcel that exists, ${rounds} times, is a 503 and harms neither the server nor finds in another county`,
  async () => {
    const shop = deltaWorkshop(temporaryFolder(), everyParcel());
    shop.roll(["100-A"]);
    await build(shop.options());
    const nasty = await nastyCounties();
    const [row] = inventedRows();
    const ids = Array.from({length: 3_000}, (_, i) => `R-${1000 + i}`);
    const rows = ids.map((id) => ({...row!, attributes: {...row!.attributes, APN: id}}));
    const fair = {...(await startFakeArcgis(rows)), county: brazos.key};
    const layers = JSON.stringify([...nasty, fair].map(({url, county}) => ({url, county})));
    const child = startChild("county-server.ts", [shop.data.root, "1", layers]);
    const place = {port: await child.ready, key: shop.key};
    let asked = 0;
    const discoveries = {nextPath: () => byNumber(brazos.key, ids[asked++]!), status: 200};

    await askBeside(place, sleep(long ? 5_000 : 1_000), discoveries);
    const calm = await askBeside(place, sleep(long ? 20_000 : 2_000), discoveries);
    const before = await heldKib(child);
    const asking = askNasty(place, nasty);
    const beside = await askBeside(place, asking, discoveries);
    const wrong = await asking;
    const after = await heldKib(child);
    expect(child.process.exitCode ?? child.process.signalCode).toBeNull();
    await kill(child);
    await Promise.all([fair, ...nasty].map(({close}) => close()));

    const [calmMs, besideMs] = [p99(calm.ms), p99(beside.ms)];
    note(
      "C1",
      `${nasty.length} nasty replies that reach the reader, ${rounds} times`,
      `${wrong.length} wrong; server and reader ${(before / 1024).toFixed(0)} -> ${(after / 1024).toFixed(0)} MiB; finds elsewhere: p99 ${calmMs.toFixed(0)} ms, ${besideMs.toFixed(0)} ms beside them (${(besideMs / calmMs).toFixed(2)}x)`,
    );
    expect(nasty).toHaveLength(58);
    expect([wrong, calm.wrong, beside.wrong]).toEqual([[], [], []]);
    expect(after - before).toBeLessThanOrEqual(mostGrowthKib);
    const {found, others, badLines} = await recordsOf(shop);
    expect([found, others, badLines]).toEqual([
      ids
        .slice(0, asked)
        .map((id) => `${brazos.key}-${id}`)
        .sort(),
      ["source"],
      0,
    ]);
  },
  240_000 + rounds * 60_000,
);
