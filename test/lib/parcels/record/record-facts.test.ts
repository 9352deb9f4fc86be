import {renameSync} from "node:fs";
import {join} from "node:path";
import fc from "fast-check";
import {expect, test} from "vitest";
import {openStateArtifacts} from "../../../../lib/parcels/parcel-set.ts";
import {factsJoiner} from "../../../../lib/parcels/record/record-facts.ts";
import {writeArrowRows} from "../../../../lib/storage/arrow-file/write.ts";
import {openArrowTable} from "../../../../lib/storage/arrow-table/open.ts";
import {rowChecksum} from "../../../../lib/storage/arrow-table/row-checksum.ts";
import {mapFile} from "../../../../lib/system/mapped-file.ts";
import {writeState} from "../../../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";

const name = fc.string({unit: "grapheme", minLength: 1, maxLength: 9});
const value = fc.oneof(fc.string({unit: "binary", minLength: 0, maxLength: 30}), fc.nat(), fc.boolean());

test("the facts of a record are the object of its names and values, without braces", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.tuple(name, value)), (uid, members) => {
      const texts = [uid, uid, ...members.map(([, each]) => each)].map((each) => JSON.stringify(each));
      for (let at = 1; at < texts.length; at++) if (texts[at] === texts[at - 1]) texts[at] = "";
      const facts = factsJoiner(members.map(([each]) => each))(Buffer.from(texts.join("\n")));
      const wanted = [["_id", uid], ["parcelUid", uid], ...members];
      const pairs = wanted.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`);
      expect(facts.toString()).toBe(pairs.join(","));
    }),
  );
});

test("values that are fewer or more than the names are refused", () => {
  const join = factsJoiner(["city", "acres"]);
  expect(join(Buffer.from('"1"\n\n"A"\n2')).toString()).toBe(
    '"_id":"1","parcelUid":"1","city":"A","acres":2',
  );
  for (const values of ['"1"', '"1"\n\n"A"', '"1"\n\n"A"\n2\n3', ""]) {
    expect(() => join(Buffer.from(values))).toThrow(RangeError);
  }
});

test("a state of format 3, whose records hold the names, answers the same records", async () => {
  const parcels = [
    {county: "48453", id: "0101-0001", situs: "101 ELM ST", owner: "QUISTAD JUNE", lon: -97.7, lat: 30.3},
    {county: "48453", id: "0101-0002", columns: {source_url: "https://county.example.org/2", acres: 2}},
  ];
  const folder = temporaryFolder();
  const state = await writeState(folder, "TX", {parcels});
  const wanted = parcels.map((_, row) => state.record(row));
  expect(wanted.map(({facts}) => Buffer.from(facts).toString())).toEqual([
    expect.stringContaining('"_id":"48453-0101-0001","parcelUid":"48453-0101-0001",'),
    expect.stringContaining('"acres":2,'),
  ]);

  const path = join(folder, "TX", "records.arrow");
  renameSync(path, `${path}.4`);
  const table = openArrowTable(mapFile(`${path}.4`).buffer);
  const rows = wanted.map(({facts, sourceUrl}, row) => {
    const provenance = table.number("provenance").at(row)!;
    const texts = [facts, Buffer.from(sourceUrl ?? "")];
    const crc32 = rowChecksum(texts, row, provenance);
    return {facts: Buffer.from(facts).toString(), provenance, source_url: sourceUrl, crc32};
  });
  const columns = [
    {name: "facts", kind: "text", nullable: false},
    {name: "provenance", kind: "int32", nullable: false},
    {name: "source_url", kind: "text", nullable: true},
    {name: "crc32", kind: "uint32", nullable: false},
  ] as const;
  await writeArrowRows({path, columns, rows});
  const older = openStateArtifacts(join(folder, "TX"), {...state.part, files: []});
  for (const [row, {facts, sourceUrl}] of wanted.entries()) {
    const record = older.record(row);
    expect([Buffer.from(record.facts).toString(), record.sourceUrl]).toEqual([
      Buffer.from(facts).toString(),
      sourceUrl,
    ]);
  }
});
