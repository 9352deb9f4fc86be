import {expect, test} from "vitest";
import {htmlSection, htmlTable} from "../../../pipeline/report/html.ts";

test("right-aligns a column of numbers and its heading, even if some rows lack one", () => {
  const table = htmlTable(
    "Parts",
    ["part", "before", "change"],
    [
      ["AZ", 144, "+1,200"],
      ["TX", "-", "-"],
    ],
  );
  expect(table).toContain('<th scope="col">part</th><th scope="col" class="n">before</th>');
  expect(table).toContain('<td>TX</td><td class="n">-</td><td class="n">-</td>');
  expect(table).toContain('<td class="n">+1,200</td>');
});

test("offers no table to open in a section without rows", () => {
  const section = {id: "rejections", heading: "Rejected", caption: "None.", plot: null, folded: true};
  expect(htmlSection({...section, table: null})).not.toContain("<details>");
  expect(htmlSection({...section, table: "<table></table>"})).toContain("<details>");
});
