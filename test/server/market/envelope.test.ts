import {expect, test} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import type {Call} from "../../../server/http/endpoint.ts";
import {marketAnswer, marketOf, type Selection} from "../../../server/market/envelope.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOf} from "../server-fixture.ts";

const evidence: Record<string, {sources: string[]; sourceDate: string | null; size?: number}> = {
  "e-old": {sources: ["mars", "aphis"], sourceDate: "2026-11-10"},
  "e-new": {sources: ["mars"], sourceDate: "2026-11-18"},
  "e-undated": {sources: ["nws"], sourceDate: null},
  "e-large": {sources: ["echo"], sourceDate: "2026-11-01", size: 4_000_000},
};
const market = {
  evidence: (id: string) =>
    evidence[id] === undefined
      ? null
      : {
          ...evidence[id],
          limitations: [],
          text: JSON.stringify({id, ...evidence[id], fill: "x".repeat(evidence[id].size ?? 0)}),
        },
  sourceEntries: (ids: readonly string[]) => ids.map((id) => JSON.stringify({id})),
} as unknown as MarketArtifacts;

type Changes = Partial<Selection> & {licensed?: boolean; oldBuild?: boolean};

function answerTo({licensed = false, oldBuild = false, ...changes}: Changes) {
  const {records = []} = changes;
  const settings = {...readSettings({}), CATTLE_FUTURES_LICENSED: licensed};
  const call = {
    generation: generationOf(market),
    settings,
    ignored: ["zebra"],
    oldBuild,
  } as unknown as Call<unknown>;
  const page = {limit: 25, offset: 0, evidence: true};
  const selection = {records, total: records.length, page, applied: {state: "KS"}, ...changes};
  return JSON.parse(marketAnswer(call, market, selection).body as string);
}

const rows = (...ids: (string | null)[]) =>
  ids.map((evidenceId, row) => ({text: JSON.stringify({row}), evidenceId}));
const idsOf = (list: {id: string}[]) => list.map(({id}) => id);

test("evidence comes once, with the first record that names it, and its dates and sources are summed up", () => {
  const answer = answerTo({
    records: rows("e-new", null, "e-old", "e-new", "e-undated"),
    extraSources: ["echo"],
  });
  expect(idsOf(answer.evidence)).toEqual(["e-new", "e-old", "e-undated"]);
  expect(answer).toMatchObject({
    ...{source_date: "2026-11-18", source_date_earliest: "2026-11-10", result_status: "ok"},
    sources: ["aphis", "echo", "mars", "nws"],
    query: {applied: {state: "KS"}, ignored: ["zebra"], resolution: {}},
    page: {returned: 5, total: 5, limit: 25, offset: 0, truncated: false},
  });
  expect(idsOf(answer.source_registry)).toEqual(answer.sources);
  expect(answer.records).toEqual([0, 1, 2, 3, 4].map((row) => ({row})));
  expect(answer).not.toHaveProperty("last_known_source_date");
});

test("evidence of the answer itself comes before that of its records, and none is there without any", () => {
  const own = {...evidence["e-undated"]!, limitations: ["Said of it."], text: '{"id":"own"}'};
  const answer = answerTo({records: rows("e-old"), extraEvidence: [own], extra: {summary: 1}});
  expect(idsOf(answer.evidence)).toEqual(["own", "e-old"]);
  expect([answer.summary, answer.limitations[0]]).toEqual([1, "Said of it."]);
  expect(answerTo({records: rows(null)})).toMatchObject({
    source_date: null,
    source_date_earliest: null,
    sources: [],
  });
});

test("an answer without evidence still names its sources", () => {
  const answer = answerTo({records: rows("e-old"), page: {limit: 25, offset: 0, evidence: false}});
  expect(answer).not.toHaveProperty("evidence");
  expect(answer).toMatchObject({source_date: "2026-11-10", sources: ["aphis", "mars"]});
});

test("an answer that would be too large is cut before the record that does not fit", () => {
  const large = [{text: `"${"x".repeat(3_000_000)}"`, evidenceId: null}, ...rows("e-large", "e-old")];
  const answer = answerTo({records: large});
  expect(answer).toMatchObject({result_status: "partial", page: {returned: 1, total: 3, truncated: true}});
  expect(answer.evidence).toEqual([]);
  const bare = answerTo({records: large, page: {limit: 25, offset: 0, evidence: false}});
  expect(bare).toMatchObject({result_status: "ok", page: {returned: 3, truncated: false}});
});

