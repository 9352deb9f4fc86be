import {afterEach, beforeEach, describe, expect, test} from "vitest";
import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import {printPdf} from "../pipeline/market/print-pdf.ts";
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

describe("after ten days without a night", () => {
  const days = ["2026-12-14", "2026-12-10", "2026-12-07", "2026-12-03", "2026-11-30", "2026-11-12"];
  const stem = (day: string) => `ams_99003_${day.replaceAll("-", "")}`;
  const documentOf = (day: string) => printPdf(`Nowhere Livestock of ${day}`);

  /** The archive as the publisher shows it: a table of links, two editions a page, newest first. */
  const playArchive = () => {
    server.on("/filerepo/reports", ({query}, reply) => {
      const page = Number(query.get("page") ?? 0);
      const rows = days.slice(page * 2, page * 2 + 2).map((day) => {
        const href = `/filerepo/sites/default/files/99003/${day}/12345/${stem(day)}.pdf`;
        return `<tr><td>99003</td><td>${day}</td><td><a href="${href}">view report</a></td></tr>`;
      });
      const next = `<a href="?field_slug_id_value=99003&amp;page=${page + 1}" rel="next">Next</a>`;
      void reply.end(`<!DOCTYPE html><html><table>${rows.join("")}</table>${next}</html>`);
    });
    server.on("/filerepo/sites", async ({path}, reply) => {
      const day = days.find((each) => path.endsWith(`${stem(each)}.pdf`))!;
      void reply.end(await documentOf(day));
    });
  };
  const playList = (day: string) => {
    server.on(
      "/texts/listPublishedReports",
      said(withTotal([`99003  ams_99003 PDF  ${day} 12:00:00  Nowhere Livestock`])),
    );
    server.on("/mnreports", async (_, reply) => void reply.end(await documentOf(day)));
  };
  const editions = (rawDir: string) =>
    filesIn(`${rawDir}/market/ams-text`).filter((name) => /^ams_[^.]*\.pdf$/.test(name));

  test("no edition of the archive is missing, none comes twice, and the archive is asked once", async () => {
    const rawDir = temporaryFolder();
    playArchive();
    playList("2026-12-03");
    await night(texts, {rawDir, now: evening("2026-12-04")});
    expect(server.of("/filerepo")).toEqual([]);
    playList("2026-12-14");
    const [outcome] = await night(texts, {rawDir, now: evening("2026-12-15")});
    expect(outcome).toMatchObject({status: "new", reason: null, losses: []});
    expect(
      editions(rawDir)
        .map((name) => name.replace(/_\d{8}T\d{6}Z\.pdf$/, ""))
        .sort(),
    ).toEqual([...["ams_99003", "ams_99003"], ...["2026-11-30", "2026-12-07", "2026-12-10"].map(stem)]);
    server.forget();
    await night(texts, {rawDir, now: evening("2026-12-16")});
    expect(server.of("/filerepo")).toEqual([]);
  });

  test("an archive that refuses costs these editions alone, and is asked again the next night", async () => {
    const rawDir = temporaryFolder();
    playList("2026-12-03");
    await night(texts, {rawDir, now: evening("2026-12-04")});
    server.on("/filerepo/reports", said("", 403));
    playList("2026-12-14");
    const [outcome] = await night(texts, {rawDir, now: evening("2026-12-15")});
    expect(outcome).toMatchObject({
      ...{status: "new", reason: null, files: 1},
      losses: [expect.stringMatching(/^editions since 2026-12-04 are missing, .*status 403$/)],
    });
    playArchive();
    await night(texts, {rawDir, now: evening("2026-12-16")});
    expect(editions(rawDir)).toHaveLength(5);
  });
});

test("after more days than the list has, editions of reports that it does not name come from the archive", async () => {
  const rawDir = temporaryFolder();
  const publish = (day: string, slugs: readonly string[]) => {
    const lines = slugs.map((slug) => `${slug}  ams_${slug} TXT  ${day} 12:00:00  Nowhere Livestock`);
    server.on("/texts/listPublishedReports", said(withTotal(lines)));
    server.on("/mnreports", ({path}, reply) => void reply.end(`${path} of ${day}`));
  };
  const files = "/filerepo/sites/default/files";
  // 1280 is known to have cattle, and was never listed; 99431 is here, and known by its title alone.
  const archive = [
    [`${files}/99430/2026-10-20/1/a.txt`, `${files}/99430/2026-10-13/1/gone.txt`],
    [`${files}/1280/2026-10-11/1/a.txt`],
    [`${files}/99431/2026-10-10/1/a.txt`],
  ].flat();
  server.on("/filerepo/reports", ({query}, reply) => {
    const slug = query.get("field_slug_id_value")!;
    const links = archive
      .filter((path) => path.includes(`/${slug}/`))
      .map((path) => `<a href="${path}">x</a>`);
    if (slug === "1281") return void reply.writeHead(404).end();
    return void reply.end(`<table>${links.join("")}</table>`);
  });
  server.on(
    files,
    ({path}, reply) => void reply.writeHead(path.endsWith("gone.txt") ? 404 : 200).end(`edition ${path}`),
  );
  const editions = () =>
    filesIn(`${rawDir}/market/ams-text`).flatMap((name) => /^(ams_\d+_a)_[^.]*\.txt$/.exec(name)?.[1] ?? []);
  publish("2026-09-30", ["99430", "99431"]);
  await night(texts, {rawDir, now: evening("2026-10-01")});
  publish("2026-10-30", ["99430"]);
  const [outcome] = await night(texts, {rawDir, now: evening("2026-11-01")});
  expect(outcome).toMatchObject({status: "new", reason: null, losses: []});
  expect(editions()).toEqual(["ams_1280_a", "ams_99430_a", "ams_99431_a"]);
  expect(outcome!.notes.join("\n")).toMatch(/2026-10-01: the archive is asked for [2-9]\d\d more reports/);
  expect(outcome!.notes).toContain("absent: ams_99430_gone (named by the archive)");
  server.forget();
  await night(texts, {rawDir, now: evening("2026-11-02")});
  expect(server.of("/filerepo")).toEqual([]);
});
