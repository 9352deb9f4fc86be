import {describe, expect, test} from "vitest";
import {columnNames} from "../src/headings.ts";
import {type PrintedRow, rowsOfPage, strayRows} from "../src/segment-rows.ts";
import {segmentsOf} from "../src/table-segments.ts";
import {header, heifers, line, pagesOf, steers} from "./print-table.ts";

/** A row as a person reads it; a rejected one with its reason. */
function told({heading, cells, rejection}: PrintedRow): string {
  const values = [...columnNames.map((name) => cells[name]), cells.comment].filter(
    (value) => value !== undefined,
  );
  const row = [heading?.class, ...values].filter((value) => value !== undefined).join(" ");
  return rejection === null ? row : `${row} (${rejection.reason})`;
}

/** The rows of the tables of a page below the heading of feeder cattle. */
const read = (...lines: string[]) =>
  segmentsOf(pagesOf(["FEEDER CATTLE", ...lines]))
    .flatMap(rowsOfPage)
    .map(told);
const readSteers = (...lines: string[]) => read(steers, header, ...lines);

const sound = line("6", "633-640", "636", "385.00-390.00", "387.00");
const soundRow = "STEERS 6 633-640 636 385.00-390.00 387.00";

describe("a table with damaged lines", () => {
  const torn = line("6", "63x-640", "636", "385.00-390.00", "387.00");
  const rejection = "STEERS (unread_line)";

  test("is read without its damaged lines if half of its lines are sound", () => {
    expect(readSteers(sound, torn)).toEqual([soundRow, rejection]);
    expect(readSteers(torn, sound, torn, sound)).toEqual([rejection, soundRow, rejection, soundRow]);
  });

  test("is not read if fewer are sound", () => {
    expect(readSteers(sound, torn, torn)).toEqual([`${soundRow} (layout_uncertain)`, rejection, rejection]);
    expect(readSteers(torn)).toEqual([rejection]);
  });

  test("is not read if a value stands alone on a line, because values slipped", () => {
    expect(readSteers(sound, sound, line("6", "633-640", "636", "", ""))).toEqual([
      `${soundRow} (layout_uncertain)`,
      `${soundRow} (layout_uncertain)`,
      "STEERS 6 633-640 636 (layout_uncertain)",
    ]);
  });

  test("does not count a line as sound if an average is outside its range", () => {
    const high = line("6", "633-640", "636", "385.00-390.00", "397.00");
    expect(readSteers(high, torn)).toEqual([
      "STEERS 6 633-640 636 385.00-390.00 397.00 (layout_uncertain)",
      rejection,
    ]);
    expect(readSteers(high, sound)).toEqual(["STEERS 6 633-640 636 385.00-390.00 397.00", soundRow]);
  });

  test("takes a lone price for a torn row where no header says what stands in a line", () => {
    expect(read(steers, "385.00")).toEqual([rejection]);
    expect(readSteers("385.00")).toEqual([]);
  });

  test("ignores a sentence between its rows", () => {
    expect(readSteers(sound, "Thin and plain cattle were sold below", sound)).toEqual([soundRow, soundRow]);
  });
});

describe("values that slipped to neighbouring lines", () => {
  const slipped = (prices: [string, string], weights: [string, string] = ["633-640", "636"]) =>
    readSteers(line("6", ...weights, "", ""), line("", "", "", ...prices));

  test("are paired in the order of their columns", () => {
    expect(slipped(["385.00-390.00", "387.00"])).toEqual([soundRow]);
    expect(
      readSteers(
        line("6", "633-640", "636", "", ""),
        line("12", "700", "700", "", ""),
        line("", "", "", "385.00-390.00", "387.00"),
        line("", "", "", "340.00", "340.00"),
      ),
    ).toEqual([soundRow, "STEERS 12 700 700 340.00 340.00"]);
  });

  test.each<[string, string, string, boolean]>([
    ["385.00-390.00", "390.01", "636", true],
    ["385.00-390.00", "390.02", "636", false],
    ["385.00-390.00", "384.99", "636", true],
    ["385.00-390.00", "384.98", "636", false],
    ["385.00-390.00", "387.00", "641", true],
    ["385.00-390.00", "387.00", "642", false],
    ["385.00-390.00", "387.00", "632", true],
    ["385.00-390.00", "387.00", "631", false],
  ])(
    "are paired if averages lie in their ranges, within rounding: %s %s of %s lb",
    (range, price, weight, isPaired) => {
      expect(slipped([range, price], ["633-640", weight])).toEqual(
        isPaired
          ? [`STEERS 6 633-640 ${weight} ${range} ${price}`]
          : [`STEERS 6 633-640 ${weight} (layout_uncertain)`],
      );
    },
  );

  test("are rejected unless each column has one value per head count", () => {
    expect(
      readSteers(
        line("6", "633-640", "636", "", ""),
        line("12", "700", "700", "", ""),
        line("", "", "", "385.00-390.00", "387.00"),
      ),
    ).toEqual(["STEERS 6 633-640 636 (layout_uncertain)", "STEERS 12 700 700 (layout_uncertain)"]);
  });

  test("are certain if the price is single and only its average is lost", () => {
    const single = line("6", "633", "633", "385.00", "");
    const ranged = line("7", "633-640", "636", "385.00-390.00", "");
    expect(readSteers(single, ranged)).toEqual([
      "STEERS 6 633 633 385.00 385.00",
      "STEERS 7 633-640 636 385.00-390.00 (layout_uncertain)",
    ]);
    expect(readSteers(line("6", "", "", "385.00", ""), ranged)[0]).toMatch(/layout_uncertain/);
  });

  test("may continue into the next table of the section, but not of another section", () => {
    const upper = [steers, header, line("6", "633-640", "636", "", "")];
    const lower = [
      heifers,
      header,
      line("8", "600", "600", "", ""),
      line("", "", "", "385.00-390.00", "387.00"),
      line("", "", "", "350.00", "350.00"),
    ];
    expect(read(...upper, ...lower)).toEqual([soundRow, "HEIFERS 8 600 600 350.00 350.00"]);
    expect(
      read(...upper, "SLAUGHTER CATTLE", ...lower).every((row) => row.endsWith("(layout_uncertain)")),
    ).toBe(true);
  });

  test("of one table do not touch a sound table beside it", () => {
    const rows = read(
      steers,
      header,
      sound,
      heifers,
      header,
      line("8", "600", "600", "", ""),
      line("", "", "", "350.00", "350.00"),
    );
    expect(rows).toEqual([soundRow, "HEIFERS 8 600 600 350.00 350.00"]);
  });
});

