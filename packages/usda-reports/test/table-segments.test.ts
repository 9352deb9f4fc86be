import {describe, expect, test} from "vitest";
import {segmentsOf} from "../src/table-segments.ts";
import {header, heifers, line, pagesOf, steers} from "./print-table.ts";

const row = line("6", "633-640", "636", "385.00-390.00", "387.00");
const columns = ["Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price"];

/** The tables of each page: their section, their line numbers, and any doubt about their heading. */
const tables = (...pages: readonly (readonly string[])[]) =>
  segmentsOf(pagesOf(...pages)).map(({segments}) =>
    segments.map(({heading, lines}) => [
      [heading.commodity, heading.region, heading.class, heading.doubt]
        .filter((each) => each !== null)
        .join(", "),
      lines.map(({number}) => number),
    ]),
  );

describe("the tables of a page", () => {
  test("belong to their section; rows above the first and between tables lie outside", () => {
    const page = [
      row,
      "FEEDER CATTLE",
      row,
      steers,
      header,
      row,
      "SLAUGHTER CATTLE",
      row,
      "COWS - Breaker 75-80% (Per Cwt / Actual Wt)",
      header,
      row,
    ];
    expect(tables(page)).toEqual([
      [
        ["FEEDER CATTLE, STEERS", [6]],
        ["SLAUGHTER CATTLE, COWS", [11]],
      ],
    ]);
    expect(segmentsOf(pagesOf(page))[0]!.strays.map(({number}) => number)).toEqual([1, 3, 8]);
  });

  test("belong to their region with its states, wherever these are first printed", () => {
    const page = [
      "FEEDER CATTLE",
      "(TX, OK)",
      "South Central",
      "(TX, OK)",
      "(KS)",
      steers,
      header,
      row,
      "Northwest",
      steers,
      header,
      row,
    ];
    expect(tables(page)).toEqual([
      [
        ["FEEDER CATTLE, South Central (TX, OK), STEERS", [8]],
        ["FEEDER CATTLE, Northwest, STEERS", [12]],
      ],
    ]);
  });

  test("are doubtful if their heading is missing or unreadable", () => {
    const missing = "the heading of the table is missing";
    const unread = "the heading of the table cannot be read";
    expect(tables(["FEEDER CATTLE", steers, header, row, header, row])).toEqual([
      [
        ["FEEDER CATTLE, STEERS", [4]],
        [`FEEDER CATTLE, STEERS, ${missing}`, [6]],
      ],
    ]);
    expect(tables(["FEEDER CATTLE", steers, row, header, row])[0]![1]).toEqual([
      `FEEDER CATTLE, STEERS, ${missing}`,
      [5],
    ]);
    for (const damaged of [
      "H#IFERS - Large 1 (Per Cwt / Actual Wt",
      "HEIFERS - Large 1 Per Cwt / Actual Wt)",
      "HEIFERS Cwt / Actual",
      "HEIFERS (#er Cwt / Actual Wt)",
    ])
      expect(tables(["FEEDER CATTLE", steers, header, row, damaged, header, row])[0]![1], damaged).toEqual([
        `FEEDER CATTLE, STEERS, ${unread}`,
        [5, 7],
      ]);
  });

  test("keep a label that slipped from their header line", () => {
    const [first] = segmentsOf(
      pagesOf([
        "FEEDER CATTLE",
        steers,
        line("Head", "Wt Range", "Avg Wt", "", "Avg Price"),
        line("", "", "", "Price Range", ""),
        row,
      ]),
    )[0]!.segments;
    expect(first!.columns.map(({name}) => name)).toEqual(columns);
    const centers = first!.columns.map(({center}) => center);
    expect(centers).toEqual([...centers].sort((a, b) => a - b));
  });

  test("keep their delivery where one label or two slipped, for those are no new header", () => {
    const columnsOf = (...labels: string[]) => {
      const upper = ["Delivery", ...columns].map((name) => (labels.includes(name) ? "" : name));
      const lower = ["", ...columns].map((name) => (labels.includes(name) ? name : ""));
      const page = ["FEEDER CATTLE", steers, line(...upper), line(...lower), row];
      return segmentsOf(pagesOf(page))[0]!.segments.map((segment) => segment.columns.map(({name}) => name));
    };
    expect(columnsOf("Price Range")).toEqual([["Delivery", ...columns]]);
    expect(columnsOf("Price Range", "Avg Price")).toEqual([["Delivery", ...columns]]);
  });
});

