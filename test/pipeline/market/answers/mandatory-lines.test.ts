import {expect, test} from "vitest";
import {
  compareLines,
  type MandatoryLine,
  type ReportRow,
} from "../../../../pipeline/market/answers/mandatory-lines.ts";

const line = (day: string, said: Partial<MandatoryLine> = {}) =>
  ({
    ...{id: "b", of: {report_date: day} as ReportRow, price_basis_live: "live", head_count: 100},
    ...{grade_printed: "Total all grades", purchase_type: "negotiated", price_avg: 230, ...said},
  }) as MandatoryLine;

test("negotiated totals come before the cutout, other totals and single grades, whatever their day, and withheld prices last", () => {
  const inOrder = [
    line("2026-11-16", {purchase_type: null, grade_printed: null}),
    line("2026-11-15"),
    line("2026-11-15", {head_count: 99}),
    line("2026-11-15", {head_count: 99, id: "c"}),
    line("2026-11-16", {price_basis_live: "cutout", grade_printed: "choice 600-900"}),
    line("2026-11-16", {purchase_type: "formula"}),
    line("2026-11-14", {purchase_type: "negotiated_grid"}),
    line("2026-11-17", {grade_printed: "Over 80% Choice"}),
    line("2026-11-16", {grade_printed: "Premium", purchase_type: "formula"}),
    line("2026-11-18", {price_avg: null}),
  ];
  expect(inOrder.toReversed().sort(compareLines)).toEqual(inOrder);
});
