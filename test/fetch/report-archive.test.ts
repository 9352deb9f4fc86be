import {expect, test} from "vitest";
import {PoliteClient} from "../../pipeline/fetch/client/polite-client.ts";
import type {Job} from "../../pipeline/fetch/jobs/job.ts";
import {editionsSince} from "../../pipeline/fetch/jobs/report-archive.ts";
import {RunBudget} from "../../pipeline/fetch/jobs/run-budget.ts";
import {SnapshotFolder} from "../../pipeline/fetch/snapshots/snapshot-folder.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {fileSource} from "./fetched.ts";
import {ReplayServer} from "./replay-server.ts";

/** The editions that are read from a page of the archive of report 1889. */
async function editionsOf(page: string) {
  await using server = await ReplayServer.start();
  await using client = new PoliteClient({userAgent: "test"});
  server.on("/archive", (_, reply) => void reply.end(page));
  const dir = temporaryFolder();
  const {signal} = new AbortController();
  const job: Job = {
    ...{
      source: fileSource(`${server.origin}/archive`),
      client,
      key: null,
      now: () => new Date(),
      requests: 0,
    },
    folder: await SnapshotFolder.open(dir, new Date()),
    budget: new RunBudget({signal, fileBytes: 2 ** 30, runBytes: 2 ** 40, dir}),
    say: () => undefined,
  };
  const editions = await editionsSince(job, {
    ...{address: `${server.origin}/archive?slug={slug}`, slug: "1889", since: "2026-11-01"},
  });
  return editions.map(({name, date, url}) => `${date} ${name} ${new URL(url).pathname}`);
}

const link = (file: string, path = "/sites/files/1889/2026-11-20/5") =>
  `<a href="${path}/${file}">report</a>`;

test.each([
  ["report.pdf", "ams_1889_report"],
  ["ams_1889_00123.TXT", "ams_1889_00123"],
  ["Report%20of%20Friday.pdf", "ams_1889_Report-of-Friday"],
  ["rapport%E9.pdf", null],
  ["report", null],
  [`${"r".repeat(300)}.pdf`, null],
])("of the archive's link %s the edition is %s, beside a good one", async (file, name) => {
  const good = link("good.pdf", "/files/1889/2026-11-13/4");
  const others = link("other.pdf", "/files/1890/2026-11-20/5") + link("2026-11-20.pdf", "/files/1889");
  expect(await editionsOf(link(file) + others + good)).toEqual([
    "2026-11-13 ams_1889_good /files/1889/2026-11-13/4/good.pdf",
    ...(name === null ? [] : [`2026-11-20 ${name} /sites/files/1889/2026-11-20/5/${file}`]),
  ]);
});

test("an edition of the first day is taken, and none of the day before", async () => {
  const first = link("first.pdf", "/files/1889/2026-11-01/2");
  const before = link("before.pdf", "/files/1889/2026-10-31/1");
  expect(await editionsOf(first + before)).toEqual([
    "2026-11-01 ams_1889_first /files/1889/2026-11-01/2/first.pdf",
  ]);
});

test.each([
  ["tags without an end", "<a href='x' "],
  ["tags without an end, of many attributes", "<a href = 'x' href"],
  ["one path of quotes and points", "<a href='/files/1889/2026-11-20/a."],
  ["one path of folders", "/files/1889/2026-11-20"],
])("a page of %s takes time by its length alone", async (_, piece) => {
  const pumped = piece.repeat(20_000);
  const started = performance.now();
  const editions = await editionsOf(`<a href="${pumped}.pdf">${pumped}</a>${pumped}`);
  expect(editions.length).toBeLessThanOrEqual(1);
  expect(performance.now() - started).toBeLessThan(10_000);
});
