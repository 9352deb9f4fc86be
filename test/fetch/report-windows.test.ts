import {Readable} from "node:stream";
import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {addDays} from "../../lib/dates.ts";
import {FetchError} from "../../pipeline/fetch/client/fetch-error.ts";
import type {Question} from "../../pipeline/fetch/client/polite-client.ts";
import type {Job} from "../../pipeline/fetch/jobs/job.ts";
import {fetchReport, hasGaps} from "../../pipeline/fetch/jobs/report-windows.ts";
import {SnapshotFolder} from "../../pipeline/fetch/snapshots/snapshot-folder.ts";
import {temporaryFolder} from "../temporary-folder.ts";

/** Returns the body for a window of days, or throws as the client does. */
type Service = (window: {from: string; to: string}, asked: URL) => unknown;

const wholeAnswer: Service = () => ({results: []});

type Wishes = {
  today: string;
  historyDays?: number;
  service?: Service;
  isProbe?: boolean;
  needsDetails?: boolean;
  at?: string;
};

/** A folder into which a report is fetched night after night, from a service played by the test. */
async function reportFolder() {
  const dir = temporaryFolder();
  const asked: string[] = [];
  const jobAt = async (today: string, service: Service, isProbe = false): Promise<Job> =>
    ({
      source: {
        id: "mars",
        url: "https://reports.example/v1",
        hosts: new Set(["reports.example"]),
        timeoutMs: 60_000,
      },
      client: {
        async ask(question: Question, _manners: unknown, take: (reply: object) => Promise<unknown>) {
          const url = new URL(question.url);
          const [from, to] = /=(.*):(.*)$/
            .exec(url.searchParams.get("q")!)!
            .slice(1)
            .map((day) => day.replace(/(..)\/(..)\/(....)/, "$3-$1-$2")) as [string, string];
          asked.push(`${from} ${to}`);
          const body = JSON.stringify(service({from, to}, url));
          return take({status: 200, headers: {}, body: Readable.from([Buffer.from(body)])});
        },
      },
      folder: await SnapshotFolder.open(dir, new Date(`${today}T05:00:00Z`)),
      budget: {signal: new AbortController().signal, countBytes: () => undefined},
      ...{key: "k3y", isProbe, requests: 0, say: () => undefined},
      now: () => new Date(`${today}T05:00:00Z`),
    }) as unknown as Job;
  const report = {slug: "1234", name: "ams_1234", dateField: "report_begin_date"} as const;
  return {
    asked,
    async night({today, historyDays = 60, service = wholeAnswer, isProbe, needsDetails = false}: Wishes) {
      asked.length = 0;
      const gain = await fetchReport(await jobAt(today, service, isProbe), {
        ...report,
        historyDays,
        needsDetails,
      });
      return {asked: [...asked], partial: gain.partial};
    },
    gaps: async (today: string, historyDays = 60) =>
      hasGaps(await jobAt(today, wholeAnswer), {...report, historyDays}),
  };
}

const refused = (message: string) => new FetchError("status", message, {status: 400});
// A Wednesday: the weeks from two before to its own begin on Mondays.
const today = "2026-11-18";
const recent = "2026-11-02 2026-11-22";

