import {expect, test} from "vitest";
import {sale_pens} from "../../../../pipeline/market/answers/sale-pens.ts";
import {given} from "../../../lib/models/given.ts";

const cell = {
  ...{commodity: "feeder_cattle", class: "steers", frame: "medium_and_large", muscle_grade: "1"},
  ...{price_unit: "per_cwt", lot_descriptors: "[]"},
};
const row = {usable: true, outlier: false, w_imputed: false, h: 10, cents: 40_050, w: 550};
const issue = {
  ...{state: "KS", venue_id: "ks-a", report_scope: "venue", report_program: "voluntary", source_id: "mars"},
  ...{report_end_date: "2026-11-18", age: 3, issue_status: "final"},
};

test("the pens of a curve are those of Medium and Large 1 and 1-2 without comment, by issue and class; bulls have their cell", async () => {
  const pens = await given({
    cells: [
      {...cell, cell_no: 1},
      {...cell, cell_no: 2, muscle_grade: "1-2"},
      {...cell, cell_no: 3, muscle_grade: "2"},
      {...cell, cell_no: 4, lot_descriptors: "[fleshy]"},
      {...cell, cell_no: 5, class: "bulls"},
      {...cell, cell_no: 6, price_unit: "per_head"},
    ],
    cell_rows: [
      ...[1, 2, 3, 4, 5, 6].map((no) => ({...row, issue_no: 1, cell_no: no, row_ordinal: 10 - no})),
      {...row, issue_no: 1, cell_no: 1, row_ordinal: 20, outlier: true},
      {...row, issue_no: 1, cell_no: 1, row_ordinal: 21, usable: false},
      {...row, issue_no: 1, cell_no: 1, row_ordinal: 22, w_imputed: true},
      ...[2, 3, 4, 5].map((issue_no) => ({...row, issue_no, cell_no: 1, row_ordinal: 1})),
      // Sales of grade 2 and of a lot with a comment alone: known by their day where a barn may be compared.
      ...[6, 7, 8].flatMap((issue_no) =>
        [3, 4].map((no) => ({...row, issue_no, cell_no: no, row_ordinal: no})),
      ),
    ],
    current_issues: [
      {...issue, issue_no: 1, issue_id: "ams-1@a"},
      {...issue, issue_no: 2, issue_id: "ams-2@b", report_scope: "state_summary", venue_id: null},
      {...issue, issue_no: 3, issue_id: "ams-3@c", age: 40},
      {...issue, issue_no: 4, issue_id: "ams-4@d", age: 370},
      {...issue, issue_no: 5, issue_id: "ams-5@e", report_scope: "direct"},
      {...issue, issue_no: 6, issue_id: "ams-6@f", age: 28},
      {...issue, issue_no: 7, issue_id: "ams-7@g", age: 370},
      {...issue, issue_no: 8, issue_id: "ams-8@h", report_scope: "state_summary", venue_id: null},
    ],
    venue_places: [
      {
        venue_id: "ks-a",
        venue_name: "Yard A",
        place: "Alpha, KS",
        county_fips: "20057",
        lat: 37.7,
        lon: -100,
      },
    ],
    untested_cells: [{issue_no: 1, cell_no: 5}],
    reporter_trends: [
      {issue_id: "ams-4@d", direction: "not_tested", class: "steers", commodity: "feeder_cattle"},
      {
        issue_id: "ams-1@a",
        direction: "not_tested",
        class: "steers",
        commodity: "feeder_cattle",
        weight_low_lb: 600,
      },
      {issue_id: "ams-1@a", direction: "lower", class: "steers", commodity: "feeder_cattle"},
    ],
    previous_evidence: [{evidence_id: "e", transformation: '{"inputs":["ams-4@d"]}'}],
  }).expect(sale_pens);
  pens.toHaveLength(5);
  pens.toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{
          issue_id: "ams-1@a",
          venue_name: "Yard A",
          place: "Alpha, KS",
          county_fips: "20057",
          is_new: true,
        },
        pens: '[["1-2",550,400.5,10],["1",550,400.5,10]]',
      }),
      expect.objectContaining({
        issue_id: "ams-2@b",
        venue_id: null,
        place: "KS",
        report_scope: "state_summary",
      }),
      expect.objectContaining({
        ...{issue_id: "ams-1@a", class: "bulls", cell: expect.stringContaining('"class":"bulls"')},
        pens: '[["",550,400.5,10,1]]',
      }),
      expect.objectContaining({issue_id: "ams-6@f", class: "steers", cell: null, pens: "[]"}),
      expect.objectContaining({
        ...{issue_id: "ams-4@d", age_days: 370, is_new: false},
        pens: '[["1",550,400.5,10,1]]',
      }),
    ]),
  );
});
