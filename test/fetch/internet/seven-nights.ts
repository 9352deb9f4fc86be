import {mkdtempSync, readdirSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {countWords} from "../../../lib/counts.ts";
import {addDays} from "../../../lib/dates.ts";
import {loadWaves} from "../../../lib/registry/parcel-sources.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import {ended} from "../live-cattle.ts";
import {textBarns} from "../market-world.ts";
import {answeredSources} from "./answered-sources.ts";
import {pathOf, playFiles, winnipegRows} from "./played-files.ts";
import {PlayedInternet} from "./played-internet.ts";
import {deadHosts, type LayerAtWork, layersAtWork} from "./played-layers.ts";
import {type MarketAtWork, marketPlaces, playMarketOddly} from "./played-market.ts";
import {ofNight, PlayedOperator} from "./played-operator.ts";

// A week of nights of an operator without keys, against a played internet: real host names, the registry as it is shipped but for its least
// numbers of rows, and publishers with the quirks that their users found. `make live-demo` runs it; it prints a table of the nights, and
// ends with 1 at the first thing that is not as it should be.

/** Areas that are live after some nights. */
const targets: Readonly<Record<number, number>> = {1: 5, 3: 10, 7: 12};
const firstDay = "2026-11-20";
const promised = loadWaves().flatMap(({state, wave}) => (wave === 1 ? [state] : []));
/** Without the operator's word these wait. */
const decided = {"us-vt-standard": "VT", "ca-mb-winnipeg": "MB"};

const dir = mkdtempSync(join(tmpdir(), "cattle-nights-"));
const layers = layersAtWork();
const hosts = [
  ...new Set(
    [
      ...[...layers.values()].map(({entry}) => entry.url!),
      ...Object.keys(marketPlaces).map((place) => `https://${place}`),
      ...[
        "https://resources.gisdata.mn.gov",
        "https://data.geographic.texas.gov",
        "https://s3.amazonaws.com",
        "https://api.tnris.org",
        "https://data.winnipeg.ca",
      ],
    ].map((url) => new URL(url).host),
  ),
];
const internet = await PlayedInternet.start(dir, {hosts, places: marketPlaces, dead: deadHosts});
const {server} = internet;
const market = playMarketOddly(server, addDays(firstDay, -1));
playFiles(server);
for (const {entry, answer} of layers.values()) server.on(pathOf(entry.url!), answer);
const operator = new PlayedOperator({dir, internet, times: answerTimes()});
const {data} = operator;
const table: string[] = [];

/** What is otherwise on the market's hosts from a night on, and after how many pages of a layer it is killed and run again. */
type Night = {readonly change?: Partial<MarketAtWork>; readonly killAfter?: readonly [string, number]};

const nights: readonly Night[] = [
  {},
  {change: {listForm: "new text"}, killAfter: ["us-ny-statewide", 30]},
  {change: {listForm: "JSON"}},
  {change: {refusesKey: true}},
  {change: {refusesKey: false}},
  {},
  {},
];

async function main(): Promise<void> {
  await probeDayBefore();
  for (const [i, night] of nights.entries()) await runNight(i + 1, night);
  await nightAfterTenDays(addDays(firstDay, nights.length + 10));
  process.stdout.write(
    `\n| night | live of ${promised.length} | without a word on ${Object.values(decided).join(", ")} | requests | MB | exit | verdict |\n|---|---|---|---|---|---|---|\n${table.join("\n")}\n`,
  );
}

async function probeDayBefore(): Promise<void> {
  for (const id of Object.keys(decided))
    await operator.finished([
      "sources",
      "allow",
      id,
      "--licence",
      "as its page says",
      "--evidence",
      "https://example.org/terms",
    ]);
  const {out} = await ended(operator.start(["fetch", "--probe"], ofNight(addDays(firstDay, -1))));
  process.stdout.write(`${out.trimEnd().split("\n").at(-1)}\n`);
}

async function runNight(number: number, {change = {}, killAfter}: Night): Promise<void> {
  const day = addDays(firstDay, number - 1);
  process.stdout.write(`\n== night ${number}, ${day}\n`);
  market.today = addDays(day, -1);
  Object.assign(market, change);
  server.forget();
  const bytesBefore = internet.bytes;
  const requestsBefore = killAfter === undefined ? 0 : await killedNight(day, killAfter);
  const {code, out, err} = await ended(operator.startNight(day, number));
  process.stdout.write(out);
  const verdict = out.split("\n").findLast((line) => line.startsWith("nightly: market")) ?? err;
  const live = liveAreas();
  const without = live.filter((area) => !Object.values(decided).includes(area));
  const megabytes = Math.round((internet.bytes - bytesBefore) / 1e6);
  table.push(
    `| ${number} | ${live.length}: ${live.join(" ")} | ${without.length} | ${countWords(requestsBefore + server.seen.length)} | ${megabytes} | ${code} | ${verdict} |`,
  );
  check("the night ends with 3, because parts are not whole", code, 3);
  check("no host is asked faster than once a second", operator.tooSoon(server.seen), []);
  if (targets[number] !== undefined)
    check(`${targets[number]} areas or more are live`, live.length >= targets[number]!, true);
  checkRows();
  if (number === 1) {
    check("auction prices came without a key", (manifest().market?.rows["price_rows"] ?? 0) > 0, true);
    process.stdout.write(await answeredSources(operator));
  }
  if (number === 4) await checkWhatIsRead(day, out);
  const alerts = figuresOf("nights_without_progress").filter(([, nights]) => nights >= 3);
  const onSchedule = ["us-fl-service", "us-mn-open", "us-ar-statewide", "us-ny-statewide"];
  check(
    "no pull on schedule is an alert",
    alerts.filter(([id]) => onSchedule.includes(id)),
    [],
  );
}

/** A refused key, a layer that lost its number and a fact that is missing: one line each with its cure, in night, status and figures. */
async function checkWhatIsRead(day: string, night: string): Promise<void> {
  const status = await operator.finished(["status"], ofNight(day));
  const cures: Readonly<Record<string, RegExp>> = {
    mars: /mars.*put a valid key into the file that CATTLE_MARS_KEY_FILE names/,
    "us-oh-statewide": /us-oh-statewide.*moved: the layer has no field .*; correct the entry/,
  };
  for (const [id, cure] of Object.entries(cures)) {
    check(
      `the night names the cure of ${id}`,
      night.split("\n").some((line) => line.startsWith("to mend") && cure.test(line)),
      true,
    );
    check(`status names the cure of ${id}`, cure.test(status), true);
  }
  check("status names the lost fact", status.includes("us-tx-archives lacks: a newer edition"), true);
  check(
    "figures have the refused key",
    figuresOf("key_refused").filter(([, is]) => is === 1),
    [["mars", 1]],
  );
  check(
    "and the layer that moved",
    figuresOf("moved").filter(([, is]) => is === 1),
    [["us-oh-statewide", 1]],
  );
  check(
    "and what is lost",
    figuresOf("lost_facts").some(([id, lost]) => id === "us-tx-archives" && lost > 0),
    true,
  );
}

/** The values of a figure of the last night, by source. */
function figuresOf(name: string): (readonly [string, number])[] {
  const text = readFileSync(join(data, "metrics/cattle_fetch.prom"), "utf8");
  const lines = text.matchAll(new RegExp(`^cattle_fetch_${name}\\{source="([^"]+)"\\} (\\S+)$`, "gm"));
  return [...lines].map(([, id, value]) => [id!, Number(value)] as const);
}

/** Runs a night until a layer has been asked for so many pages, kills it, and returns how many requests it had sent. */
async function killedNight(day: string, [id, pages]: readonly [string, number]): Promise<number> {
  const child = operator.startNight(day, 2);
  const path = pathOf(layers.get(id)!.entry.url!);
  const looking = setInterval(() => {
    if (server.of(`${path}/query`).length >= pages) child.kill("SIGKILL");
  }, 5);
  const {code} = await ended(child);
  clearInterval(looking);
  check("the night was killed", code, null);
  const {length} = server.seen;
  check("no host was asked faster than once a second", operator.tooSoon(server.seen), []);
  server.forget();
  return length;
}

/** No row of a state that is whole is lost or doubled: it has as many as its layer and its files. */
function checkRows(): void {
  const {states} = manifest();
  for (const {entry, habits} of layers.values()) {
    const {state} = entry.coverage;
    if (states[state]?.coverage === "live")
      check(`rows of ${state}`, states[state].rows, habits.rows + (state === "MB" ? winnipegRows : 0));
  }
}

/** Ten days without a night, then one without a key: what the archive has came, and a layer that lost two thirds of its rows is held back. */
async function nightAfterTenDays(day: string): Promise<void> {
  const utah = layers.get("us-ut-statewide") as LayerAtWork;
  const {rows} = utah.habits;
  const before = manifest().states["UT"]!;
  utah.habits = {...utah.habits, rows: Math.round(rows / 3), lastEdit: () => Date.parse(`${day}T00:00:00Z`)};
  server.forget();
  market.today = addDays(day, -1);
  process.stdout.write(`\n== the night after ten days off, ${day}\n`);
  const {out} = await ended(operator.startNight(day, 1));
  process.stdout.write(out);
  check(
    "Utah, which shrank, is held back, and its rows serve on",
    manifest().states["UT"]!.rows,
    before.rows,
  );
  const folder = join(data, "raw/market/ams-text");
  const stored = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  for (const {barn, days} of textBarns(market)) {
    const missing = days.filter(
      (edition) => edition >= addDays(firstDay, -7) && edition < market.today,
    ).length;
    check(
      `editions of report ${barn.slug} are here`,
      stored.filter((name) => name.includes(String(barn.slug))).length >= missing,
      true,
    );
  }
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(data, "current/manifest.json"), "utf8")) as Manifest;
}

function liveAreas(): string[] {
  const {states} = manifest();
  return promised.filter((state) => states[state]?.coverage === "live");
}

function answerTimes(): Record<string, number> {
  const times = [...layers.values()].map(
    ({entry, seconds}) => [entry.url!.replace("https://", ""), seconds] as const,
  );
  return Object.fromEntries(times);
}

function check(what: string, came: unknown, expected: unknown): void {
  if (JSON.stringify(came) !== JSON.stringify(expected))
    throw new Error(
      `${what}: came ${JSON.stringify(came)}, expected ${JSON.stringify(expected)}. Kept: ${dir}`,
    );
  process.stdout.write(`ok  ${what}\n`);
}

await main();
await internet[Symbol.asyncDispose]();
rmSync(dir, {recursive: true, force: true});
