import {test} from "vitest";
import {sale_cells} from "../../../../pipeline/market/answers/aggregates.ts";
import {given} from "../../../lib/models/given.ts";

const lot = {issue_no: 1, cell_no: 7, h: 10, w: 700, cents: 30_000, price_avg: 300};

test("sums usable rows of each cell in each issue, and counts the others", async () => {
  const usable = {...lot, usable: true, outlier: false};
  const sums = await given({
    sold_issues: [
      {issue_no: 1, age: 3},
      {issue_no: 2, age: 200},
    ],
    cell_rows: [
      usable,
      {...usable, h: 5, w: 720, cents: 29_000, price_avg: 290},
      {...lot, usable: false, outlier: false},
      {...usable, outlier: true, cents: 90_000, price_avg: 900},
      // Of an issue that is neither served nor compared with.
      {...usable, issue_no: 2},
    ],
  }).expect(sale_cells);
  sums.toMatchObject([
    {
      issue_no: 1,
      cell_no: 7,
      ...{pounds: 10_600n, heads: 15n, weighed_heads: 15n},
      ...{pound_cents: 314_400_000n, head_cents: 445_000n},
      ...{row_count: 2n, rows_excluded: 1n},
    },
  ]);
});
