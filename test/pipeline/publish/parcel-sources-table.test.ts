import {join} from "node:path";
import {expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import type {SourceEntry, Stages} from "../../../pipeline/parts/stages.ts";
import {parcelSourcesPath, writeParcelSources} from "../../../pipeline/publish/parcel-sources-table.ts";
import type {Manifest} from "../../../schemas/manifest.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const entryOf = (id: string, more: Partial<SourceEntry> = {}): SourceEntry => ({
  ...{
    id,
    name: `Parcels of ${id}`,
    licence: "CC0-1.0",
    terms: {store: true, redistributeOwners: false, bulk: true},
  },
  coverage: {country: "US", state: "TX", counties: "all"},
  ...more,
});
const usedBy = (id: string, complete = true, vintage: string | null = null) => ({id, complete, vintage});

/** The table's rows for a build whose states have these sources. */
async function rowsOf(
  states: Readonly<Record<string, readonly ReturnType<typeof usedBy>[]>>,
  {entries = [], layers = []}: {entries?: readonly SourceEntry[]; layers?: readonly SourceEntry[]},
): Promise<Record<string, unknown>[]> {
  const dir = temporaryFolder();
  const manifest = {
    ...{as_of_date: "2026-11-21", sample: false},
    states: Object.fromEntries(
      Object.entries(states).map(([state, sources]) => [state, {country: "US", sources}]),
    ),
    sources: [{id: "b", retrieved_at: "2026-11-01T00:00:00Z"}],
  } as unknown as Manifest;
  const asked = (country: string, state: string) =>
    layers.filter(({coverage}) => coverage.country === country && coverage.state === state);
  await writeParcelSources(dir, manifest, {entries, layers: asked} as unknown as Stages);
  using db = await openDatabase();
  return await db.rows(
    `SELECT * REPLACE (strftime(retrieved_at, '%Y-%m-%d') AS retrieved_at) FROM read_parquet(${sqlText(join(dir, parcelSourcesPath))})`,
  );
}

const idsOf = (rows: readonly Record<string, unknown>[]) => rows.map(({source_id}) => source_id);

test("lists the entries of the build's states, used or not, and other sources of their rows, by id", async () => {
  const far = entryOf("d", {coverage: {country: "US", state: "KS"}});
  const rows = await rowsOf(
    {TX: [usedBy("b"), usedBy("c"), usedBy("d")]},
    {
      entries: [far, entryOf("b"), entryOf("a"), entryOf("e", {coverage: {country: "US", state: "KS"}})],
      layers: [entryOf("c"), entryOf("z"), entryOf("b", {name: "A layer of the same id"}), entryOf("d")],
    },
  );
  expect(rows.map(({source_id, used, name}) => [source_id, used, name])).toEqual([
    ["a", false, "Parcels of a"],
    ["b", true, "Parcels of b"],
    ["c", true, "Parcels of c"],
    ["d", true, "Parcels of d"],
  ]);
  expect(idsOf(await rowsOf({}, {entries: [entryOf("a")], layers: [entryOf("c")]}))).toEqual([]);
});

test("says whether all of a source was read and how new it is, over all states that use it", async () => {
  const entries = ["a", "b", "c"].map((id) => entryOf(id));
  const rows = await rowsOf(
    {
      TX: [usedBy("a", true, "2025"), usedBy("b", true)],
      KS: [usedBy("a", false, "2026"), usedBy("b", true)],
      OK: [usedBy("a", true, "2024")],
    },
    {entries},
  );
  expect(
    rows.map(({used, complete, vintage, retrieved_at}) => ({used, complete, vintage, retrieved_at})),
  ).toEqual([
    {used: true, complete: false, vintage: "2026", retrieved_at: null},
    {used: true, complete: true, vintage: null, retrieved_at: "2026-11-01"},
    {used: false, complete: null, vintage: null, retrieved_at: null},
  ]);
});

test("gives coverage, licence and terms as in the registry", async () => {
  const coverage = {country: "US", state: "TX"} as const;
  const entries = [
    entryOf("a", {
      coverage: {...coverage, counties: ["48453", "48209"]},
      publisher: "A county",
      authority: "county",
      attribution: "By A",
    }),
    entryOf("b", {coverage: {...coverage, places: ["Zell", "Aspen"]}, licence: "https://example.org/terms"}),
    entryOf("c", {terms: {store: false, redistributeOwners: true, bulk: false}, licence: "Ask the clerk"}),
    entryOf("d", {terms: undefined}),
  ];
  const rows = await rowsOf({TX: []}, {entries});
  expect(rows).toMatchObject([
    {
      coverage: "some_counties",
      counties: ["48209", "48453"],
      places: [],
      publisher: "A county",
      authority: "county",
      attribution: "By A",
      bulk_allowed: true,
    },
    {
      coverage: "places",
      counties: [],
      places: ["Aspen", "Zell"],
      publisher: null,
      authority: "unknown",
      attribution: null,
      licence_url: "https://example.org/terms",
    },
    {
      coverage: "all_counties",
      counties: [],
      store_allowed: false,
      owners_allowed: true,
      licence: "Ask the clerk",
      licence_id: "other-closed",
      licence_url: null,
    },
    {store_allowed: false, owners_allowed: false, bulk_allowed: false},
  ]);
  expect(rows[0]).toMatchObject({
    store_allowed: true,
    owners_allowed: false,
    licence: "CC0-1.0",
    licence_id: "CC0-1.0",
  });
});