describe("comments that slipped", () => {
  test("describe every row of their tables, because their own row is unknown", () => {
    const rows = readSteers(
      line("6", "633-640", "636", "385.00-390.00", "387.00"),
      line("12", "700", "700", "", ""),
      line("", "", "", "340.00", "340.00"),
      line("", "", "", "", "", "Thin"),
      line("", "", "", "", "", "Fleshy"),
      line("", "", "", "", "", "Thin"),
    );
    expect(rows).toEqual([
      `${soundRow} not placed: Fleshy or Thin`,
      "STEERS 12 700 700 340.00 340.00 not placed: Fleshy or Thin",
    ]);
  });

  test.each([
    ["Value", "Added", "Value Added"],
    ["Thin", "Fleshed", "Thin Fleshed"],
    ["Muddy", "Added", "not placed: Added or Muddy"],
    ["Fancy", "Fleshy", "not placed: Fancy or Fleshy"],
  ])("belong to the row above if only both lines are a known comment: %s, %s", (start, rest, comment) => {
    const rows = readSteers(
      line("6", "633-640", "636", "385.00-390.00", "387.00", start),
      line("", "", "", "", "", rest),
    );
    expect(rows).toEqual([`${soundRow} ${comment}`]);
  });

  test("leave no single price certain", () => {
    const rows = readSteers(line("6", "633", "633", "385.00", ""), line("", "", "", "", "", "Thin"));
    expect(rows).toEqual(["STEERS 6 633 633 385.00 (layout_uncertain)"]);
  });
});

describe("dressings that slipped", () => {
  const dressed = "COWS - Breaker 75-80% (Per Cwt / Actual Wt)";
  const dressingHeader = `${header}${line("Dressing")}`;

  test("are paired like values, each with the comment after it", () => {
    const rows = read(
      "SLAUGHTER CATTLE",
      dressed,
      dressingHeader,
      line("6", "1200", "1200", "140.00", "140.00"),
      line("5", "1300", "1300", "150.00", "150.00"),
      line("", "", "", "", "", "Average"),
      line("", "", "", "", "", "High Return to Feed"),
    );
    expect(rows).toEqual([
      "COWS 6 1200 1200 140.00 140.00 Average",
      "COWS 5 1300 1300 150.00 150.00 High Return to Feed",
    ]);
  });

  test("leave no single price certain", () => {
    const rows = read("SLAUGHTER CATTLE", dressed, dressingHeader, line("6", "1200", "1200", "140.00", ""));
    expect(rows).toEqual(["COWS 6 1200 1200 140.00 (layout_uncertain)"]);
  });
});

test("rejects lines outside tables that look like rows, quoting number and text", () => {
  const [strays] = pagesOf([
    "  Receipts were light.",
    sound,
    ` Head of a long line ${"x ".repeat(200)} 636 387.00`,
  ]);
  const rows = strayRows(strays!);
  expect(rows.map(({heading, cells, rejection}) => [heading, cells, rejection!.reason])).toEqual([
    [null, {}, "unread_line"],
    [null, {}, "unread_line"],
  ]);
  expect(rows[0]!.rejection!.detail).toBe("line 2: 6  633-640  636  385.00-390.00  387.00");
  expect(rows[1]!.rejection!.detail).toHaveLength("line 3: ".length + 200);
});

describe("a table that goes on over a page break", () => {
  const whole = (lines: string[], next: string[]) =>
    segmentsOf(pagesOf(["FEEDER CATTLE", steers, header, ...lines], next)).map((page) =>
      rowsOfPage(page).map(told),
    );

  test("takes its columns from a complete line of the next page", () => {
    const slipped = [line("6", "633", "633", "385.00", "385.00"), line("7", "640", "640", "", "350.00")];
    expect(whole([sound], slipped)).toEqual([
      [soundRow],
      ["STEERS 6 633 633 385.00 385.00", "STEERS (unread_line)"],
    ]);
    expect(whole([sound], [sound])).toEqual([[soundRow], [soundRow]]);
  });

  test("rejects a line of the next page if its columns are unknown", () => {
    expect(whole([sound], [line("7", "640", "", "", "350.00")])[1]).toEqual(["STEERS (unread_line)"]);
  });
});
