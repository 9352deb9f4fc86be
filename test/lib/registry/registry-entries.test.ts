import {readdirSync} from "node:fs";
import {basename, join} from "node:path";
import {states} from "@open-cattle/us-address";
import {describe, expect, test} from "vitest";
import {countyOf} from "../../../lib/geography/counties.ts";
import {countyOrigin, namesOf} from "../../../lib/parcels/conform/column-references.ts";
import {lookupTable} from "../../../lib/parcels/conform/transforms.ts";
import {loadLandUseMap} from "../../../lib/parcels/land-use/land-use-map.ts";
import {referenceDir} from "../../../lib/paths.ts";
import {loadParcelSources, loadWaves} from "../../../lib/registry/parcel-sources.ts";
import {sourceOfParcels} from "../../../pipeline/fetch/jobs/source-address.ts";
import {refusalOfBulk} from "../../../pipeline/parcels/datasets.ts";

const entries = loadParcelSources();
const waves = loadWaves();
const territories: ReadonlySet<string> = new Set(["AS", "GU", "MP", "PR", "VI", "UM"]);

describe("the entries of parcel sources", () => {
  test("use land-use systems that the map has", () => {
    const {systems} = loadLandUseMap();
    for (const {id, use} of entries) {
      for (const system of use?.systems ?? [])
        expect(systems.has(system), `${id}: use.systems: ${system}`).toBe(true);
    }
  });

  test("say where the county of a row comes from", () => {
    for (const entry of entries) expect(countyOrigin(entry), entry.id).not.toBeNull();
  });

  test("name counties of their own state", () => {
    for (const {id, coverage} of entries) {
      if (coverage.country !== "US" || coverage.counties === "all") continue;
      for (const key of coverage.counties) expect(countyOf(key)?.state, `${id}: ${key}`).toBe(coverage.state);
    }
  });

  test("say what kind each value is of, and never map an owner that is not published", () => {
    const money = [
      "assessed_value",
      "land_value",
      "building_value",
      "market_value",
      "taxable_value",
      "use_value",
    ] as const;
    for (const {id, fields, values, owners} of entries) {
      for (const column of money)
        if (fields[column] !== undefined) expect(values?.[column], `${id}: values.${column}`).toBeDefined();
      if (owners?.published !== true) expect(fields.owner_raw, `${id}: fields.owner_raw`).toBeUndefined();
    }
  });

  test("prove themselves by up to three real rows; only these were entered from a publication of their columns", () => {
    const unread = entries
      .filter(({accept, verified}) => accept.rows.length === 0 && verified !== false)
      .map(({id}) => id);
    expect(unread.sort()).toEqual([
      "us-az-statewide",
      "us-fl-dor",
      "us-mt-cadastral",
      "us-mt-ownerparcel",
      "us-nc-onemap",
      "us-nj-modiv",
      "us-ny-onondaga",
      "us-ny-statewide",
      "us-or-statewide",
      "us-ut-lir",
      "us-ut-statewide",
      "us-vt-standard",
      "us-wa-current",
      "us-wi-statewide",
    ]);
    for (const {id, accept} of entries) {
      expect(accept.rows.length, id).toBeLessThanOrEqual(3);
      for (const {expect: facts} of accept.rows)
        expect(
          Object.keys(facts).some((column) => /owner|mail/.test(column)),
          id,
        ).toBe(false);
    }
  });
});

describe("the statewide layers that no run has read yet", () => {
  const unverified = entries.filter(
    ({verified, accept, protocol}) => verified === false && accept.rows.length === 0 && protocol === "arcgis",
  );

  test("have an address, a parcel number and the point to ask by, and give no owners away", () => {
    expect(unverified.length).toBeGreaterThanOrEqual(30);
    for (const {id, url, protocol, cadastre, terms, accept} of unverified) {
      expect(url, id).toMatch(/^https:\/\/[a-z0-9./_-]+\/(Feature|Map)Server\/\d+$/i);
      // Florida's layer answers no question by place.
      expect([protocol, cadastre?.url, cadastre?.point], id).toEqual(["arcgis", url, id !== "us-fl-service"]);
      expect([terms.redistributeOwners, accept.minRows >= 1000], id).toEqual([false, true]);
    }
  });

  test("with those before them 35 states and more have a statewide door", () => {
    const doors = entries.filter(
      ({protocol, cadastre, coverage}) =>
        (protocol === "arcgis" || cadastre !== undefined) && coverage.counties === "all",
    );
    const states = new Set(doors.map(({coverage}) => coverage.state));
    const named =
      "FL NY NJ MA VT WI MN NC WA UT MT AZ OR NE IA ND WY ID CO AR TN MS OH CA CT MD VA WV NH AK HI ME PA RI NV IN DE MB";
    expect(named.split(" ").filter((state) => !states.has(state))).toEqual([]);
  });

  test("take no mailing address for the land's", () => {
    for (const {id, fields} of unverified) {
      const situs = ["situs_raw", "city", "zip"].flatMap((column) => namesOf(fields[column]));
      expect(
        situs.filter((name) => /^own|mail/i.test(name)),
        id,
      ).toEqual([]);
    }
  });
});

