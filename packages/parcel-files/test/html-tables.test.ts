import {expect, test} from "vitest";
import {htmlTables} from "../src/html-tables.ts";

test("adds omitted end tags of cells, rows and paragraphs", () => {
  const page =
    "<table><tr><th>Name<th>City<tr><td><p>North<p>Barn<td>Tulsa<br>OK<tr><td>South<td>Enid</table>";
  expect(htmlTables(page)).toEqual([
    [
      ["Name", "City"],
      ["North Barn", "Tulsa OK"],
      ["South", "Enid"],
    ],
  ]);
});

test("reads only the innermost tables, without scripts and styles", () => {
  const inner = "<table><tr><td>a<script>var x = 1</script><style>b{}</style></table>";
  expect(htmlTables(`<table><tr><td>${inner}<td>${inner}</table><table><tr><td>z</table>`)).toEqual([
    [["a"]],
    [["a"]],
    [["z"]],
  ]);
});

test("puts a cell that spans columns into the first one, and bounds the span", () => {
  expect(htmlTables("<table><tr><td colspan=3>a<td>b<tr><td colspan=1000000>c</table>")).toEqual([
    [["a", "", "", "b"], ["c"]],
  ]);
});

test.each([
  ["cells", "<td>x"],
  ["rows", "<tr><td>x"],
  ["paragraphs in cells", "<td><p>x"],
  ["bold texts", "<b>x"],
])("reads a page of 20,000 %s without end tags quickly", (_, piece) => {
  const before = process.cpuUsage();
  htmlTables(`<table><tr>${piece.repeat(20_000)}`);
  // CPU time, independent of the machine's load.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

test("reads a page nested deeper than the call stack", () => {
  expect(htmlTables(`<table><tr><td>${"<span>".repeat(20_000)}deep</table>`)).toEqual([[["deep"]]]);
});
