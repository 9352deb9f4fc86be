import {describe, expect, it} from "vitest";
import {dealerFields} from "../../../schemas/market-fields/dealer.ts";
import {priceFields} from "../../../schemas/market-fields/price.ts";
import {venueFields} from "../../../schemas/market-fields/venue-fields.ts";
import {PropertyRecord} from "../../../schemas/parcel-record.ts";
import {readExampleAnswers} from "../../../server/http/answer-examples.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {describeAnswer} from "../../../server/text/describe-answer.ts";
import {labelledLines} from "../../../server/text/description.ts";
import {marketColumns} from "../../../server/text/market-columns.ts";
import {cattleWords, changeWords, priceWords} from "../../../server/text/market-record.ts";
import {cardFacts} from "../../../server/text/parcel-card.ts";
import {withLikes} from "../../given-expect.ts";

function market(changes: Record<string, unknown>, path = "/price-by-county") {
  const body = JSON.stringify(withLikes("answer-likes.json", {like: "market", ...changes}));
  return describeAnswer(path, {ok: true, body});
}

describe("words for cattle", () => {
  it("name frame and grade in the short forms of the trade, and described lots in full", () => {
    expect(cattleWords({class: "steers", frame: "medium_and_large", muscle_grade: "1-2"})).toBe(
      "steers M&L 1-2",
    );
    expect(cattleWords({class: "cows", quality_grade: "boner", dressing: "very_high"})).toBe(
      "cows boner, very high dressing",
    );
    expect(cattleWords({class: "steers", frame: "small", lot_descriptors: ["fancy", "value_added"]})).toBe(
      "steers S, fancy, value added",
    );
  });

  it("give prices with their unit and changes with their sign", () => {
    expect([priceWords(372.5, "per_cwt"), priceWords(2100, "per_pair"), priceWords(null, "per_cwt")]).toEqual(
      ["372.50/cwt", "2,100.00/pair", ""],
    );
    expect([changeWords(3), changeWords(-1250.5), changeWords(null)]).toEqual(["+3.00", "-1,250.50", ""]);
  });
});

describe("a market answer in words", () => {
  it("has a column for each field that has a header", () => {
    const fields = {...dealerFields, ...venueFields, ...priceFields};
    const headers = marketColumns.map(({header}) => header);
    const headed = Object.values(fields).flatMap(({header}) => header ?? []);
    expect(headed.filter((header) => !headers.includes(header))).toEqual([]);
  });

  it("says why no record has a change, unless the summary tells one", () => {
    const record = {
      price_basis: "observed_in_county",
      head_count: 40,
      change_week: null,
      change_year: null,
    };
    const changes = (summary: unknown) =>
      Object.fromEntries(labelledLines(market({records: [record], summary})))["Changes"];
    expect(changes(undefined)).toBe("no comparison with last week and last year");
    const {priceByCounty} = readExampleAnswers() as {priceByCounty: {summary: object}};
    expect(changes({...priceByCounty.summary, change_week: 1.25, change_year: null})).toMatch(
      /^no comparison with last year$/,
    );
  });

  it("begins with the sentence of the summary, or with why there is none", () => {
    const {priceByCounty} = readExampleAnswers() as {priceByCounty: {summary: {sentence: string}}};
    const {headline, facts} = market(priceByCounty);
    expect(headline).toEqual([priceByCounty.summary.sentence]);
    expect(facts["summary"]).toEqual(priceByCounty.summary);
    const reason = "No summary: fewer than 10 head.";
    expect(market({summary: null, summary_reason: reason}).headline).toContain(reason);
  });

  it("tells of several kinds of cattle the figures there are, and not each that is missing", () => {
    const {priceByCounty} = readExampleAnswers() as {priceByCounty: {summary: object; records: object[]}};
    const figure = {
      ...priceByCounty.summary,
      sentence: "Boner slaughter cows brought 120.00.",
      price_avg: 120,
    };
    const missing = ["Breaker", "Lean"].map((name) => {
      return {...priceByCounty.summary, sentence: `No figure for ${name}.`, price_avg: null};
    });
    const headline = (summaries: object[], changes: object = {}) =>
      market({...priceByCounty, summary: summaries[0], summaries, ...changes}).headline;
    expect(headline([missing[0]!, figure, missing[1]!])).toEqual([figure.sentence]);
    expect(headline(missing)).toEqual([
      expect.stringMatching(/^No kind of these cattle sold often enough .*the rows have the reports/),
    ]);
    const withoutRows = headline(missing, {records: [], page: {}});
    expect(withoutRows).toContain("No figure for Breaker.");
    expect(withoutRows).not.toContain("No figure for Lean.");

    const official = {
      ...{
        state: "KS",
        report_slug: "ams-9",
        cell_id: "c",
        price_avg: 119,
        head_count: 900,
        evidence_id: "sp",
      },
      ...{
        week_begin_date: "2026-11-15",
        week_end_date: "2026-11-21",
        sentence: "The summary reports 119.00.",
      },
    };
    const light = {...figure, fit: null, head_count: 12, sentence: "Lean brought 90.00."};
    expect(headline([light, {...figure, fit: null, head_count: 80, official}])).toEqual([
      official.sentence,
      figure.sentence,
      light.sentence,
    ]);
  });
});

describe("the description of an answer", () => {
  it.each(marketEndpoints.map(({path}) => path))("has columns for the records of %s", (path) => {
    const {tables} = market({records: [{state: "KS", venue_name: "Two Windmills"}]}, path);
    expect(tables[0]?.rows[0]).not.toEqual([]);
  });

  it("names the member that is not as the schema has it", () => {
    expect(() => market({result_status: "unheard_of"})).toThrow(
      /^\/price-by-county: this version does not know such an answer\. [\s\S]*result_status/,
    );
  });
});

describe("a parcel answer in words", () => {
  it("names no member that the record lacks", () => {
    const unknown = cardFacts
      .flatMap(({of, note}) => (note === undefined ? of : [...of, note]))
      .filter((name) => !(name in PropertyRecord.shape));
    expect(unknown).toEqual([]);
  });
});
