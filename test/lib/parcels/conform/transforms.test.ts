import fc from "fast-check";
import {beforeAll, describe, expect, test} from "vitest";
import {ConfigError} from "../../../../lib/errors.ts";
import {installMacros} from "../../../../lib/parcels/conform/functions.ts";
import {fieldSql, lookupTable, textSql, transformSql} from "../../../../lib/parcels/conform/transforms.ts";
import {type Database, openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";

describe("transforms", () => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase();
    await installMacros(db);
  });

  const text = async (transform: string[], ...cells: (string | null)[]) => {
    const literals = cells.map((cell) => (cell === null ? "NULL::VARCHAR" : `trim_text(${sqlText(cell)})`));
    const [row] = await db.rows<{text: unknown}>(`SELECT ${transformSql({transform}, literals)} AS text`);
    return row!.text;
  };

  test.each([
    [["trim"], ["  LOT 1 "], "LOT 1"],
    [["upper"], ["lot 1"], "LOT 1"],
    [["nullText"], ["Not Applicable"], null],
    [["text"], ["NA"], "NA"],
    [["number"], ["1,200"], "1200"],
    [["money"], ["$ 7"], "7"],
    [["areaText"], ["2 AC"], "2.0"],
    [["scale:0.1"], ["25"], "2.5"],
    [["zip5"], ["33149-0000"], "33149"],
    [["zip5"], ["33149-"], "33149"],
    [["zip5"], ["33149 0000"], "33149"],
    [["zip5"], ["2139.0"], "2139"],
    [["zip5"], ["331490"], null],
    [["zip5"], ["2139-1234"], null],
    [["epochMs"], ["0"], "1970-01-01"],
    [["ymd"], ["20250801"], "2025-08-01"],
    [["mdy"], ["4/1/2010"], "2010-04-01"],
    [["longDate"], ["Sep 4, 2000"], "2000-09-04"],
    [["date"], ["2025-08-01 00:00:00"], "2025-08-01"],
    [["date"], ["4/1/2010"], "2010-04-01"],
    [["date"], ["Sep 4, 2000"], "2000-09-04"],
    [["date"], ["1/32/2015"], null],
    [["join:-"], ["01", null, "03"], "01-03"],
    [["join"], ["LOT", "1"], "LOT 1"],
    [["join::"], ["1", "2"], "1:2"],
    [["concat:::"], ["1", "2"], "1::2"],
    [["split"], ["1-22-3"], "1"],
    [["first"], [null, "B"], "B"],
    [["first:4"], ["2027 Spring Roll"], "2027"],
    [["split:-:2"], ["1-22-3"], "22"],
    [["after::"], ["A:B"], "B"],
    [["after:x"], ["AB"], null],
    [["before:."], ["54500.000"], "54500"],
    [["replace:/:-"], ["1/2"], "1-2"],
    [["codes:01=ELM: WEST|02=A=B"], ["01"], "ELM: WEST"],
    [["codes:01=ELM: WEST|02=A=B"], ["02"], "A=B"],
    [["codes:01=ELM: WEST|02=A=B"], ["3"], "3"],
    [["constant:RURAL"], [null], "RURAL"],
    [["concat"], ["N", "5"], "N5"],
    [["ownerLines"], ["A", "B"], "A\nB"],
    [["member:names"], [`{'names': ["DALE O'HARLOW", 'ADA VOSS'], 'id': 7}`], "DALE O'HARLOW\nADA VOSS"],
    [["member:mail", "member:city"], ['{"id": 7, "mail": {"zip": "67401", "city": "Salina"}}'], "Salina"],
    [["member:id"], ['{"id": 7, "mail": null}'], "7"],
    [["member:mail"], ['{"id": 7, "mail": null}'], null],
    [["member:mail"], ["HARLOW DALE"], null],
    [["distinct:; "], ["9 OAK ST; 9 OAK ST; 7 OAK ST"], "9 OAK ST; 7 OAK ST"],
    [["sum:; "], ["$1,000; 1000.50"], "2000.50"],
    [["sum:; "], ["1000; n.b."], null],
    [["concat", "before:-", "upper"], ["a", "b-c"], "AB"],
  ])("%s of %s give %s", async (transform, cells, expected) =>
    expect(await text(transform, ...cells)).toBe(expected),
  );

  // A NUL would end the SQL that holds the text.
  const anyText = fc.string({unit: "binary"}).map((text) => text.replaceAll("\0", ""));
  const valuesOf = async (transform: string, cells: readonly string[]) => {
    const rows = cells.map((cell, i) => `(${i}, trim_text(${sqlText(cell)}))`).join(", ");
    const sql = `SELECT ${transformSql({transform: [transform]}, ["x"])} AS text FROM (VALUES ${rows}) cells(i, x) ORDER BY i`;
    return (await db.rows<{text: unknown}>(sql)).map(({text}) => text);
  };

  test.each(["epochMs", "ymd", "mdy", "longDate", "money", "areaText"])(
    "fail at no text (%s)",
    async (transform) => {
      const cells = fc.sample(anyText, {numRuns: 300, seed: 7});
      expect(await valuesOf(transform, cells)).toHaveLength(cells.length);
    },
  );

  test("read every day as itself", async () => {
    const anyDay = fc.date({min: new Date("1800-01-01"), max: new Date("2026-11-20"), noInvalidDate: true});
    const days = fc.sample(anyDay, {numRuns: 300, seed: 7});
    const printed = days.map((day) => day.toISOString().slice(0, 10));
    expect(await valuesOf("ymd", printed)).toEqual(printed);
    expect(
      await valuesOf(
        "epochMs",
        days.map((day) => `${day.getTime()}`),
      ),
    ).toEqual(printed);
  });

  test("that join twice, or lack a number, are faults of the entry", async () => {
    await expect(text(["join:-", "concat"], "A")).rejects.toThrow(ConfigError);
    await expect(text(["upper", "upper"], "a")).resolves.toBe("A");
    for (const step of ["scale", "scale:", "scale: ", "scale:x", "scale:1e999"])
      await expect(text([step], "25"), step).rejects.toThrow('transform "scale"');
    for (const step of ["split:-:x", "split:-:-1", "split:-:1.5", "first:x"])
      await expect(text([step], "1-2"), step).rejects.toThrow("expected a whole number");
    await expect(text(["member:a b"], "{}")).rejects.toThrow("expected the name of a member");
    for (const name of ["A", "a/b", "", "absent"])
      await expect(text([`lookup:${name}`], "1"), name).rejects.toThrow(ConfigError);
  });

  test("take the first cell that is known, where none joins them", async () => {
    expect(await text([], "N/A", "0", "B")).toBe("0");
    expect(await text([], "N/A")).toBe("N/A");
    expect(await text([])).toBeNull();
    expect(await text(["join:-"], "N/A", "B")).toBe("B");
    expect(await text(["constant:A:B", "upper"], "c")).toBe("A:B");
  });

  test("lookup gives the value of a key, folded as the table's keys are", async () => {
    const table = lookupTable("vt-towns");
    expect(lookupTable("vt-towns")).toBe(table);
    expect(table.size).toBeGreaterThan(0);
    for (const [key, value] of [...table].slice(0, 9))
      expect(await text(["lookup:vt-towns"], ` ${key.toLowerCase()}.0`)).toBe(value);
    expect(await text(["lookup:vt-towns"], "no such key")).toBeNull();
  });

  test("are parted where the first one reads a number or a day: before it stands what the source gave", async () => {
    const read = async (
      kind: Parameters<typeof fieldSql>[1],
      transform: string[] | undefined,
      cell: string,
    ) => {
      const column = kind === "text" ? "subdivision" : "figure";
      const {given, value} = fieldSql(column, kind, {from: "cell", ...(transform && {transform})});
      const shown = value.replaceAll(`"~given ${column}"`, "g");
      const [row] = await db.rows<{given: unknown; value: unknown}>(
        `WITH read AS MATERIALIZED (SELECT ${given} AS g FROM (SELECT ${sqlText(cell)} AS cell))
         SELECT g AS given, (${shown})::VARCHAR AS value FROM read`,
      );
      return [row!.given, row!.value];
    };
    expect(await read("float64", ["before:;", "scale:0.1", "number"], "25;7")).toEqual(["25", "2.5"]);
    expect(await read("float64", ["before:;"], "25;7")).toEqual(["25", "25.0"]);
    expect(await read("float64", undefined, "N/A")).toEqual([null, null]);
    expect(await read("money", ["money"], "$ 7.5")).toEqual(["$ 7.5", "7.50"]);
    expect(await read("int16", undefined, "1930.0")).toEqual(["1930.0", "1930"]);
    expect(await read("int32", undefined, "99999999999")).toEqual(["99999999999", null]);
    expect(await read("date", undefined, "20250801")).toEqual(["20250801", "2025-08-01"]);
    expect(await read("date", ["mdy"], "8/1/2025")).toEqual(["8/1/2025", "2025-08-01"]);
    expect(await read("bool", undefined, "true")).toEqual(["true", "true"]);
    expect(await read("text", undefined, "NA")).toEqual(["NA", null]);
    expect(await read("text", ["text"], "NA")).toEqual(["NA", "NA"]);
  });

  test("of a name alone are its cell", () => {
    expect(textSql("Pin")).toBe('"^Pin"');
    expect(textSql({from: "Pin", transform: ["upper"]})).toBe(
      transformSql({transform: ["upper"]}, ['"^Pin"']),
    );
  });
});
