import {expect, test} from "vitest";
import {parquetRows} from "./parquet-rows.ts";
import {built, invented, rawFiles} from "./raw-folder.ts";

test("R05: titles, repeated headers, pages and sums of a listing are no parcels", async () => {
  const header = "PIN,SITUS,OWNER,VALUE,ACRES,YEAR";
  const line = (i: number) => `K${1000 + i},${i} OAK ST,HARLOW DALE,1000,2,2026`;
  const page = (from: number) => Array.from({length: 20}, (_, i) => line(from + i));
  const text = [
    "KEMPER COUNTY APPRAISER,,,,,",
    "Parcel listing 06/01/2026,,,,,",
    ",,,,,",
    header,
    ...page(0),
    "Page 1,,,,,",
    header,
    ...page(20),
    "Page 2,,,,,",
    header,
    ...page(40),
    "TOTAL PARCELS: 60,,,,2370,",
  ].join("\n");
  const {files, outDir} = await built(await rawFiles({"a.csv": text}), [
    invented({accept: {minRows: 1, maxRejectShare: 0.2, maxDropShare: 0.1, rows: []}}),
  ]);
  expect(files[0]).toMatchObject({accepted: 60, rejected: {non_parcel: 2, not_a_parcel_row: 3}});
  expect(await parquetRows(outDir, "parcels", "parcel_id")).toHaveLength(60);
});

test("a parcel of which a listing says little else stays, whatever its number looks like", async () => {
  const text = [
    "PIN,SITUS,OWNER,VALUE,ACRES,YEAR",
    "12 A 34,,,,2,",
    "TOTAL LOT 7,7 OAK ST,HARLOW DALE,,,2026",
  ].join("\n");
  const {files} = await built(await rawFiles({"a.csv": text}));
  expect(files[0]).toMatchObject({accepted: 2, rejected: {}});
});