describe("the windows of a report", () => {
  test("of days that were answered before their late rows came make no report due, and are asked with its next weeks", async () => {
    const folder = await reportFolder();
    await folder.night({today});
    // The Monday, from which on the last weeks begin behind days that were asked on the Wednesday.
    expect(await folder.gaps("2026-11-23")).toBe(false);
    expect((await folder.night({today: "2026-11-25"})).asked).toEqual(["2026-11-05 2026-11-29"]);
    expect(await folder.gaps("2026-11-30")).toBe(false);
    // Days that nobody asked for since are missing.
    expect(await folder.gaps("2026-12-14")).toBe(true);
  });

  test("are the history in pieces of 364 days and the last weeks as a whole; the next night only the weeks", async () => {
    const folder = await reportFolder();
    const first = ["2024-09-09 2025-09-07", "2025-09-08 2026-09-06", "2026-09-07 2026-11-01"];
    expect(await folder.gaps(today, 800)).toBe(true);
    expect(await folder.night({today, historyDays: 800})).toEqual({asked: [...first, recent], partial: null});
    expect(await folder.gaps(today, 800)).toBe(false);
    expect((await folder.night({today: "2026-11-22", historyDays: 800})).asked).toEqual([recent]);
    expect((await folder.night({today: "2026-11-23", historyDays: 800})).asked).toEqual([
      "2026-11-09 2026-11-29",
    ]);
    // After a month without a night, days that were fetched before their late reports came are due again.
    expect((await folder.night({today: "2027-01-06", historyDays: 800})).asked).toEqual([
      ...["2026-11-10 2026-12-20", "2026-12-21 2027-01-10"],
    ]);
  });

  test("are only the last weeks for a short history, and for a probe", async () => {
    expect((await (await reportFolder()).night({today, historyDays: 16})).asked).toEqual([recent]);
    expect((await (await reportFolder()).night({today, historyDays: 17})).asked).toEqual([
      "2026-11-01 2026-11-22",
    ]);
    expect((await (await reportFolder()).night({today, isProbe: true})).asked).toEqual([recent]);
  });

  test("are due again the next night if refused, and stop no others", async () => {
    const folder = await reportFolder();
    const old = "2026-09-19 2026-11-01";
    const service: Service = ({from}) => {
      if (from === "2026-09-19") throw refused("status 400 for k3y");
      return {results: []};
    };
    expect(await folder.night({today, service})).toEqual({
      asked: [old, recent],
      partial: "status 400 for k3y",
    });
    expect(await folder.gaps(today)).toBe(true);
    expect((await folder.night({today})).asked).toEqual([old, recent]);
    expect(await folder.gaps(today)).toBe(false);
  });

  test("that go unanswered stop no others, and are due again the next night", async () => {
    const folder = await reportFolder();
    const service: Service = ({to}) => {
      if (to < recent) throw new FetchError("status", "status 504", {status: 504});
      return {results: []};
    };
    const old = "2026-09-19 2026-11-01";
    expect(await folder.night({today, service})).toEqual({asked: [old, recent], partial: "status 504"});
    expect((await folder.night({today})).asked).toEqual([old, recent]);
  });

  test("are not halved by a service that does not heed the days", async () => {
    const folder = await reportFolder();
    const rows = {results: [{report_begin_date: "01/01/2020"}], stats: {returnedRows: 1, totalRows: 9}};
    const {asked, partial} = await folder.night({today, service: () => rows});
    expect(asked).toHaveLength(2);
    expect(partial).toMatch(/2020-01-01 is outside/);
  });

  test.each([
    ["a key that is refused", new FetchError("status", "no", {status: 401}), 1],
    ["rights that are missing", new FetchError("status", "no", {status: 403}), 1],
    ["a server that cannot be reached", new FetchError("connection", "no"), 2],
    ["a run that is over", new FetchError("limit", "no"), 1],
    ["a fault of the program", new Error("no"), 1],
  ])("are all due the next night if %s ended", async (_, fault, asked) => {
    const folder = await reportFolder();
    const failing = folder.night({
      today,
      service: () => {
        throw fault;
      },
    });
    await expect(failing).rejects.toBe(fault);
    expect(folder.asked).toHaveLength(asked);
    expect(await folder.gaps(today)).toBe(true);
    expect((await folder.night({today})).asked).toHaveLength(2);
  });

  test("are not trusted if a wrong clock dated their answers in the future", async () => {
    const folder = await reportFolder();
    await folder.night({today: "2027-11-18", historyDays: 430});
    expect((await folder.night({today})).asked).toEqual(["2026-09-19 2026-11-01", recent]);
  });

  test("are halved while rows are missing, down to a day, whose answer is kept and reported", async () => {
    const folder = await reportFolder();
    const service: Service = ({from, to}) => {
      const isLong = from <= "2026-11-04" && to >= "2026-11-04";
      return [
        {
          stats: isLong ? {"returnedRows:": 2, "totalRows:": 3} : {returnedRows: 3, totalRows: 3},
          results: [],
        },
      ];
    };
    expect(await folder.night({today, historyDays: 16, service})).toEqual({
      asked: [
        ...[recent, "2026-11-02 2026-11-12", "2026-11-02 2026-11-07", "2026-11-02 2026-11-04"],
        ...["2026-11-02 2026-11-03", "2026-11-04 2026-11-04"],
        ...["2026-11-05 2026-11-07", "2026-11-08 2026-11-12", "2026-11-13 2026-11-22"],
      ],
      partial: "reports.example/v1/reports/1234: 2 rows of 3 on one day",
    });
    expect(await folder.gaps(today, 16)).toBe(true);
  });

  test.each<[string, unknown, string | null, boolean?]>([
    ["a row of its days", {results: [{slug_id: 1234, report_begin_date: "11/02/2026 18:00"}]}, null],
    ["its last day", {results: [{slug_id: "1234", report_begin_date: "11/22/2026"}]}, null],
    ["rows without a date or a number", {results: [{report_begin_date: "soon"}, {}]}, null],
    ["another report", {results: [{slug_id: 99}]}, "expected report 1234, got 99"],
    [
      ...(["a day before", {results: [{report_begin_date: "11/01/2026"}]}] as const),
      "report_begin_date 2026-11-01 is outside 2026-11-02 to 2026-11-22",
    ],
    [
      ...([
        "a day after, in its second section",
        [{results: []}, {results: [{report_begin_date: "11/23/2026"}]}],
      ] as const),
      "report_begin_date 2026-11-23 is outside 2026-11-02 to 2026-11-22",
    ],
    ["no sections", {message: "no"}, "expected sections with results"],
    ["no section at all", [], "expected sections with results"],
    ["one section without rows", [{results: []}, {}], "expected sections with results"],
    ["a section of details", [{reportSection: "Report Details", results: []}], null, true],
    [
      ...(["no section of details", [{reportSection: "Report Header", results: []}, {results: []}]] as const),
      'expected a section of details, got only "Report Header", ""',
      true,
    ],
  ])("accept %s, or describe the answer", async (_, body, fault, needsDetails = false) => {
    const folder = await reportFolder();
    const {partial} = await folder.night({today, historyDays: 16, service: () => body, needsDetails});
    expect(partial).toBe(fault === null ? null : `reports.example/v1/reports/1234: ${fault}`);
  });

  test("are requested by the report's URL, its field and all sections", async () => {
    const folder = await reportFolder();
    let address = "";
    await folder.night({
      ...{today, historyDays: 16},
      service: (_, url) => {
        address = url.href;
        return {results: []};
      },
    });
    expect(address).toBe(
      "https://reports.example/v1/reports/1234?q=report_begin_date%3D11%2F02%2F2026%3A11%2F22%2F2026&allSections=true",
    );
  });

  test("cover every day of the history after one good night, whatever happened before", async () => {
    const night = fc.record({
      wait: fc.integer({min: 0, max: 40}),
      refuses: fc.array(fc.boolean(), {maxLength: 6}),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(night, {maxLength: 5}),
        fc.integer({min: 0, max: 500}),
        async (nights, historyDays) => {
          const folder = await reportFolder();
          const good: {from: string; to: string; at: string}[] = [];
          let day = "2026-01-07";
          for (const {wait, refuses} of [...nights, {wait: 1, refuses: []}]) {
            day = addDays(day, wait);
            let i = 0;
            const service: Service = ({from, to}) => {
              if (refuses[i++] === true) throw refused("no");
              good.push({from, to, at: day});
              return {results: []};
            };
            await folder.night({today: day, historyDays, service});
          }
          expect(await folder.gaps(day, historyDays)).toBe(false);
          for (let of = addDays(day, -historyDays); of <= day; of = addDays(of, 1)) {
            // Late rows of the last two weeks arrive, so answers within them do not count, except that of the last night.
            const isAsked = good.some(
              ({from, to, at}) => from <= of && of <= to && (at === day || of <= addDays(at, -14)),
            );
            expect([of, isAsked]).toEqual([of, true]);
          }
        },
      ),
      {numRuns: 12},
    );
  });
});
