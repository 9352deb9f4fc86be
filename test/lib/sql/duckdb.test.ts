import {expect, it} from "vitest";
import {onOneThread, openDatabase} from "../../../lib/sql/duckdb.ts";

it("gives the other thread back after steps on one, also where one of them fails", async () => {
  const db = await openDatabase({threads: 2});
  const threads = async () => (await db.rows("SELECT current_setting('threads')::INTEGER AS n"))[0];
  expect(await onOneThread(db, threads)).toEqual({n: 1});
  await expect(onOneThread(db, () => db.run("SELECT no_column"))).rejects.toThrow("no_column");
  expect(await threads()).toEqual({n: 2});
  db.close();
});
