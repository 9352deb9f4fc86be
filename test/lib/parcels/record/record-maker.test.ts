import {expect, it} from "vitest";
import {foundParcel} from "../../../../lib/delta/found-parcel.ts";
import {createRecordMaker} from "../../../../lib/parcels/record/record-maker.ts";
import {privateKib} from "../../../../server/cadastre/process-cost.ts";
import {findOf} from "../../../delta/fake-county.ts";

const {upsert} = findOf({id: "0101-0001", situs: "101 ELM ST", owner: "QUISTAD JUNE", lon: -97.7, lat: 30.3});
const {columns} = foundParcel({...upsert, seq: 1, observedAt: "2026-11-20T10:00:00.000Z"});

it("records that are made one by one leave less than 80 MiB, however many they are", async () => {
  const maker = createRecordMaker();
  const [first] = await maker.make([columns]);
  const before = privateKib(process.pid);
  for (let i = 0; i < 300; i++) expect(await maker.make([columns])).toEqual([first]);
  expect(privateKib(process.pid) - before).toBeLessThan(80 * 1024);
  await maker.close();
});
