import {describe, expect, it} from "vitest";
import {parcelLimitations} from "../../../lib/parcels/record/parcel-limitations.ts";
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

const envelope = {
  generated_at: "2026-11-21T06:10:00Z",
  source_date_earliest: "2026-11-18",
  build_id: "20261121-bbbbbb",
  as_of_date: "2026-11-21",
  source_date: "2026-11-18",
  sources: ["mars"],
  limitations: ["Market information only."],
  result_status: "ok",
  query: {applied: {}, ignored: [], resolution: {}},
  records: [],
  evidence: [],
  context: [],
  source_registry: [],
  page: {returned: 0, total: 0, limit: 25, offset: 0, truncated: false},
};

function market(changes: Record<string, unknown>, path = "/price-by-county") {
  return describeAnswer(path, {ok: true, body: JSON.stringify({...envelope, ...changes})});
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
  it("tells trade, region, delivery and freight of a direct trade, in the table and for programs", () => {
    const trade = {report_scope: "direct", region: "Southeast (AL/FL)", delivery: "oct-nov", freight: "fob"};
    const record = {
      ...trade,
      ...{venue_id: null, venue_name: null, city: null, state: null},
      ...{class: "steers", weight_bin: "550-599", price_avg: 410.25, price_unit: "per_cwt"},
    };
    const {tables, records} = market({records: [record]}, "/latest-prices");
    const [[row]] = [tables[0]!.rows];
    const heads = tables[0]!.columns.map(({header}) => header);
    expect(row!.slice(0, 3)).toEqual(["direct", "Southeast (AL/FL)", "steers, oct-nov delivery, fob"]);
    expect(heads.slice(0, 2)).toEqual(["trade", "region"]);
    expect(records[0]).toMatchObject(trade);
  });

  it("has a column for each field that has a header", () => {
    const fields = {...dealerFields, ...venueFields, ...priceFields};
    const headers = marketColumns.map(({header}) => header);
    const headed = Object.values(fields).flatMap(({header}) => header ?? []);
    expect(headed.filter((header) => !headers.includes(header))).toEqual([]);
  });

  it("has the weeks of a record in a table of their own, and marks an estimate", () => {
    const history = [{week_end_date: "2026-11-14", price_avg: 401.5, head_count: 31, venues_reporting: 1}];
    const record = {
      county_name: "Ford County",
      state: "KS",
      class: "steers",
      weight_bin: "550-599",
      price_avg: 410.25,
      price_unit: "per_cwt",
      price_basis: "nearest_market_estimate",
      history,
    };
    const answer = market({records: [record], page: {...envelope.page, returned: 1, total: 1204, offset: 2}});
    const [prices, weeks] = answer.tables;
    expect(prices?.rows).toEqual([["Ford County, KS", "steers", "550-599", "410.25/cwt*"]]);
    expect(weeks).toMatchObject({
      title: "Weeks: Ford County, KS, steers 550-599 lb",
      rows: [["2026-11-14", "401.50/cwt", "31", "1"]],
    });
    const query = {applied: {history: 12}, ignored: [], resolution: {}};
    expect(market({records: [record], query}).tables[1]?.title).toBe(
      "Weeks: Ford County, KS, steers 550-599 lb; 1 of the 12 weeks asked have a sale in this build",
    );
    expect(Object.fromEntries(labelledLines(answer))).toMatchObject({
      Shown: "3 to 3 of 1,204",
      Estimate: expect.stringContaining("*"),
    });
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

  it("begins with the next sale of barns, and with why there is no list of dealers", () => {
    const barn = {
      venue_name: "Two Windmills",
      city: "Sample Flats",
      state: "TX",
      next_sale_date: "2026-11-24",
    };
    const later = {
      ...barn,
      venue_name: "Crooked Gate",
      next_sale_date: "2026-11-26",
      last_reported_sale_date: "2026-11-19",
    };
    const barns = (records: object[]) =>
      market({records, page: {...envelope.page, returned: records.length, total: records.length}}, "/barns")
        .headline;
    expect(barns([later, barn])).toEqual([
      "2 barns; of those shown whose sales are reported Crooked Gate, Sample Flats, TX sells first, on Thursday 2026-11-26.",
    ]);
    expect(barns([later, {...barn, next_sale_date: "2026-11-27"}])).toEqual([
      "2 barns; of those shown Crooked Gate, Sample Flats, TX sells first, on Thursday 2026-11-26.",
    ]);
    expect(barns([later])).toEqual([
      "Crooked Gate, Sample Flats, TX: next sale Thursday 2026-11-26; its last reported sale was on 2026-11-19.",
    ]);
    const noDay = {...barn, next_sale_date: null};
    expect(barns([noDay, barn, {...barn, venue_name: "Third"}])).toEqual([
      "3 barns; of those shown Two Windmills, Sample Flats, TX sells first, on Tuesday 2026-11-24.",
    ]);
    expect(barns([noDay, noDay])).toEqual(["2 barns; no coming sale day is known of those shown."]);
    expect(barns([])).toEqual(["No barn fits this question. Coverage lists what there is."]);
    expect(barns([noDay])).toEqual(["Two Windmills, Sample Flats, TX: no coming sale day is known."]);
    const summary = {
      states_with_list: 0,
      states_without_list: 50,
      total_entities: null,
      total_is_lower_bound: true,
    };
    expect(market({summary}, "/dealers/stats").headline).toEqual([
      "No public list of licensed dealers is in this build; that is not a count of zero.",
    ]);
    const query = {applied: {state: "TX"}, ignored: [], resolution: {}};
    const one = {...summary, states_with_list: 1, states_without_list: 0, total_entities: 1204};
    expect(market({summary: one, query}, "/dealers/stats").headline).toEqual([
      "1,204 licensed dealers and markets at least, on the list of TX.",
    ]);
  });

  it("names the reports behind it, and apart from its sources those of the context that it does not show", () => {
    const evidence = [1, 2].map((n) => ({
      evidence_id: `pc-${n}`,
      claim: "A price.",
      entity_ids: ["county:20057", `report:ams-${n}@2026-11-18`, "report:ams-3@2026-11-11"],
      sources: ["mars"],
      confidence: {level: "high", score: 0.9, factors: null},
    }));
    const signal = (name: string, source_id: string, values: object) => ({
      signal: name,
      source_id,
      key_type: "padd",
      key: "3",
      values,
      valid_from: null,
      valid_to: null,
      source_date: "2026-11-16",
      age_days: 5,
      freshness: "fresh",
      limitations: [],
    });
    const diesel = signal("diesel", "diesel", {price_usd_per_gal: 3.4, change_week_usd_per_gal: -0.02});
    const context = [diesel, signal("inventory", "nass-quickstats", {value: 1}), signal("other", "mars", {})];
    const answer = market({evidence, context, sources: ["diesel", "mars", "nass-quickstats"]});
    expect(answer.facts["reports"]).toEqual(["ams-1@2026-11-18", "ams-2@2026-11-18", "ams-3@2026-11-11"]);
    expect(Object.fromEntries(labelledLines(answer))).toMatchObject({
      Sources: "mars",
      Reports: "ams-1@2026-11-18, ams-2@2026-11-18, ams-3@2026-11-11",
      Diesel: "3.4 USD a gallon, -0.02 against the week before (padd 3, 2026-11-16, diesel)",
      Context: "more signals in the HTTP answer, of nass-quickstats",
      Dates: "newest source 2026-11-18; ages count from 2026-11-21; build 20261121-bbbbbb",
    });
  });

  it("names the rows whose reporter says that there was no market test", () => {
    const row = {
      ...{price_basis: "observed_in_county", county_name: "Ford County", state: "KS", head_count: 11},
      ...{class: "steers", frame: "medium_and_large", muscle_grade: "1", weight_bin: "500-549"},
      change_week: null,
    };
    const note = (reason: string) =>
      Object.fromEntries(labelledLines(market({records: [{...row, change_week_reason: reason}]})))[
        "Not compared"
      ];
    expect(note("not_tested")).toMatch(/no market test.*: Ford County, KS: steers M&L 1 500-549 lb$/);
    expect(note("too_few")).toBeUndefined();
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
    const withoutRows = headline(missing, {records: [], page: envelope.page});
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

  it("says what is nearest where nothing is near", () => {
    const nearest_market = {
      venue_id: "tx-two-windmills",
      venue_name: "Two Windmills",
      city: "Sample Flats",
      state: "TX",
      county_fips: "48143",
      distance_mi: 812.4,
      last_sale_date: "2026-11-17",
    };
    const {headline} = market({
      result_status: "no_rows",
      last_known_source_date: "2026-11-17",
      nearest_market,
    });
    expect(headline).toEqual([
      "Nothing is reported for this question.",
      "The nearest barn with such a report is Two Windmills, Sample Flats, TX: 812.4 miles, last sale 2026-11-17.",
    ]);
    const known = {...nearest_market, last_sale_date: "2026-11-18"};
    expect(
      market({
        ...{result_status: "no_rows", last_known_source_date: "2026-11-17", nearest_market: known},
      }).headline[0],
    ).toBe("Nothing is reported for this question. The last one known there is of 2026-11-17.");
    const query = {applied: {class: ["steers"], weight: 550}, ignored: [], resolution: {}};
    expect(market({result_status: "no_rows", no_report_held: "in Iowa", query}).headline).toEqual([
      "This build holds no report of a sale in Iowa. Coverage lists what there is.",
    ]);
    const packers = {report_scope: "mandatory", region: "5 Area", price_basis_live: "live"};
    expect(market({result_status: "partial", records: [packers]}).headline).toEqual([
      "No auction is reported for this question. What packers report by law follows. Coverage lists what there is.",
    ]);
    expect(market({result_status: "no_rows", query}).headline).toEqual([
      "Nothing is reported for this question. Ask without class and weight for other cattle.",
    ]);
    const partial = (limit: number) =>
      market({
        ...{result_status: "partial", records: [{state: "KS"}]},
        page: {...envelope.page, limit, offset: 0, returned: 1, total: 9},
      }).headline;
    expect(partial(1)).toEqual(["The county itself has no such price; those of other counties follow."]);
    expect(partial(2)).toEqual(["The answer is cut to 1 rows for its size: ask for the next page."]);
    expect(market({page: {...envelope.page, total: 1204, offset: 2000}}).headline).toEqual([
      "The last of 1,204 records is before this page: ask with a smaller offset.",
    ]);
    expect(market({result_status: "unresolved_location"}).headline[0]).toContain("no such ZIP code");
  });
});

describe("the description of an answer", () => {
  it("gives programs the members that the columns of the endpoint name, and none that is unknown", () => {
    const record = {
      county_fips: "20057",
      county_name: "Ford County",
      state: "KS",
      cell_id: "feeder-steers-ml1-0550-0599-cwt",
      price_avg: 410.25,
      price_unit: "per_cwt",
      price_low: 400,
      change_week: null,
      change_year: 61.25,
    };
    const {records, facts, page} = market({records: [record]});
    expect(JSON.parse(JSON.stringify(records))).toEqual([
      {
        county_name: "Ford County",
        county_fips: "20057",
        state: "KS",
        cell_id: "feeder-steers-ml1-0550-0599-cwt",
        price_avg: 410.25,
        price_low: 400,
        price_unit: "per_cwt",
        change_year: 61.25,
      },
    ]);
    const {build_id, as_of_date, source_date} = envelope;
    expect(JSON.parse(JSON.stringify(facts))).toEqual({build_id, as_of_date, source_date, reports: []});
    expect(page).toEqual({first: 1, returned: 0, total: 0});
  });

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

  const fetched = {vintageBasis: "edition", retrievedAt: "2026-11-14T03:10:00Z"};
  const property = {
    _id: "48143-R1",
    parcelUid: "48143-R1",
    parcelId: "R1",
    county: "ERATH",
    state: "TX",
    country: "US",
    acres: 40,
    acresBasis: "deeded",
    totalMarketValue: 208000,
    marketValueYear: 2026,
    transferDate: "20240131",
    provenance: {
      default: {source: "us-tx", vintage: "2026-03-01", confidence: 0.95, ...fetched},
      fields: {totalMarketValue: {vintage: "2026", confidence: 0.8}},
    },
    match: {type: "fuzzy", score: 0.9, notes: ["city_corrected"]},
  };
  const metadata = {
    sources: [{id: "us-tx", name: "Texas land parcels", licence: "CC0-1.0", vintage: "2026-03-01"}],
    coverage: [{state: "TX", county: "ERATH", status: "live"}],
    lookup: {origin: "dataset", cadastreStatus: "not_asked"},
    query: {applied: {}, ignored: [], resolution: {}},
    generatedAt: "2026-11-21T06:10:00Z",
    limitations: ["Public context only."],
    buildId: "20261121-bbbbbb",
  };

  it("is a card whose facts have their own vintage and confidence", () => {
    const body = JSON.stringify({property, metadata});
    const answer = describeAnswer("/public/land-agent/property/address-lookup", {ok: true, body});
    expect(answer.tables[0]?.rows).toEqual([
      ["parcel number", "R1", "2026-03-01", "0.95", "us-tx"],
      ["county", "ERATH, TX", "2026-03-01", "0.95", "us-tx"],
      ["acres", "40 (deeded)", "2026-03-01", "0.95", "us-tx"],
      ["market value", "208,000 USD (2026)", "2026", "0.80", "us-tx"],
      ["sold", "2024-01-31", "2026-03-01", "0.95", "us-tx"],
    ]);
    expect(Object.fromEntries(labelledLines(answer))).toMatchObject({
      Match: "fuzzy 0.90; the town was corrected",
      From: "dataset; build 20261121-bbbbbb",
    });
  });

  it("says first that an address or a number is another than the one that was asked for", () => {
    const said = (applied: Record<string, string>, found: object) => {
      const query = {applied, ignored: [], resolution: {}};
      const body = JSON.stringify({property: {...property, ...found}, metadata: {...metadata, query}});
      return describeAnswer("/public/land-agent/property/address-lookup", {ok: true, body}).headline;
    };
    const match = {type: "fuzzy", score: 0.95, notes: ["street name corrected"]};
    expect(said({address: "12 Blustem Rd"}, {address: "12 BLUESTEM RD", city: "PLAINS", match})).toEqual([
      "No parcel has exactly the address 12 Blustem Rd; nearest: 12 BLUESTEM RD, PLAINS, street name corrected.",
    ]);
    const zeros = {type: "fuzzy", score: 0.8, notes: ["leading zeros differ"]};
    expect(said({parcelId: "783"}, {parcelId: "0783", match: zeros})).toEqual([
      "No parcel has exactly the number 783; nearest: 0783, leading zeros differ.",
    ]);
    expect(said({parcelId: "R1"}, {match: {type: "exact", score: 1, notes: []}})).toEqual([]);
  });

  it("says first that no owner has the name that was asked for, and shows how well each fits", () => {
    const list = {limit: 10, offset: 0, count: 1, total: 1, nextOffset: null};
    const query = {applied: {owner: "TUNER RANCH"}, ignored: [], resolution: {}};
    const match = {type: "fuzzy", score: 0.6, notes: ["one letter corrected"]};
    const near = {...property, ownerName: "TURNER RANCH LLC", match};
    const described = (limitations: string[]) => {
      const body = JSON.stringify({properties: [near], metadata: {...metadata, ...list, query, limitations}});
      return describeAnswer("/public/land-agent/property/owner-search", {ok: true, body});
    };
    const {headline, tables} = described([parcelLimitations.P26, "Public context only."]);
    expect(headline).toEqual(["No owner is called TUNER RANCH; nearest: TURNER RANCH LLC."]);
    const at = tables[0]!.columns.findIndex(({header}) => header === "match");
    expect([tables[0]!.rows[0]![at], tables[0]!.columns[at]!.priority]).toEqual(["fuzzy 0.60", undefined]);
    expect(described(["Public context only."]).headline).toEqual([]);
  });

  it("tells the coverage of a state once, with its name and what is there", () => {
    const coverage = [
      {state: "MT", status: "partial", rows: 6062, counties: {withParcels: 38, live: 0, total: 56}},
    ];
    const limitations = [
      "Public context only.",
      "Coverage of Montana is partial: 6,062 parcels in 38 of 56 counties, of which none whole.",
    ];
    const list = {limit: 10, offset: 0, count: 0, total: 0, nextOffset: null};
    const body = JSON.stringify({properties: [], metadata: {...metadata, ...list, coverage, limitations}});
    const path = "/public/land-agent/property/owner-search";
    const said = Object.fromEntries(labelledLines(describeAnswer(path, {ok: true, body})));
    expect(said).toMatchObject({
      Coverage: "Montana: 6,062 parcels in 38 of 56 counties, from extracts",
      Limitations: "Public context only.",
    });
  });

  it("lists the parcels to choose from where several fit, and names each wrong parameter", () => {
    const problem = {
      type: "/problems/ambiguous-parcel",
      instance: "terminal",
      title: "Several parcels fit",
      status: 400,
      detail: "2 parcels match. Add county.",
      candidates: [{parcelUid: "a", county: "ERATH", state: "TX", match: {type: "exact", score: 1}}],
      candidateTotal: 2,
    };
    const path = "/public/land-agent/property/parcel-id-lookup";
    const several = describeAnswer(path, {ok: false, body: JSON.stringify(problem)});
    expect(several.headline).toEqual(["Several parcels fit. 2 parcels match. Add county."]);
    expect(several.tables[0]?.rows).toEqual([["a", "ERATH, TX", "exact 1.00"]]);
    expect(labelledLines(several)).toEqual([["Shown", "1 of 2"]]);
    const wrong = {
      type: "/problems/invalid-parameter",
      instance: "terminal",
      title: "Wrong",
      status: 400,
      detail: "",
      invalid_params: [{name: "use", reason: "is unknown", allowed: ["vacant"]}],
    };
    expect(describeAnswer(path, {ok: false, body: JSON.stringify(wrong)}).notes).toContainEqual([
      "use",
      "is unknown (vacant)",
    ]);
  });
});
