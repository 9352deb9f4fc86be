import {linkSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {openArrowTable} from "@open-cattle/mapped-index";
import {expect, it} from "vitest";
import {createFindMaker} from "../../../lib/delta/find-maker.ts";
import {provenanceReader, writeProvenanceTexts} from "../../../lib/parcels/record/provenance-file.ts";
import {renewTexts} from "../../../pipeline/parts/part-outcome.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const origins = [
  {
    sourceId: "us-zz-invented",
    vintage: "2025-08-01",
    vintageBasis: "row_date",
    retrievedAt: "2026-11-14T03:10:00Z",
    authority: "county",
    proposedMap: false,
  },
];
const sources = () => undefined;

function confidenceIn(path: string): number {
  const bytes = new Uint8Array(readFileSync(path)).buffer;
  const {json} = provenanceReader(openArrowTable(bytes), path)(0);
  return (JSON.parse(json.toString()) as {default: {confidence: number}}).default.confidence;
}

it("gives a reused state the confidences of the day of its build, and leaves the files of other builds alone", async () => {
  const maker = createFindMaker();
  const [record] = await maker.make([
    {
      parcel_uid: "48453-1",
      country: "US",
      state: "TX",
      county_key: "48453",
      county_name: "TRAVIS",
      flags: [],
    },
  ]);
  await maker.close();
  const folder = temporaryFolder();
  const [earlier, reused] = [join(folder, "earlier.arrow"), join(folder, "reused.arrow")];
  // The row's only origin has number 0.
  const kinds = [record!.kind.replace("|,", "|0,")];
  await writeProvenanceTexts(earlier, {kinds, origins}, {asOf: "2026-11-21", sources});
  linkSync(earlier, reused);
  expect(await renewTexts(reused, {asOf: "2026-11-22", sources})).toBe(false);
  // 800 days after its vintage, a slowly ageing fact loses a twentieth.
  expect(await renewTexts(reused, {asOf: "2027-10-12", sources})).toBe(true);
  expect([confidenceIn(earlier), confidenceIn(reused)]).toEqual([1, 0.95]);
});
