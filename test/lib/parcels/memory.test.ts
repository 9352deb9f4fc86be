import {join} from "node:path";
import {
  mapFile,
  openArrowTable,
  openKeyIndex,
  openSpatialIndex,
  openTermIndex,
} from "@open-cattle/mapped-index";
import fc from "fast-check";
import {beforeAll, describe, expect, it} from "vitest";
import {
  acresOf,
  acreUnitsOf,
  countyOf,
  ownerClasses,
  ownerClassOf,
  ownerFactsReader,
} from "../../../lib/parcels/matching/owner-reader.ts";
import {createMemoryParcels, type MemoryParcels} from "../../../lib/parcels/memory/memory-parcel-set.ts";
import {createSortedTexts} from "../../../lib/parcels/memory/memory-terms.ts";
import type {ParcelSet} from "../../../lib/parcels/parcel-set.ts";
import type {RowValues} from "../../../lib/storage/arrow-file/memory-table.ts";
import type {RowValue} from "../../../lib/storage/arrow-file/write.ts";
import {findingColumns} from "../../../schemas/parcel-columns.ts";
import {geojson, row, square} from "../../pipeline/parcels/invented-source.ts";
import {built, rawFiles} from "../../pipeline/parcels/raw-folder.ts";

type Files = Pick<ParcelSet, "parcels" | "ids" | "addresses" | "owners"> & {
  points: NonNullable<ParcelSet["points"]>;
};

const owners = ["QUISTAD JUNE R", "HARLOW DALE M & NORDQUIST OLE", "PLAINSTEAD BANK & TRUST CO"];

let files: Files;
let memory: MemoryParcels;

beforeAll(async () => {
  const parcels = Array.from({length: 40}, (_, i) => ({
    properties: row(`${1000 + (i % 30)}-${i}-0A`, {
      SITUS: i % 9 === 8 ? "RIVER BOTTOM" : `${100 + i} ${i % 2 === 0 ? "OAK" : "ÉLM"} ST`,
      OWNER: owners[i % 3],
      ACRES: i % 5 === 4 ? null : String(1 + i / 7),
    }),
    geometry: i % 7 === 6 ? null : square((i * 37) % 20, (i * 17) % 13),
  }));
  const {serving} = await built(await rawFiles({"a.geojson": geojson(parcels)}));
  const open = (name: string) => mapFile(join(serving, name)).buffer;
  files = {
    parcels: openArrowTable(open("columns.arrow")),
    ids: openKeyIndex(open("parcel_ids.arrow")),
    addresses: openKeyIndex(open("addresses.arrow")),
    owners: openTermIndex(open("owners.arrow")),
    points: openSpatialIndex(open("parcels.flatbush")),
  };
  memory = createMemoryParcels({state: "TX", origin: "delta"});
  for (let i = 0; i < files.parcels.rows; i++) memory.add({columns: columnsAt(i), record});
});

const record = {
  facts: Buffer.from('"_id":"1"'),
  provenance: {json: Buffer.from("{}"), urlAt: null, limitations: [], sources: []},
  sourceUrl: null,
};

/** The columns of a row of the files by which it is found, and its box. */
function columnsAt(number: number): RowValues {
  const {parcels, points} = files;
  const values = findingColumns.map(({name, kind}): [string, RowValue] => {
    if (kind === "list") return [name, parcels.list(name).at(number)];
    return [name, kind === "text" ? parcels.text(name).at(number) : parcels.value(name).at(number)];
  });
  const [lon, lat] = [parcels.number("lon").at(number), parcels.number("lat").at(number)];
  let box: RowValues = {};
  if (lon !== null && lat !== null) {
    points.within({minX: lon, minY: lat, maxX: lon, maxY: lat}, (row, xmin, ymin, xmax, ymax) => {
      if (row === number) box = {xmin, ymin, xmax, ymax};
      return false;
    });
  }
  return {...Object.fromEntries(values), ...box, owner_source: parcels.string("owner_source").at(number)};
}

