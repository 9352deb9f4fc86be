import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {listRawFiles, newestSets} from "../../pipeline/raw/raw-files.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {fileSource, filesIn, night, quickRate} from "./fetched.ts";
import {playedSources} from "./played-sources.ts";
import {file, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const wrongNight = new Date("2028-01-01T05:30:00Z");
const firstNight = new Date("2026-11-28T05:30:00Z");
const secondNight = new Date("2026-12-05T05:30:00Z");

/** A county whose layer this server plays. */
const layerSource = () =>
  sourceOfParcels(
    CadastreSource.parse({
      ...{id: "us-az-test", name: "Test", authority: "county", licence: "invented", rate: quickRate},
      coverage: {country: "US", state: "AZ", counties: ["04003"]},
      terms: {store: true, bulk: true},
      cadastre: {
        url: `${server.origin}/arcgis/rest/services/Parcels/FeatureServer/0`,
        idField: "PARCEL_ID",
      },
    }),
  )!;

/** The files that a build reads, oldest first, with their times; `?` marks an assumed one. */
async function readFiles(rawDir: string): Promise<string[]> {
  const {current} = newestSets(await listRawFiles(rawDir));
  return current
    .map(
      ({path, retrievedAt, retrievedAtFrom}) =>
        `${retrievedAt}${retrievedAtFrom === "assumed" ? "?" : ""} ${path}`,
    )
    .sort();
}

describe("a file that a night with a wrong clock stored", () => {
  const stored = "market/dealers/list_20280101T053000Z.csv";
  const serve = (text: string) =>
    server.on(
      "/list.csv",
      file(() => Buffer.from(text)),
    );

  const storedInWrongNight = async () => {
    const rawDir = temporaryFolder();
    const source = fileSource(`${server.origin}/list.csv`);
    serve("name\nA\n");
    await night([source], {rawDir, now: wrongNight});
    return {rawDir, source};
  };

  test("has the time of the first night that finds it current, which asks no more for it than for any other", async () => {
    const {rawDir, source} = await storedInWrongNight();
    server.forget();
    expect((await night([source], {rawDir, now: firstNight}))[0]).toMatchObject({status: "unchanged"});
    expect(server.seen.map(({status}) => status)).toEqual([304]);
    expect(await readFiles(rawDir)).toEqual([`2026-11-28T05:30:00Z ${stored}`]);
    serve("name\nB\n");
    await night([source], {rawDir, now: secondNight});
    await night([source], {rawDir, now: new Date("2026-12-06T05:30:00Z")});
    expect(await readFiles(rawDir)).toEqual([
      `2026-11-28T05:30:00Z ${stored}`,
      "2026-12-05T05:30:00Z market/dealers/list_20261205T053000Z.csv",
    ]);
  });

  test("keeps the time of the right night that replaced it when the date of its name comes", async () => {
    const {rawDir, source} = await storedInWrongNight();
    serve("name\nB\n");
    await night([source], {rawDir, now: firstNight});
    serve("name\nC\n");
    await night([source], {rawDir, now: secondNight});
    await night([source], {rawDir, now: new Date("2028-01-08T05:30:00Z")});
    expect((await readFiles(rawDir))[0]).toBe(`2026-11-28T05:29:59Z? ${stored}`);
  });

  test("is older than what the next night brings, and its time is assumed", async () => {
    const {rawDir, source} = await storedInWrongNight();
    serve("name\nB\n");
    await night([source], {rawDir, now: firstNight});
    expect((await night([source], {rawDir, now: secondNight}))[0]).toMatchObject({status: "unchanged"});
    expect(await readFiles(rawDir)).toEqual([
      `2026-11-28T05:29:59Z? ${stored}`,
      "2026-11-28T05:30:00Z market/dealers/list_20261128T053000Z.csv",
    ]);
  });
});

describe("what right nights stored, after a night whose clock was behind", () => {
  const pullPath = "/arcgis/rest/services/Parcels/FeatureServer/0";
  const allTimes = (rawDir: string) =>
    filesIn(rawDir)
      .filter((name) => /\/(list_\d+T\d+Z\.csv\.meta|pull)\.json$/.test(name))
      .map((name) => {
        const record = JSON.parse(readFileSync(join(rawDir, name), "utf8")) as Record<string, unknown>;
        const {retrieved_at, started_at, finished_at, assumed} = record;
        return [
          name.replace(/.*[_-](\d{8}T\d{6}Z).*/, "$1"),
          retrieved_at ?? started_at,
          finished_at,
          assumed,
        ];
      });
  const rightTimes = [
    ["20261121T053000Z", "2026-11-21T05:30:00Z", undefined, undefined],
    ["20261128T053000Z", "2026-11-28T05:30:00Z", undefined, undefined],
    ["20261121T053000Z", "2026-11-21T05:30:00Z", "2026-11-21T05:30:00Z", undefined],
    ["20261128T053000Z", "2026-11-28T05:30:00Z", "2026-11-28T05:30:00Z", undefined],
  ];
  const twoRightNights = async () => {
    const rawDir = temporaryFolder();
    const sources = [fileSource(`${server.origin}/list.csv`), layerSource()];
    const serve = (edition: number) => {
      const text = `name\n${edition}\n`;
      server.on(
        "/list.csv",
        file(() => Buffer.from(text)),
      );
      const facts = {rows: 300, maxRecordCount: 200, lastEdit: () => Date.UTC(2026, 9, edition)};
      server.on(pullPath, layer({...facts, change: (row) => ({...row, LAND_VALUE: edition})}));
    };
    for (const [i, now] of [new Date("2026-11-21T05:30:00Z"), firstNight].entries()) {
      serve(i + 1);
      await night(sources, {rawDir, now});
    }
    expect(allTimes(rawDir)).toEqual(rightTimes);
    return {rawDir, sources, serve};
  };

  test("has its times, because a clock that is older than the program is refused before anything is written", async () => {
    const {rawDir, sources, serve} = await twoRightNights();
    const bytes = () => filesIn(rawDir).map((name) => [name, readFileSync(join(rawDir, name), "utf8")]);
    const before = bytes();
    server.forget();
    for (const edition of [2, 3]) {
      serve(edition);
      await expect(night(sources, {rawDir, now: new Date("2020-01-01T00:10:00Z")})).rejects.toThrow(
        "The clock says 2020-01-01, which is before this program was written: set it.",
      );
    }
    expect([bytes(), server.seen]).toEqual([before, []]);
    serve(2);
    await night(sources, {rawDir, now: secondNight});
    expect(allTimes(rawDir)).toEqual(rightTimes);
  });

  test.each<[string, number[]]>([
    ["found it current", [2, 2]],
    ["brought another", [3, 3]],
    ["brought two", [3, 4]],
  ])("which %s, has its times again from the next right night on", async (_, editions) => {
    const {rawDir, sources, serve} = await twoRightNights();
    for (const [i, edition] of editions.entries()) {
      serve(edition);
      await night(sources, {rawDir, now: new Date(`2026-06-0${i + 1}T05:30:00Z`), areNamed: true});
    }
    expect(allTimes(rawDir)).not.toEqual(expect.arrayContaining(rightTimes));
    serve(5);
    const outcomes = await night(sources, {rawDir, now: secondNight, areNamed: true});
    expect(outcomes.map(({status}) => status)).toEqual(["new", "new"]);
    expect(allTimes(rawDir)).toEqual(expect.arrayContaining(rightTimes));
    const built = await readFiles(rawDir);
    expect(built.filter((line) => line.includes("?"))).toEqual([]);
    expect(built.filter((line) => line.includes("parcels/"))).toEqual([
      expect.stringMatching(/^2026-12-05T05:30:00Z .*pull-20261205T053000Z\/page-000001/),
      expect.stringMatching(/^2026-12-05T05:30:00Z .*pull-20261205T053000Z\/page-000002/),
    ]);
  });
});

test("a printed report that a night with a wrong clock stored or verified is due, and the archive is asked for what was missed", async () => {
  const texts = playedSources(server.origin, "ams-text");
  const publish = (day: string) => {
    const line = `99430  ams_99430 TXT  ${day} 15:00:00  ${day}  ${day}  Nowhere Cattle`;
    server.on("/texts/listPublishedReports", (_, reply) => void reply.end(`${line}\nTotal: 1 reports`));
    server.on("/texts/listCorrectedReports", (_, reply) => void reply.end("Total: 0 reports"));
    server.on("/mnreports", (_, reply) => void reply.end(`Nowhere Cattle of ${day}`));
  };
  server.on("/filerepo/reports", (_, reply) => void reply.end("<table></table>"));
  for (const nights of [[wrongNight], [new Date("2026-11-21T05:30:00Z"), wrongNight]]) {
    const rawDir = temporaryFolder();
    publish("2026-11-20");
    for (const now of nights) await night(texts, {rawDir, now});
    publish("2026-11-27");
    server.forget();
    expect((await night(texts, {rawDir, now: firstNight}))[0]).toMatchObject({status: "new", files: 1});
    expect(server.of("/filerepo/reports")).toHaveLength(1);
    server.forget();
    await night(texts, {rawDir, now: new Date("2026-11-29T05:30:00Z")});
    expect([...server.of("/filerepo"), ...server.of("/mnreports")]).toEqual([]);
    const bodies = filesIn(`${rawDir}/market/ams-text`).filter((name) => /^ams_.*txt$/.test(name));
    expect(bodies.map((name) => readFileSync(join(rawDir, "market/ams-text", name), "utf8")).sort()).toEqual([
      "Nowhere Cattle of 2026-11-20",
      "Nowhere Cattle of 2026-11-27",
    ]);
  }
});

describe("a pull that a night with a wrong clock made", () => {
  const serve = (habits: Partial<LayerHabits>) =>
    server.on(
      "/arcgis/rest/services/Parcels/FeatureServer/0",
      layer({rows: 300, maxRecordCount: 200, lastEdit: () => Date.UTC(2026, 9, 1), ...habits}),
    );
  const pagesOf = async (rawDir: string) =>
    (await readFiles(rawDir)).filter((line) => line.includes("page-000001"));

  test("has the time of the night that finds the layer unchanged", async () => {
    const rawDir = temporaryFolder();
    serve({});
    await night([layerSource()], {rawDir, now: wrongNight});
    expect((await night([layerSource()], {rawDir, now: firstNight}))[0]).toMatchObject({status: "unchanged"});
    expect(await pagesOf(rawDir)).toEqual([
      expect.stringMatching(/^2026-11-28T05:30:00Z parcels\/us-az-test\/pull-20280101T053000Z\//),
    ]);
  });

  test("is replaced by the pull of an edited layer, also for the nights after it", async () => {
    const rawDir = temporaryFolder();
    serve({});
    await night([layerSource()], {rawDir, now: wrongNight});
    serve({lastEdit: () => Date.UTC(2026, 10, 5), change: (row) => ({...row, LAND_VALUE: 1})});
    expect((await night([layerSource()], {rawDir, now: firstNight}))[0]).toMatchObject({status: "new"});
    expect((await night([layerSource()], {rawDir, now: secondNight}))[0]).toMatchObject({
      status: "unchanged",
    });
    expect(await pagesOf(rawDir)).toEqual([expect.stringMatching(/pull-20261128T053000Z\//)]);
  });

  test("begins anew where it was left half done, because what was edited since is unknown", async () => {
    const rawDir = temporaryFolder();
    const stop = new AbortController();
    const whole = layer({rows: 300, maxRecordCount: 20, lastEdit: () => Date.UTC(2026, 9, 1)});
    server.on("/arcgis/rest/services/Parcels/FeatureServer/0", (request, reply) => {
      if (server.seen.length === 12) stop.abort();
      return whole(request, reply);
    });
    await night([layerSource()], {rawDir, now: wrongNight, signal: stop.signal});
    await night([layerSource()], {rawDir, now: firstNight});
    expect(filesIn(rawDir).filter((name) => name.endsWith("pull.json"))).toEqual([
      "parcels/us-az-test/pull-20261128T053000Z/pull.json",
    ]);
  });
});