test.each([
  ["ok", {records: rows(null), total: 1}],
  ["ok", {records: [], total: 3, page: {limit: 2, offset: 4, evidence: true}}],
  ["no_rows", {}],
  ["partial", {records: rows(null), location: "missing"}],
  ["no_rows", {location: "missing"}],
  ["unresolved_location", {location: "unresolved"}],
] as const)("the status is %s for %j", (status, changes) => {
  expect(answerTo(changes).result_status).toBe(status);
});

test.each([
  [0, 2, 3, true],
  [1, 2, 3, false],
  [3, 0, 3, false],
])("after %i of the records %i of %i are shown: truncated is %s", (offset, shown, total, truncated) => {
  const records = rows(...Array.from({length: shown}, () => null));
  expect(answerTo({records, total, page: {limit: 2, offset, evidence: true}}).page).toMatchObject({
    truncated,
  });
});

test("nothing found says when there was something last, if that is known", () => {
  const last = (changes: Changes) => {
    const {last_known_source_date, limitations} = answerTo(changes);
    return [
      last_known_source_date,
      limitations.some((each: string) => each.includes("last known date is given")),
    ];
  };
  expect(last({lastKnown: "2026-08-01"})).toEqual(["2026-08-01", true]);
  expect(last({lastKnown: null})).toEqual([null, false]);
  expect(last({})).toEqual([null, false]);
  expect(last({lastKnown: "2026-08-01", records: rows(null)})).toEqual([undefined, false]);
});

const shown = (signal: string, sourceId = signal) => ({signal, text: JSON.stringify({signal}), sourceId});
const old = (signal: string, ageDays: number | null) => ({signal, text: null, ageDays});

test("context has what is fresh and licensed; what is left out is told with its youngest age", () => {
  const context = [
    shown("drought"),
    old("drought", 9),
    old("diesel", 40),
    old("diesel", 20),
    old("diesel", 30),
  ];
  const answer = answerTo({records: rows(null), context});
  expect(answer.context).toEqual([{signal: "drought"}]);
  expect(answer.sources).toEqual(["drought"]);
  expect(answer.limitations).toContain("Left out because out of date: diesel (20 days).");
  expect(answerTo({records: rows(null), context: [shown("drought")]}).limitations.join()).not.toContain(
    "Left out",
  );
});

test.each([
  [true, [shown("futures")], [{signal: "futures"}], false],
  [false, [shown("futures")], [], true],
  [true, [old("futures", null)], [], true],
  [false, [shown("diesel")], [{signal: "diesel"}], false],
])("futures leave only with a licence: %s %j", (licensed, context, expected, told) => {
  const {context: carried, limitations} = answerTo({records: rows(null), context, licensed});
  expect(carried).toEqual(expected);
  expect(limitations.some((each: string) => each.startsWith("Futures values"))).toBe(told);
});

test("an old build says so", () => {
  const says = (oldBuild: boolean) => /older than 36 hours/.test(answerTo({oldBuild}).limitations.join());
  expect([says(true), says(false)]).toEqual([true, false]);
});

test("a record whose evidence is lost, and a build without a market, are no answer", () => {
  expect(() => answerTo({records: rows("e-lost")})).toThrow(/evidence/);
  expect(() => marketOf({generation: generationOf(null)} as unknown as Call<unknown>)).toThrow(
    expect.objectContaining({slug: "build-unavailable"}),
  );
});

test("an answer begins with its figures; what is beside the records follows them, before the evidence", () => {
  const extra = {nearest_barns: [], indicators: [], barns: [], summary_reason: "none", summary: null};
  const names = Object.keys(answerTo({records: rows("e-new"), extra}));
  expect(names.slice(0, 4)).toEqual(["summary", "summary_reason", "barns", "generated_at"]);
  const from = names.indexOf("records");
  expect(names.slice(from, from + 4)).toEqual(["records", "nearest_barns", "indicators", "evidence"]);
});
