import {expect, test} from "vitest";
import {FetchError} from "../../pipeline/fetch/client/fetch-error.ts";
import {eachOf, type Job, nothingNew} from "../../pipeline/fetch/jobs/job.ts";

/** What an item of a source meets. */
const fates: Readonly<Record<string, FetchError>> = {
  404: new FetchError("status", "status 404", {status: 404}),
  401: new FetchError("status", "status 401", {status: 401}),
  403: new FetchError("status", "status 403", {status: 403}),
  503: new FetchError("status", "status 503", {status: 503}),
  cut: new FetchError("connection", "cut"),
  html: new FetchError("refused", "an HTML page"),
  wait: new FetchError("wait", "asks us to wait 60 min", {status: 503, retryAfterMs: 3_600_000}),
  over: new FetchError("limit", "the time is over"),
};

const left = (n: number) => `; ${n} not asked, because the last 3 went unanswered`;

test.each<[string, {asked: number; added?: number; partial?: string | null; rejects?: string}]>([
  ["new new", {asked: 2, added: 2, partial: null}],
  ["503 new new", {asked: 3, added: 2, partial: "1 of 3 failed, the first: status 503"}],
  ["new cut new", {asked: 3, added: 2, partial: "1 of 3 failed, the first: cut"}],
  ["403 new new", {asked: 3, added: 2, partial: "1 of 3 failed, the first: status 403"}],
  ["404 404 404 404 new", {asked: 5, added: 1, partial: "4 of 5 failed, the first: status 404"}],
  ["503 503 new 503 503", {asked: 5, added: 1, partial: "4 of 5 failed, the first: status 503"}],
  ["new cut 503 403 new", {asked: 4, added: 1, partial: `3 of 5 failed, the first: cut${left(1)}`}],
  ["503 503 503 new", {asked: 3, rejects: `3 of 4 failed, the first: status 503${left(1)}`}],
  ["html html", {asked: 2, rejects: "2 of 2 failed, the first: an HTML page"}],
  ["new 401 new", {asked: 2, rejects: "status 401"}],
  ["new wait new", {asked: 2, rejects: "asks us to wait 60 min"}],
  ["new over new", {asked: 2, added: 1, partial: "the time is over"}],
  ["over new", {asked: 1, rejects: "the time is over"}],
  ["503", {asked: 1, rejects: "status 503"}],
])("of items that meet %s, takes what comes and says what is missing", async (met, expected) => {
  const items = met.split(" ");
  let asked = 0;
  const tally = eachOf({say: () => undefined} as unknown as Job, items, async (item) => {
    asked += 1;
    if (fates[item] !== undefined) throw fates[item];
    return {...nothingNew, added: 1};
  });
  const {rejects, asked: times, ...came} = expected;
  if (rejects === undefined) expect(await tally).toMatchObject(came);
  else await expect(tally).rejects.toThrow(rejects);
  expect(asked).toBe(times);
});

test.each<[string, {asked: number; own: number; added?: number; partial?: string | null; rejects?: string}]>([
  ["403 new new", {asked: 3, own: 1, added: 2, partial: null}],
  ["new 403 new", {asked: 3, own: 1, added: 2, partial: null}],
  ["403 new 403", {asked: 3, own: 1, added: 1, partial: "1 of 3 failed, the first: status 403"}],
  ["new new 403 403", {asked: 4, own: 0, added: 2, partial: "2 of 4 failed, the first: status 403"}],
  ["403 other", {asked: 2, own: 0, added: 1, partial: "1 of 2 failed, the first: status 403"}],
  ["403 other new", {asked: 3, own: 1, added: 2, partial: null}],
  ["403 403 new 403 new", {asked: 5, own: 3, added: 2, partial: null}],
  ["403 403 new 403 403 new", {asked: 6, own: 0, added: 2, partial: "4 of 6 failed, the first: status 403"}],
  ["403 new 503", {asked: 3, own: 1, added: 1, partial: "1 of 3 failed, the first: status 503"}],
  ["403", {asked: 1, own: 0, added: 0, partial: "status 403"}],
  ["503", {asked: 1, own: 0, rejects: "status 503"}],
  ["403 403", {asked: 2, own: 0, rejects: "2 of 2 failed, the first: status 403"}],
  [
    "new 403 403 403 new",
    {asked: 4, own: 0, added: 1, partial: `3 of 5 failed, the first: status 403${left(1)}`},
  ],
])("of items that may be forbidden each for itself, and meet %s, %o", async (met, expected) => {
  let asked = 0;
  let own = 0;
  const tally = eachOf(
    {say: () => undefined} as unknown as Job,
    met.split(" "),
    async (item) => {
      asked += 1;
      const fate = fates[item];
      if (fate !== undefined) throw new FetchError(fate.kind, fate.message, {status: fate.status});
      return {...nothingNew, added: 1};
    },
    {
      hostOf: (item) => (item === "other" ? "b.example" : "a.example"),
      tallyOf: () => {
        own += 1;
        return {...nothingNew, unchanged: 1};
      },
    },
  );
  const {rejects, asked: times, own: forbidden, ...came} = expected;
  if (rejects === undefined) expect(await tally).toMatchObject(came);
  else await expect(tally).rejects.toThrow(rejects);
  expect([asked, own]).toEqual([times, forbidden]);
});

test("counts a source as failed of which each item was refused and nothing came", async () => {
  const job = {say: () => undefined} as unknown as Job;
  const lost = {...nothingNew, partial: "status 404"};
  const came = {...nothingNew, added: 1};
  await expect(eachOf(job, [lost, lost], async (tally) => tally)).rejects.toThrow(
    "2 of 2 failed, the first: status 404",
  );
  expect(await eachOf(job, [lost, came], async (tally) => tally)).toMatchObject({
    added: 1,
    partial: "status 404",
  });
  expect(await eachOf(job, [lost], async (tally) => tally)).toEqual({...lost, notes: [], losses: []});
});
