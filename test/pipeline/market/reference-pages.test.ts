import {states} from "@open-cattle/us-address";
import {afterAll, beforeAll, expect, test} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {references, shippedReferences} from "../../../pipeline/market/feeds/references.ts";
import {loadReferencePages} from "../../../pipeline/market/reference/reference-pages.ts";
import {contextOf, type SignalValue} from "./signals/read-text.ts";
import {type SignalBuild, signalBuild} from "./signals/signal-build.ts";

const pages = loadReferencePages();
const of = (id: string) => pages.filter(({source_id}) => source_id === id);

test("ships the department of each of the 50 states, and brand agencies of the states that inspect", () => {
  const notStates = ["DC", "AS", "GU", "MP", "PR", "VI"];
  const usStates = states.map(({state}) => state).filter((state) => !notStates.includes(state));
  expect(usStates).toHaveLength(50);
  const departments = of("state-agriculture-reference-pages").filter(({title, agency}) => title === agency);
  expect(departments.map(({state}) => state).sort()).toEqual(usStates.sort());
  const brands = of("state-brand-inspection-agencies").map(({state}) => state);
  expect(new Set(brands).size).toBe(brands.length);
  expect(brands).toEqual(expect.arrayContaining(["CA", "CO", "MT", "NE", "NV", "SD", "UT", "WY"]));
  expect(of("editorial-market-reference-sources").length).toBeGreaterThanOrEqual(5);
});

test("has no address twice, no title twice in a state, and says of each what confirms it", () => {
  const once = (keys: string[]) =>
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  once(pages.map(({url}) => url.replace(/\/$/, "").toLowerCase()));
  once(pages.map(({state, title}) => `${state}/${title}`));
  for (const {url, source_id, state} of pages) {
    expect(new URL(url).protocol).toBe("https:");
    expect(state === null).toBe(source_id === "editorial-market-reference-sources");
  }
});

const row = {title: "Invented Brand Board", url: "https://example.org/brands", kind: "brand inspection"};
let build: SignalBuild;
beforeAll(async () => {
  build = await signalBuild({
    asOf: "2026-12-01",
    files: {"references/own.json": [{...row, state: "NE", date: "2026-11-30"}]},
    pages,
  });
});
afterAll(() => build.close());

test("builds have the shipped pointers, and a raw file takes the place of its state and kind", async () => {
  const rows = await build.table("signals/references", "source_id, area, url, source_date");
  const inNebraska = rows.filter(({area}) => area === "NE");
  expect(inNebraska).toHaveLength(3);
  expect(inNebraska).toEqual(
    expect.arrayContaining([
      expect.objectContaining({url: row.url}),
      expect.objectContaining({url: "https://nda.nebraska.gov"}),
    ]),
  );
  expect(rows).toHaveLength(pages.length);
  expect(build.result.sources.map(({id}) => id)).toEqual([
    "editorial-market-reference-sources",
    "state-agriculture-reference-pages",
    "state-brand-inspection-agencies",
  ]);
});

test("a build of an earlier day has them undated, and one a year later says (L29) that they are old", async () => {
  const [page] = pages;
  const dayOf = (asOf: string) => shippedReferences([page!], asOf, []).reading.rows[0];
  expect(dayOf("2026-08-24")).toMatchObject({valid_from: "2026-08-24", source_date: null});
  expect(dayOf("2027-01-01")).toMatchObject({valid_from: page!.checked_on, source_date: page!.checked_on});
  const aged = shippedReferences([page!], "2028-02-01", []).reading.rows.map(
    (each): SignalValue => ({...each}),
  );
  const [old] = await contextOf(references, aged, "2028-02-01");
  expect(old!.item!["limitations"]).toContain(limitations.L29);
  const [young] = await contextOf(references, aged, "2027-12-01");
  expect(young!.item!["limitations"]).not.toContain(limitations.L29);
});