describe("parcels in memory", () => {
  it("have the keys, terms and boxes that the build writes of the same rows", () => {
    const {set} = memory;
    const all = (index: Files["ids"]) => index.prefix("", 10_000).map((entry) => ({...entry}));
    const found = new Set(all(files.ids).map(({key}) => key));
    expect(all(set.ids)).toEqual(all(files.ids));
    for (const key of found) expect(set.ids.find(key)).toEqual(files.ids.find(key));
    expect(all(set.addresses)).toEqual(all(files.addresses));
    const terms = (index: Files["owners"]) =>
      Array.from({length: index.terms}, (_, n) => [index.termAt(n), [...index.rowsAt(n)]]);
    expect(terms(set.owners)).toEqual(terms(files.owners));
    for (const typed of ["QUISTD", "QUISTADX", "NORDQIUST", "BAMK"])
      expect([typed, set.owners.near(typed)]).toEqual([typed, files.owners.near(typed)]);
    expect(set.owners.near("BAMK").map((n) => set.owners.termAt(n))).toEqual(["BANK"]);
    const box = {minX: -97.72, minY: 30.32, maxX: -97.6, maxY: 30.4};
    expect(set.points?.within(box)).toEqual(files.points.within(box));
  });

  it("are found by a box that only touches theirs, on each side", () => {
    const {xmin, ymin, xmax, ymax} = columnsAt(0) as Record<string, number>;
    const own = {minX: xmin!, minY: ymin!, maxX: xmax!, maxY: ymax!};
    for (const box of [
      {...own, minX: xmax!, maxX: xmax! + 1},
      {...own, minX: xmin! - 1, maxX: xmin!},
      {...own, minY: ymax!, maxY: ymax! + 1},
      {...own, minY: ymin! - 1, maxY: ymin!},
    ]) {
      expect(memory.set.points?.within(box)).toContain(0);
      expect(memory.set.points?.within(box)).toEqual(files.points.within(box));
    }
  });

  it("read like the columns of the file", () => {
    for (let i = 0; i < files.parcels.rows; i++) {
      for (const {name, kind} of findingColumns.filter((column) => !column.name.startsWith("prov_"))) {
        if (kind === "list") expect(memory.set.parcels.text(name).at(i)).toBe(files.parcels.text(name).at(i));
        else if (kind !== "money") {
          expect([name, memory.set.parcels.value(name).at(i)]).toEqual([
            name,
            files.parcels.value(name).at(i),
          ]);
        }
      }
      const key = Buffer.from("OAK");
      const sign = (table: Files["parcels"]) => Math.sign(table.text("situs_name").compare(i, key));
      expect(sign(memory.set.parcels)).toBe(sign(files.parcels));
    }
    const county = memory.set.parcels.dictionary("situs_status");
    expect(county.values).toEqual(files.parcels.dictionary("situs_status").values);
    expect(county.codeAt(3)).toBe(files.parcels.dictionary("situs_status").codeAt(3));
  });

  it("have the facts of owners in one number as the file has them, and as their columns say", () => {
    const inFile = ownerFactsReader(files as ParcelSet);
    const inMemory = ownerFactsReader(memory.set);
    const {parcels} = files;
    const sorts = {person: ownerClasses.person, persons: ownerClasses.several};
    for (let i = 0; i < parcels.rows; i++) {
      const facts = inFile(i);
      expect(inMemory(i)).toBe(facts);
      const acres = parcels.number("acres").at(i);
      const units = acreUnitsOf(facts);
      expect(units === null ? null : acresOf(units)).toBe(acres === null ? null : Number(acres.toFixed(4)));
      expect(countyOf(facts)).toBe(Number(parcels.string("county_key").at(i)!.slice(2)));
      const kind = parcels.string("owner_kind").at(i)!;
      expect(ownerClassOf(facts)).toBe(sorts[kind as keyof typeof sorts] ?? ownerClasses.other);
    }
    const known = Array.from({length: parcels.rows}, (_, i) => acreUnitsOf(inFile(i)) !== null);
    expect(new Set(known)).toEqual(new Set([true, false]));
  });

  it("are found no more once they are removed", () => {
    const parcels = createMemoryParcels({state: "TX", origin: "delta"});
    const [first, second] = [0, 1].map((i) => parcels.add({columns: columnsAt(i), record}));
    parcels.remove(first!);
    expect(parcels.size()).toBe(1);
    const rows = (index: Files["ids"]) => new Set(index.prefix("", 1_000).map((entry) => entry.row));
    expect([...rows(parcels.set.ids)]).toEqual([second]);
    expect(parcels.set.addresses.prefix("", 100).every(({row}) => row === second)).toBe(true);
    expect(
      Array.from({length: parcels.set.owners.terms}, (_, n) => [...parcels.set.owners.rowsAt(n)]).flat(),
    ).not.toContain(first);
    expect(parcels.set.points?.within({minX: -180, minY: -90, maxX: 180, maxY: 90})).not.toContain(first);
  });
});

it("texts stand in the order of their bytes, whatever was added and removed between looks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({unit: "grapheme", maxLength: 4}), fc.integer({min: 0, max: 9}))),
      (steps) => {
        const texts = createSortedTexts();
        const truth = new Set<string>();
        for (const [text, what] of steps) {
          if (what < 8) {
            texts.add(text);
            truth.add(text);
          } else {
            texts.remove(text);
            truth.delete(text);
          }
          if (what === 0) texts.withPrefix(text);
        }
        const sorted = [...truth].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(Array.from({length: texts.size()}, (_, i) => texts.at(i))).toEqual(sorted);
      },
    ),
    {numRuns: 300},
  );
});