describe("a table over a page break", () => {
  const page = ["FEEDER CATTLE", steers, header, row];

  test("continues if the next page has no heading", () => {
    const [, second] = segmentsOf(pagesOf(page, [row, heifers, header, row]));
    expect(second!.segments.map(({heading, placed, lines}) => [heading.class, placed, lines.length])).toEqual(
      [
        ["STEERS", false, 1],
        ["HEIFERS", true, 1],
      ],
    );
    expect(second!.segments[0]!.columns.map(({name}) => name)).toEqual(columns);
  });

  test("is doubtful from a repeated header line on", () => {
    expect(tables(page, [header, row])[1]!.at(-1)).toEqual([
      "FEEDER CATTLE, STEERS, the heading of the table is missing",
      [6],
    ]);
    expect(tables(["FEEDER CATTLE", steers], [header, row])[1]).toEqual([["FEEDER CATTLE, STEERS", [4]]]);
  });

  test("counts only blank lines beyond those of the page break", () => {
    const above = (foot: number, head: number) => {
      const [, second] = segmentsOf(
        pagesOf([...page, ...Array(foot).fill("")], [...Array(head).fill(""), row]),
      );
      return second!.segments[0]!.lines[0]!.blanksAbove;
    };
    expect([above(0, 0), above(3, 1), above(0, 2), above(3, 3), above(4, 0), above(4, 1)]).toEqual([
      0, 0, 1, 2, 4, 5,
    ]);
  });

  test("counts the blank lines between rows of a page", () => {
    const [{segments}] = segmentsOf(pagesOf([...page, "", "", row, row])) as [
      ReturnType<typeof segmentsOf>[number],
    ];
    expect(segments[0]!.lines.map(({blanksAbove}) => blanksAbove)).toEqual([0, 2, 0]);
  });
});

describe("a table with deliveries", () => {
  const delivered = line("Delivery", "Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price");
  const lot = (delivery: string) => line(delivery, "6", "633-640", "636", "385.00-390.00", "387.00");
  const start = ["FEEDER CATTLE", "South Central", "(TX)", steers, delivered];
  const deliveries = (...pages: readonly (readonly string[])[]) =>
    segmentsOf(pagesOf(...pages)).flatMap(({segments}) =>
      segments.flatMap(({heading, lines}) =>
        lines
          .filter(({delivery}) => delivery !== undefined)
          .map(({delivery, tokens}) => [heading.class, delivery, tokens.length]),
      ),
    );

  test("repeats the delivery of the line above for a line without one", () => {
    expect(deliveries([...start, lot(""), lot("Current"), lot(""), lot("Mar Apr"), lot("")])).toEqual([
      ["STEERS", "", 5],
      ["STEERS", "Current", 5],
      ["STEERS", "Current", 5],
      ["STEERS", "Mar Apr", 5],
      ["STEERS", "Mar Apr", 5],
    ]);
  });

  test("has an unknown delivery below words that may be one", () => {
    const below = (words: string) => deliveries([...start, lot("Current"), words, lot("")])[1]![1];
    expect(below("March")).toBe("");
    expect(below("Mar to Apr")).toBe("");
    expect(below("Cattle of a long haul")).toBe("Current");
    expect(below("VIDEO TRADES")).toBe("Current");
    expect(below("VIDEO TRADES of")).toBe("");
  });

  test.each([
    ["Value", "Added"],
    ["Split", "Loads"],
    ["", "Muddy"],
  ])("goes on below a comment right of the prices: %s, %s", (comment, wrapped) => {
    const right = line("", "", "", "", "", "", wrapped);
    const page = [...start, `${lot("Current")}${line(comment)}`, right, lot(""), lot("Oct")];
    expect(deliveries(page).map(([, delivery]) => delivery)).toEqual(["Current", "Current", "Oct"]);
    // A page that continues a table has no header to tell where its columns stand.
    const next = [`${lot("")}${line(comment)}`, right, lot("")];
    expect(deliveries([...start, lot("Current")], next).map(([, delivery]) => delivery)).toEqual(
      Array(3).fill("Current"),
    );
  });

  test.each(["Oct", "Oct - Nov FOB"])(
    "has an unknown delivery below one that slipped to the right: %s",
    (label) => {
      expect(
        deliveries([...start, lot("Current"), line("", "", "", "", "", "", label), lot("")])[1]![1],
      ).toBe("");
    },
  );

  test("keeps it if the next page repeats section, region and heading", () => {
    const again = [...start, lot("")];
    expect(deliveries([...start, lot("Current")], again)[1]).toEqual(["STEERS", "Current", 5]);
    expect(tables([...start, lot("Current")], again)[1]!.at(-1)).toEqual([
      "FEEDER CATTLE, South Central (TX), STEERS",
      [12],
    ]);
    const other = [...start.slice(0, 3), heifers, delivered, lot("")];
    expect(deliveries([...start, lot("Current")], other)[1]).toEqual(["HEIFERS", "", 5]);
    const elsewhere = ["FEEDER CATTLE", "Northwest", "(TX)", steers, delivered, lot("")];
    expect(deliveries([...start, lot("Current")], elsewhere)[1]).toEqual(["STEERS", "", 5]);
  });

  test("drops it if a row precedes the repeated heading", () => {
    expect(
      deliveries([...start, lot("Current")], [lot(""), ...start.slice(3), lot("")]).map(
        ([, delivery]) => delivery,
      ),
    ).toEqual(["Current", "Current", ""]);
  });
});
