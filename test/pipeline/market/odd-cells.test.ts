import {expect, test} from "vitest";
import {marsAnswer, marsRow, withReading} from "./raw-folder.ts";

type Cells = {frame: string | null; lots: string[]; text: string | null; head: number | null};

async function cellsOf(change: Readonly<Record<string, unknown>>): Promise<Cells | undefined> {
  let found: Cells[] = [];
  await withReading({files: {"mars/a.json": marsAnswer([marsRow(change)])}}, async ({db}) => {
    found = await db.rows<Cells>(
      "SELECT frame, lot_descriptors AS lots, lot_description AS text, head_count AS head FROM price_rows",
    );
  });
  return found[0];
}

test("describes a list of lot words like its text, never as a plain lot", async () => {
  const asText = await cellsOf({lot_desc: "Fancy, Value Added"});
  expect(asText!.lots).toEqual(["fancy", "value_added"]);
  expect(await cellsOf({lot_desc: ["Fancy", "Value Added"]})).toEqual(asText);
  expect((await cellsOf({lot_desc: {word: "Fancy"}}))!.lots).toEqual(["other"]);
});

test("calls a fractional head count unknown instead of truncating it", async () => {
  expect((await cellsOf({head_count: 41.0}))!.head).toBe(41);
  expect((await cellsOf({head_count: 2.5}))!.head).toBeNull();
});
