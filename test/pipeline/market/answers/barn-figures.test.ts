import {expect, it} from "vitest";
import {barn_figures} from "../../../../pipeline/market/answers/barn-figures.ts";
import {marsAnswer, marsRow, withReading} from "../raw-folder.ts";

it("reports the classes and sales of a barn's last 365 days, the first of them included", async () => {
  const sold = (day: string, kind: string) =>
    marsRow({
      class: kind,
      report_date: day,
      report_begin_date: day,
      report_end_date: day,
      published_date: `${day} 18:05:00`,
    });
  const files = {
    "mars/a.json": marsAnswer([sold("11/20/2025", "Bulls")]),
    "mars/b.json": marsAnswer([sold("11/21/2025", "Heifers")]),
    "mars/c.json": marsAnswer([sold("11/18/2026", "Steers")]),
  };
  await withReading({files, asOf: "2026-11-21"}, async ({db, run}) => {
    await run.make(barn_figures);
    const [figures] = await db.rows(
      "SELECT classes, reports_365, first_sale::VARCHAR AS first FROM barn_figures",
    );
    expect(figures).toEqual({classes: ["heifers", "steers"], reports_365: 2, first: "2025-11-20"});
  });
});
