import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeAll, expect, test} from "vitest";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {stateTablePath} from "../../lib/storage/build-layout.ts";
import {buildFolder} from "../../lib/storage/data-folder.ts";
import {cleanText} from "../../lib/text/clean-text.ts";
import {build} from "../../pipeline/publish/build.ts";
import {terminalText} from "../../server/commands/terminal-text.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {openGeneration} from "../../server/generation/open-generation.ts";
import {answerDirectly} from "../../server/http/direct-answer.ts";
import {answerTool} from "../../server/mcp/mcp-server.ts";
import {tools} from "../../server/mcp/tool-table.ts";
import {endpoints} from "../../server/routes/routes.ts";
import {describeAnswer} from "../../server/text/describe-answer.ts";
import {everyParcel} from "../crash/known-county.ts";
import {sizeOf} from "../crash/table.ts";
import {deltaWorkshop, settingsOf} from "../delta/delta-workshop.ts";
import {countyAsker, inventedRows, layerEntry} from "../server/cadastre/county-fixture.ts";
import {startFakeArcgis} from "../server/cadastre/fake-arcgis.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {randomOf} from "./hostile-files.ts";
import {row} from "./parcels/invented-source.ts";

// Random texts with control, bidi and zero-width characters, from a file and from a county, through everything that shows them.
const seed = Number(process.env["SEED"] ?? 51);
const count = sizeOf("TEXTS", {push: 1_000, long: 10_000});
/** Characters that act on a screen or hide there, by their Unicode properties and not by our list. */
const acts = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b-\u200d\u2060-\u2064\ufeff]/u;
const actsOnScreen = (text: string) => acts.test(text.replaceAll(/[\t\n]/g, ""));

/** A name with characters that act within it: letters stand around them, so that each text is an owner's. */
function randomText(random: () => number): string {
  const pick = (): number => {
    const kind = random();
    if (kind < 0.25) return Math.floor(random() * 0xa0);
    if (kind < 0.5) return 0x2000 + Math.floor(random() * 0x70);
    if (kind < 0.6) return [0xfeff, 0x61c, 0xa0, 0x1b, 0x07][Math.floor(random() * 5)]!;
    return 0x41 + Math.floor(random() * 26);
  };
  const inner = String.fromCharCode(...Array.from({length: 1 + Math.floor(random() * 12)}, pick));
  // A line of a cell is an owner of its own.
  return `HARLOW ${inner.replaceAll(/[\r\n]/g, "\t")}DALE`;
}

const random = randomOf(seed);
const texts = Array.from({length: count}, () => randomText(random));
const ofCounty = sizeOf("COUNTYTEXTS", {push: 20, long: 10_000});
const numberOf = (at: number) => `${1000 + at}-A`;
let dir: string;
let generation: Generation;
const settings = settingsOf({root: "unused"} as Parameters<typeof settingsOf>[0]);
const ask = (path: string, values: Readonly<Record<string, string>>) =>
  answerDirectly(endpoints.find((each) => each.path === path)!, values, {generation, settings});

beforeAll(async () => {
  const shop = deltaWorkshop(temporaryFolder(), everyParcel());
  const folder = join(shop.root, "raw/parcels/us-tx-invented");
  mkdirSync(folder, {recursive: true});
  const name = "roll\u001b]0;x\u0007\u202e.json";
  writeFileSync(
    join(folder, name),
    JSON.stringify(texts.map((OWNER, at) => row(numberOf(at), {OWNER, SITUS: `${100 + at} OAK ST`}))),
  );
  writeFileSync(join(folder, `${name}.meta.json`), JSON.stringify({retrieved_at: "2026-11-01T00:00:00Z"}));
  const {buildId} = await build(shop.options());
  dir = buildFolder(shop.data, buildId);
  generation = await openGeneration(dir, {openState: openStateArtifacts, depth: "sizes"});
}, 300_000);

test(`S14: ${count} texts of a file are kept clean, alike in Parquet and JSON, and none acts where it is shown`, async () => {
  using db = await openDatabase();
  const rows = await db.rows<{id: string; owner: string; name: string}>(
    `SELECT parcel_id AS id, owner_raw AS owner, owner_name AS name FROM ${parquetRelation([join(dir, stateTablePath("parcels", "TX"))])}`,
  );
  const kept = new Map(rows.map((each) => [each.id, each]));
  expect(kept.size).toBe(count);
  const [lookup, tool] = ["parcel-id-lookup", tools.find(({name}) => name === "parcel_by_number")!];
  for (const [at, text] of texts.entries()) {
    const {owner, name} = kept.get(numberOf(at))!;
    expect([seed, text, owner]).toEqual([seed, text, cleanText(text)]);
    expect([seed, text, actsOnScreen(owner)]).toEqual([seed, text, false]);
    const values = {state: "TX", county: "Travis", parcelId: numberOf(at)};
    const path = `/public/land-agent/property/${lookup}`;
    const answer = await ask(path, values);
    const {property} = JSON.parse(answer.body) as {property: {ownerName: string}};
    expect([seed, text, property.ownerName]).toEqual([seed, text, name]);
    const shown = [
      terminalText(describeAnswer(path, answer), 120),
      JSON.stringify((await answerTool(tool, values, ask)).content).replaceAll("\\n", "\n"),
    ];
    expect([seed, text, shown.map(actsOnScreen)]).toEqual([seed, text, [false, false]]);
  }
}, 300_000);

test("S14: the report shows the name of such a file as symbols", () => {
  const report = readFileSync(join(dir, "report.html"), "utf8");
  expect(report).toContain("roll␛]0;x␇");
  expect(actsOnScreen(report)).toBe(false);
});

test(
  `S14: ${ofCounty} texts of a county are kept as those of a file, and its own stay in the discovery`,
  async () => {
    const fake = await startFakeArcgis(inventedRows());
    const {ask: askCounty, store, close} = countyAsker([layerEntry(fake.url)]);
    const [base] = inventedRows();
    for (const [at, text] of texts.slice(0, ofCounty).entries()) {
      const APN = `T-${at}`;
      fake.rows = [{...base!, attributes: {...base!.attributes, APN, LEGAL_DESC: text}}];
      const {json} = await askCounty("parcel", {state: "TX", county: "Brazos", parcelId: APN});
      expect([seed, text, json.property.legalDesc]).toEqual([seed, text, cleanText(text)]);
      expect(store.discoveries.at(-1)!.upsert.raw).toMatchObject({
        LEGAL_DESC: text.toWellFormed().normalize("NFC"),
      });
    }
    await close();
    await fake.close();
  },
  60_000 + 500 * ofCounty,
);
