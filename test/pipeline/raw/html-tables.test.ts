import {expect, test} from "vitest";
import {htmlTables} from "../../../pipeline/raw/html-tables.ts";

test("puts in the end tags of cells, rows and paragraphs that a page leaves out", () => {
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

test("takes the innermost tables alone, and leaves scripts and styles out", () => {
  const inner = "<table><tr><td>a<script>var x = 1</script><style>b{}</style></table>";
  expect(htmlTables(`<table><tr><td>${inner}<td>${inner}</table><table><tr><td>z</table>`)).toEqual([
    [["a"]],
    [["a"]],
    [["z"]],
  ]);
});

test("a cell that spans columns stands in the first of them, and no cell spans a million", () => {
  expect(htmlTables("<table><tr><td colspan=3>a<td>b<tr><td colspan=1000000>c</table>")).toEqual([
    [["a", "", "", "b"], ["c"]],
  ]);
});

test.each([
  ["cells", "<td>x"],
  ["rows", "<tr><td>x"],
  ["paragraphs in cells", "<td><p>x"],
  ["bold texts", "<b>x"],
])("a page of 20,000 %s without end tags is read in a moment", (_, piece) => {
  const before = process.cpuUsage();
  htmlTables(`<table><tr>${piece.repeat(20_000)}`);
  // Processor time: how busy the machine is does not count.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

test("a page that nests deeper than calls can is read", () => {
  expect(htmlTables(`<table><tr><td>${"<span>".repeat(20_000)}deep</table>`)).toEqual([[["deep"]]]);
});
