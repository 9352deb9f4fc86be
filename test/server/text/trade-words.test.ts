import {expect, test} from "vitest";
import {cattleWords} from "../../../server/text/market-record.ts";
import {tradeWords} from "../../../server/text/trade-words.ts";

const said = (headline: string, cell = "", note = "") =>
  tradeWords({
    headline: [headline],
    tables: [{title: "", columns: [{header: "cattle"}], rows: [[cell]]}],
    notes: [["Curve", note]],
  });

test.each([
  ["Steers brought 350.00 (8 pens, 81 head).", "", "", /^a pen is one line of a sale report/],
  ["", "steers M&L 1-2", "", /^M&L is frame Medium and Large; muscle grade 1-2 is lots of grades 1 and 2/],
  ["", "", "slide 25.14 USD from 50 lb lighter", /^slide is what a cwt brings less/],
  ["", "slaughter bulls 1-2, low dressing", "", /^dressing is the expected yield of carcass$/],
  ["", "bred cows M&L 1, 5-8, T1-2", "", /M&L is .*; T and a number is a third of the pregnancy$/],
  ["The expense was open.", "happens", "", /^$/],
])("the words of %j, %j and %j are explained in one line", (headline, cell, note, words) => {
  expect(said(headline, cell, note)).toMatch(words);
});

test.each([
  ["feeder_cattle", "feeder bulls M&L 1"],
  ["slaughter_cattle", "slaughter bulls M&L 1"],
  ["replacement_cattle", "breeding bulls M&L 1"],
])("bulls of %s are %s", (commodity, words) => {
  const record = {class: "bulls", frame: "medium_and_large", muscle_grade: "1", commodity};
  expect(cattleWords(record as Parameters<typeof cattleWords>[0])).toBe(words);
});