describe("the waves", () => {
  test("hold the 50 states, the District of Columbia and Manitoba, and none twice", () => {
    const wanted = [
      ...states.map(({state}) => state).filter((state) => !territories.has(state)),
      "MB",
    ].sort();
    expect(waves.map(({state}) => state).sort()).toEqual(wanted);
    const sizes = [1, 2, 3, 4].map((wave) => waves.filter((item) => item.wave === wave).length);
    expect(sizes).toEqual([15, 11, 16, 10]);
  });

  test("require what can be fetched: entries of their state that have an address", () => {
    const fetched = new Map(entries.map((entry) => [entry.id, {entry, source: sourceOfParcels(entry)}]));
    const wrong = waves.flatMap(({state, required}) =>
      required.filter((id) => {
        const found = fetched.get(id);
        return found?.source == null || found.entry.coverage.state !== state;
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("require nothing where none is settled: states whose counties publish one by one", () => {
    const open = waves.filter(({required}) => required.length === 0).map(({state}) => state);
    expect(open.sort()).toEqual(["AL", "GA", "IL", "KS", "KY", "LA", "MI", "MO", "NM", "OK", "SC", "SD"]);
    const statewide = entries.filter(
      (entry) => entry.coverage.counties === "all" && sourceOfParcels(entry) !== null,
    );
    expect(statewide.filter(({coverage}) => open.includes(coverage.state))).toEqual([]);
  });

  test("15 states and the District of Columbia can become live on what their publishers allow, Manitoba once Winnipeg's terms were read", () => {
    const free = new Set(entries.filter((entry) => refusalOfBulk(entry) === null).map(({id}) => id));
    const reachable = waves.filter(
      ({required}) => required.length > 0 && required.every((id) => free.has(id)),
    );
    expect(
      reachable
        .map(({state}) => state)
        .sort()
        .join(" "),
    ).toBe("AR CT DC FL IN MA MD MN MT NC NJ NY OH TX UT WI");
  });
});

describe("the lookup tables", () => {
  test("hold folded keys and counties of one state", () => {
    for (const file of readdirSync(join(referenceDir, "lookups"))) {
      const table = lookupTable(basename(file, ".json"));
      for (const [key, value] of table) {
        expect(key).toMatch(/^(?!SAINT)[A-Z0-9]+$/);
        expect(countyOf(value)?.state.toLowerCase(), `${file}: ${key}`).toBe(file.slice(0, 2));
      }
    }
  });

  test("number Florida's counties by the alphabet, with Miami-Dade where Dade stood", () => {
    const table = lookupTable("fl-county-numbers");
    expect(
      [table.get("11"), table.get("23"), table.get("64"), table.get("77")].map((key) => countyOf(key!)?.name),
    ).toEqual(["Alachua", "Miami-Dade", "Putnam", "Washington"]);
    expect(new Set(table.values()).size).toBe(67);
  });

  test("know Maryland's 24 jurisdictions by the layer's code, the city of Baltimore apart from its county", () => {
    const table = lookupTable("md-jurisdiction-codes");
    expect(new Set(table.values()).size).toBe(24);
    for (const [code, key] of table) {
      const name = countyOf(key)!
        .name.toUpperCase()
        .replace(/[^A-Z]/g, "");
      if (!name.startsWith("BALTIMORE")) expect(name.replace(/^SAINT/, "ST").slice(0, 4)).toBe(code);
    }
    expect([table.get("BACI"), table.get("BACO")]).toEqual(["24510", "24005"]);
  });

  test("know Hawaii's counties by the first digit of a tax map key", () => {
    const names = ["1", "2", "3", "4"].map(
      (digit) => countyOf(lookupTable("hi-island-numbers").get(digit)!)?.name,
    );
    expect(names).toEqual(["Honolulu", "Maui", "Hawaii", "Kauai"]);
  });

  test("know the 351 towns of Massachusetts by number and by name", () => {
    const table = lookupTable("ma-towns");
    expect(table.get("87")).toBe("25015");
    expect(table.get("MANCHESTERBYTHESEA")).toBe("25009");
    expect([...table.keys()].filter((key) => /^\d+$/.test(key)).length).toBe(351);
  });

  test("are named by entries where they are used", () => {
    const used = entries.flatMap(({coverage: {countyFrom}}) =>
      typeof countyFrom === "object" && namesOf(countyFrom).length > 0 ? (countyFrom.transform ?? []) : [],
    );
    expect(used.filter((step) => step.startsWith("lookup:")).sort()).toEqual([
      "lookup:fl-county-numbers",
      "lookup:fl-county-numbers",
      "lookup:hi-island-numbers",
      "lookup:ma-towns",
      "lookup:md-jurisdiction-codes",
      "lookup:or-county-numbers",
      "lookup:vt-towns",
    ]);
  });
});
