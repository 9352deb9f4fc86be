import {expect, test} from "vitest";
import {bareEntry} from "../../../pipeline/parcels/invented-source.ts";
import {conformed} from "./conformed.ts";

const entry = bareEntry({
  fields: {subdivision: {from: "NAME"}, legal_desc: {from: "LEGAL"}, situs_raw: {from: "SITUS"}},
});

test("the cells of a row lose control characters and characters without width, whatever file they come from", async () => {
  const {rows} = await conformed(entry, [
    {
      PIN: "1",
      NAME: "DOE\u001b]0;x\u0007 \u202eJANE",
      LEGAL: "LOT\u001f1\u001eBLK\u200b2",
      SITUS: "12 ELM ST",
    },
    {
      PIN: "\u200b2\ufeff",
      NAME: "'ROE' \"JIM\" \\ ",
      LEGAL: "LOT 1\tBLK 2\r\nOF 3",
      SITUS: "14\u200d ELM ST",
    },
  ]);
  expect(rows).toMatchObject([
    {parcel_id: "1", subdivision: "DOE ]0;x  JANE", legal_desc: "LOT 1 BLK2", situs_number: "12"},
    {parcel_id: "2", subdivision: "'ROE' \"JIM\" \\", legal_desc: "LOT 1\tBLK 2\nOF 3", situs_number: "14"},
  ]);
});

test("a parcel number with a control character is another one without it, and is rejected", async () => {
  const ids = ["12\u001b34", "12\u001f34", "12\u008534", "12\n34", "12\u202834"];
  const {rows} = await conformed(
    entry,
    ids.map((PIN) => ({PIN})),
  );
  expect(rows.map(({_reject}) => _reject)).toEqual(ids.map(() => "control_character"));
});
