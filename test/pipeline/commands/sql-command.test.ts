import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {Command, CommanderError} from "commander";
import {afterEach, expect, test, vi} from "vitest";
import {UsageError, UserError} from "../../../lib/errors.ts";
import {sqlCommand} from "../../../pipeline/commands/sql-command.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

afterEach(() => vi.restoreAllMocks());

/** The command's output for a statement over a build without tables, on a terminal with so many columns or elsewhere. */
async function asked(sql: string, flags: string[] = [], columns: number | null = null): Promise<string> {
  const out = temporaryFolder();
  mkdirSync(join(out, "builds", "20261121-3f9c1a"), {recursive: true});
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const terminal = process.stdout as {isTTY?: boolean; columns?: number};
  const {isTTY, columns: before} = terminal;
  Object.assign(terminal, {isTTY: columns !== null, columns: columns ?? undefined});
  const cattle = new Command().exitOverride().configureOutput({writeErr: () => undefined});
  sqlCommand(cattle);
  try {
    await cattle.parseAsync(["sql", sql, "--out", out, "--build", "20261121-3f9c1a", ...flags], {
      from: "user",
    });
  } finally {
    Object.assign(terminal, {isTTY, columns: before});
    vi.restoreAllMocks();
  }
  return printed;
}

const numbers = (count: number) => `SELECT i AS n, 'x' || i AS name FROM range(1, ${count + 1}) AS r(i)`;

test("a table has its names above, numbers on the right, texts on the left, and the number of rows", async () => {
  expect(await asked("FROM (VALUES (7, 'a', NULL), (12345, 'longer', NULL)) AS v(amount, word, none)")).toBe(
    "amount  word    none\n     7  a       NULL\n 12345  longer  NULL\n2 rows\n",
  );
  expect(await asked("SELECT 1 AS n, 'a' AS word WHERE false")).toBe("n  word\n0 rows\n");
  expect(await asked("SELECT [1, 2] AS list, 'a\n b' AS text")).toBe("list   text\n[1,2]  a b\n1 rows\n");
});

test("prints 40 rows on a terminal and says that there are more; elsewhere all rows, or as many as requested", async () => {
  const lines = async (...asks: Parameters<typeof asked>) => (await asked(...asks)).trimEnd().split("\n");
  expect(await lines(numbers(40), [], 80)).toHaveLength(42);
  expect((await lines(numbers(40), [], 80)).at(-1)).toBe("40 rows");
  expect((await lines(numbers(41), [], 80)).slice(-2)).toEqual([
    expect.stringMatching(/^40 +x40$/),
    expect.stringMatching(/^40 rows; there are more/),
  ]);
  expect((await lines(numbers(1200))).at(-1)).toBe("1,200 rows");
  expect(await lines(numbers(3), ["--limit", "2"])).toEqual([
    ...["n  name", "1  x1", "2  x2"],
    expect.stringMatching(/^2 rows; there are more/),
  ]);
  expect((await lines(numbers(5000), ["--limit", "4000"])).at(-1)).toMatch(/^4,000 rows; there are more/);
  expect((await lines(numbers(3), ["--limit", "3"], 80)).at(-1)).toBe("3 rows");
  expect((await lines(numbers(3), ["--limit", "0"])).slice(0, 1)).toEqual(["n  name"]);
});

test("a terminal shows the columns that it has room for, names ten of the others, and cuts long cells", async () => {
  const wide = (count: number) =>
    `SELECT ${Array.from({length: count}, (_, i) => `'abcd' AS c${i}`).join(", ")}`;
  expect(await asked(wide(3), [], 16)).toBe("c0    c1    c2\nabcd  abcd  abcd\n1 rows\n");
  expect(await asked(wide(3), [], 15)).toMatch(/^c0 {4}c1\nabcd {2}abcd\n1 rows\n1 columns left out: c2; /);
  expect(await asked(wide(12), [], 10)).toMatch(/\n10 columns left out: c2, .*, c11; /);
  expect(await asked(wide(14), [], 10)).toMatch(/\n12 columns left out: c2, .*, c11 and 2 more; /);
  const long = `SELECT repeat('y', 100) AS text, 1 AS n`;
  expect(await asked(long, [], 100)).toBe(`text${" ".repeat(46)}n\n${"y".repeat(47)}…  1\n1 rows\n`);
  expect(await asked(long, [], 10)).toMatch(
    new RegExp(`^text\n${"y".repeat(9)}…\n1 rows\n1 columns left out: n;`),
  );
  expect(await asked(long)).toContain("y".repeat(100));
});

test("CSV quotes what it has to and is never cut; JSON is one list of objects", async () => {
  const sql = `SELECT 'a,b' AS "x""y", 'say "hi"' AS q, 'two\nlines' AS l, NULL AS none, {'a': 1} AS s, 'plain' AS p, '\\xAB\\x01'::BLOB AS bytes`;
  expect(await asked(sql, ["--csv"], 10)).toBe(
    '"x""y",q,l,none,s,p,bytes\n"a,b","say ""hi""","two\nlines",,"{""a"":1}",plain,ab01\n',
  );
  expect(await asked(numbers(41), ["--csv"], 20)).toMatch(/\n41,x41\n$/);
  expect(await asked(numbers(41), ["--csv", "--limit", "2"])).toBe("n,name\n1,x1\n2,x2\n");
  expect(await asked(numbers(9), ["--csv", "--limit", "0"])).toBe("n,name\n");
  const json = await asked(numbers(3000), ["--json"]);
  expect(JSON.parse(json)).toHaveLength(3000);
  expect(json).toMatch(/^\[\n \{"n":1,"name":"x1"\},\n \{.*\}\n\]\n$/s);
  expect(await asked(numbers(3), ["--json", "--limit", "0"])).toBe("[]\n");
});

test("the line of a COPY names its file and rows", async () => {
  const file = join(temporaryFolder(), "it's.csv");
  const quoted = file.replaceAll("'", "''");
  expect(await asked(`COPY (${numbers(1500)}) TO '${quoted}' (FORMAT csv)`)).toBe(`${file}: 1,500 rows\n`);
  expect(await asked(`SELECT 'to ''x''' AS a, 5 AS n`)).toMatch(/1 rows\n$/);
  expect(JSON.parse(await asked(`COPY (${numbers(2)}) TO '${quoted}'`, ["--json"]))).toEqual([{Count: 2}]);
});

test.each([
  ["nothing but blanks, comments and semicolons", " ; -- SELECT 1\n /* SELECT\n 2 */ ;", [], UsageError],
  ["a table that is not there", "SELECT * FROM nowhere", [], UserError],
  ["a value that is no number while rows come", "SELECT 'x'::INTEGER", [], UserError],
  ["a limit that is no whole number", "SELECT 1", ["--limit", "1.5"], CommanderError],
  ["a limit of ten figures", "SELECT 1", ["--limit", "1234567890"], CommanderError],
  ["two forms at once", "SELECT 1", ["--csv", "--json"], CommanderError],
])("refuses %s", async (_, sql, flags, kind) => {
  await expect(asked(sql, flags)).rejects.toThrow(kind);
});
