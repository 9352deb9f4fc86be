import {afterEach, beforeEach, describe, expect, test} from "vitest";
import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {filesIn, night} from "./fetched.ts";
import {evening, playPrintedReports, said, withTotal} from "./printed-reports.ts";
import type {ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
let texts: FetchSource[];
beforeEach(async () => {
  ({server, texts} = await playPrintedReports());
});
afterEach(() => server.stop());

test.each([
  ["a status 503", said("", 503)],
  ["a page", said("<html>maintenance</html>")],
  ["something else", said("busy")],
])(
  "without the list of corrections, here %s, every published report comes, and one line says so",
  async (_, answer) => {
    server.on("/texts/listCorrectedReports", answer);
    const retries = {retries: 1, firstPauseMs: 1};
    const [outcome] = await night(texts, {rawDir: temporaryFolder(), now: evening("2026-11-20"), retries});
    expect(outcome).toMatchObject({
      ...{status: "new", reason: null, files: 3},
      losses: [expect.stringMatching(/^corrections unknown since the first night: .*listCorrectedReports/)],
    });
  },
);

test("an index of which lines cannot be read is partial, what could be read comes, and a gap stays", async () => {
  const index = [
    "Published Reports",
    "99003 2026-11-19 15:45:31 MST 1795128331000 2026-11-19 2026-11-19 https://example.org/elsewhere Nowhere Livestock",
    "a line in a form of its own",
    "Total: 2 reports",
  ].join("\n");
  server.on(
    "/texts/listPublishedReports",
    said(index.replace("https://example.org/elsewhere", `${server.origin}/mnreports/ams_99003.pdf`)),
  );
  const rawDir = temporaryFolder();
  const [outcome] = await night(texts, {rawDir, now: evening("2026-11-20")});
  expect(outcome).toMatchObject({
    ...{status: "partial", files: 1},
    reason: "the list of reports says 2 reports, of which 1 could be read",
  });
  expect(filesIn(`${rawDir}/market/ams-text`)).not.toContain(".editions.json");
});

test("an index that was cut is partial wherever it ends, what it names comes, and a gap stays", async () => {
  const line = (n: number) =>
    `9943${n}  ams_9943${n} TXT  2026-11-19 12:00:00  2026-11-19  2026-11-19  Nowhere Cattle ${n}`;
  server.on("/mnreports", said("Nowhere Livestock Auction"));
  for (const end of ["", "\n99431  ams_99431 TXT  2026-11-19 12:0"]) {
    server.on("/texts/listPublishedReports", said(line(0) + end));
    const rawDir = temporaryFolder();
    const [outcome] = await night(texts, {rawDir, now: evening("2026-11-20")});
    expect(outcome).toMatchObject({
      ...{status: "partial", files: 1},
      reason: expect.stringMatching(/^the list of reports ends without its total, after [12] reports?: /),
    });
    expect(filesIn(`${rawDir}/market/ams-text`)).not.toContain(".editions.json");
  }
});

test("a list of corrections that was cut is told as a loss", async () => {
  server.on("/texts/listCorrectedReports", said("Corrected Reports\n\nSlug ID  Slug Name\n"));
  const [outcome] = await night(texts, {rawDir: temporaryFolder(), now: evening("2026-11-20")});
  expect(outcome).toMatchObject({
    status: "new",
    losses: [expect.stringMatching(/^corrections may be missing: .*ends without its total/)],
  });
});

test("a new edition comes in the first night in which it is listed, while the list of corrections still names the one before", async () => {
  const rawDir = temporaryFolder();
  const line = (day: string) => `99430  ams_99430 TXT  ${day} 15:00:00  ${day}  ${day}  Nowhere Cattle`;
  const publish = (published: string, corrected: readonly string[]) => {
    server.on("/texts/listPublishedReports", said(withTotal([line(published)])));
    server.on("/texts/listCorrectedReports", said(withTotal(corrected.map(line))));
    server.on("/mnreports", said(`Nowhere Cattle of ${published}, ${corrected.length} corrections`));
  };
  publish("2026-11-20", []);
  await night(texts, {rawDir, now: evening("2026-11-21")});
  publish("2026-11-20", ["2026-11-24"]);
  const [corrected] = await night(texts, {rawDir, now: evening("2026-11-25")});
  expect(corrected).toMatchObject({status: "new", files: 1});
  publish("2026-11-27", ["2026-11-24"]);
  const [next] = await night(texts, {rawDir, now: evening("2026-11-28")});
  expect(next).toMatchObject({status: "new", files: 1});
});

const empty = [
  ["an empty index", "Published Reports\n\nSlug ID  Slug Name\n\nTotal: 0 reports"],
  ["an empty list in JSON", "[]"],
  ["empty results", '{"results":[]}'],
  ["words", "There are no reports available: system maintenance"],
  ["a 304 for a list that was never here", null],
] as const;
test.each(empty)(
  "in place of the list of published reports, %s is no night without news",
  async (_, body) => {
    const answer = body === null ? said("", 304) : said(body);
    server.on("/texts/listPublishedReports", answer);
    server.on("/json-list", said(JSON.stringify([{id: 99003, reportTitle: "Nowhere Livestock Auction"}])));
    const [outcome] = await night(texts, {rawDir: temporaryFolder(), now: evening("2026-11-20")});
    expect(outcome).toMatchObject({status: "new", files: 1});
    server.on("/json-list", answer);
    const [lost] = await night(texts, {rawDir: temporaryFolder(), now: evening("2026-11-20")});
    expect(lost).toMatchObject({status: "failed", reason: expect.stringMatching(/reports|not here/)});
  },
);

describe("a document", () => {
  const list = (...documents: readonly string[]) =>
    withTotal(
      documents.map(
        (document, i) =>
          `9943${i}  ${document}  2026-11-19 12:00:00  2026-11-19  2026-11-19  Nowhere Cattle ${i}`,
      ),
    );

  test("is fetched as it is listed: text as text, another kind raw and named", async () => {
    server.on("/texts/listPublishedReports", said(list("NW_LS430  .TXT", "NW_LS431 RTF")));
    server.on("/mnreports/NW_LS430.txt", said("Nowhere Livestock Auction"));
    server.on("/mnreports/NW_LS431.rtf", said("{\\rtf1}"));
    const rawDir = temporaryFolder();
    const [outcome] = await night(texts, {rawDir, now: evening("2026-11-20")});
    expect(outcome).toMatchObject({status: "new", files: 2});
    expect(outcome!.notes).toContain("unread kind: ams_99431.rtf is stored, but no reader supports it");
    const bodies = filesIn(`${rawDir}/market/ams-text`).filter((name) =>
      /^ams_\d+_[^.]*\.(txt|rtf)$/.test(name),
    );
    expect(bodies.map((name) => name.replace(/_\d{8}T\d{6}Z/, ""))).toEqual([
      "ams_99430.txt",
      "ams_99431.rtf",
    ]);
  });

  test("that the server does not have is no failure, and is asked again only when the list names a newer one", async () => {
    const rawDir = temporaryFolder();
    server.on("/texts/listPublishedReports", said(list("ams_99430 PDF")));
    const [first] = await night(texts, {rawDir, now: evening("2026-11-20")});
    expect(first).toMatchObject({status: "unchanged", reason: null});
    expect(first!.notes).toContain("absent: 99430 Nowhere Cattle 0 (status 404)");
    server.forget();
    await night(texts, {rawDir, now: evening("2026-11-21")});
    expect(server.of("/mnreports")).toEqual([]);
    server.on("/texts/listPublishedReports", said(list("ams_99430 PDF").replace("12:00:00", "19:00:00")));
    await night(texts, {rawDir, now: evening("2026-11-22")});
    expect(server.of("/mnreports").map(({path}) => path)).toEqual(["/mnreports/ams_99430.pdf"]);
  });
});

test("documents that are all absent have moved: the night is not whole, and each is asked again", async () => {
  const rawDir = temporaryFolder();
  server.on("/mnreports", said("", 404));
  const [outcome] = await night(texts, {rawDir, now: evening("2026-11-20")});
  expect(outcome).toMatchObject({
    ...{status: "partial", files: 0},
    reason: expect.stringMatching(/^3 of 3 due documents answered 403, 404 or 410: .*correct the entry$/),
  });
  expect(filesIn(`${rawDir}/market/ams-text`)).not.toContain(".editions.json");
  server.forget();
  await night(texts, {rawDir, now: evening("2026-11-21")});
  expect(server.of("/mnreports")).toHaveLength(3);
});

test("documents that never were are absent, however many of those due they are", async () => {
  const rawDir = temporaryFolder();
  const list = (hour: string) =>
    withTotal(
      [...Array(7).keys()].map(
        (n) =>
          `9940${n}  ams_9940${n} TXT  2026-11-19 ${hour}:00:00  2026-11-19  2026-11-19  Nowhere Cattle ${n}`,
      ),
    );
  server.on(
    "/mnreports",
    ({path}, reply) => void reply.writeHead(/[012]\.txt$/.test(path) ? 404 : 200).end("Nowhere Cattle"),
  );
  server.on("/texts/listPublishedReports", said(list("12")));
  expect((await night(texts, {rawDir, now: evening("2026-11-20")}))[0]).toMatchObject({
    status: "new",
    files: 4,
  });
  const later = list("12").replaceAll(/(?<=9940[0-3] TXT {2}2026-11-19 )12/g, "19");
  server.on("/texts/listPublishedReports", said(later));
  const [outcome] = await night(texts, {rawDir, now: evening("2026-11-21")});
  expect(outcome).toMatchObject({status: "unchanged", reason: null});
  expect(outcome!.notes.filter((note) => note.startsWith("absent: "))).toHaveLength(3);
});

test("a host that forbids the index is told so, not as the list in JSON that it does not have either", async () => {
  server.on("/texts/listPublishedReports", said("", 403));
  server.on("/json-list", said("", 404));
  const [outcome] = await night(texts, {rawDir: temporaryFolder(), now: evening("2026-11-20")});
  expect(outcome).toMatchObject({status: "failed", fault: "status", files: 0});
  expect(outcome!.reason).toMatch(/listPublishedReports\/14: status 403; as JSON: .*status 404/);
});
