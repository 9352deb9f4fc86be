import {readdirSync, readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {CadastreStatus} from "../../../schemas/parcel-answer.ts";
// @ts-expect-error: the modules of the page have no types.
import {cattleOf, headOf, priceOf} from "../../../server/pages/dom.js";
// @ts-expect-error: the modules of the page have no types.
import {answer, cardLines, countyWords} from "../../../server/pages/land.js";
import {cattleWords} from "../../../server/text/market-record.ts";
import {cardFacts} from "../../../server/text/parcel-card.ts";
import {drawn} from "./fake-page.ts";

/** What the page shows of a question about land, to which the server replies so. */
const told = (question: object, reply: Response) => drawn(answer, question, () => reply);

describe("the page's own files", () => {
  it("are under 800 lines together", () => {
    const folder = new URL("../../../server/pages/", import.meta.url);
    const served = readdirSync(folder).filter((name) => !name.endsWith(".ts"));
    const lines = served.map((name) => readFileSync(new URL(name, folder), "utf8").split("\n").length - 1);
    expect(served.length).toBeGreaterThan(8);
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(800);
  });

  it("make nothing of data but text, and keep no key beyond the tab", () => {
    const names = ["ask", "charts", "coverage", "dom", "land", "page", "prices"];
    for (const name of names) {
      const text = readFileSync(new URL(`../../../server/pages/${name}.js`, import.meta.url), "utf8");
      const forbidden =
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|javascript:|localStorage|document\.cookie/;
      expect(text, name).not.toMatch(forbidden);
    }
  });

  it("have a card with the lines that `cattle lookup` prints", () => {
    const lines = (cardLines as string[][]).map(([, members, , note = ""]) => [members, note]);
    const facts = cardFacts.map(({of, note = ""}) => [of.join(" "), note]);
    expect(new Set(lines.map(String))).toEqual(new Set(facts.map(String)));
  });

  it("have a card whose values that belong together stand with commas between them", async () => {
    const property = {
      ...{parcelUid: "20057-1", parcelId: "1-A", county: "Ford County", state: "KS", acres: 1280.5},
      ...{ownerAddressLine1: "PO BOX 12", ownerCity: "RENO", ownerState: "NV", ownerZipCode: "89501"},
    };
    const text = await told({by: "number", text: "1-A"}, Response.json({property, metadata: {}}));
    for (const value of ["Ford County, KS", "PO BOX 12, RENO, NV, 89501", "1,280.5 acres"])
      expect(text).toContain(value);
    // Nothing is said of what the parcel has no value of.
    for (const about of ["Zoning", "Sold", "Tax"]) expect(text).not.toContain(about);
  });

  it("tell a price with its unit, its animals, all cattle words of the terminal, and that it is an estimate", () => {
    const pairs = {
      ...{commodity: "replacement_cattle", class: "cow_calf_pairs", muscle_grade: "1-2", age_class: "5-8"},
      ...{pregnancy_stage: "T1", offspring_weight: "150-300", lot_descriptors: ["broken_mouth"]},
    };
    const cows = {commodity: "slaughter_cattle", class: "cows", quality_grade: "boner", dressing: "very_low"};
    const bulls = {commodity: "replacement_cattle", class: "bulls", delivery: "current", freight: "fob"};
    const calves = {commodity: "dairy_calves", class: "heifers", quality_grade: "number_1"};
    const lot = {
      commodity: "feeder_cattle",
      class: "steers",
      lot_descriptors: ["other"],
      lot_description: "Guernsey",
    };
    for (const record of [pairs, cows, bulls, calves, {...calves, class: "baby_calves"}, lot])
      for (const word of cattleWords(record).split(/,? /)) expect(cattleOf(record)).toContain(word);
    expect(cattleOf({...cows, weight_bin: "1200-1249"})).toBe(
      "slaughter cows boner, 1200-1249 lb, very low dressing",
    );
    expect(cattleOf({class: "steers", commodity: "feeder_cattle", frame: "medium_and_large"})).toBe(
      "feeder steers medium and large",
    );
    expect(cattleOf({...calves, class: "dairy_bulls"})).toBe("feeder dairy bull calves number 1");
    expect(cattleOf(lot)).toBe('feeder steers, "Guernsey"');
    const price = {price_avg: 4365.7, price_unit: "per_pair"};
    expect([priceOf(price), headOf({...price, head_count: 1})]).toEqual(["4,365.70 USD a pair", "1 pair"]);
    const estimate = {price_avg: 350.5, price_unit: "per_cwt", price_basis: "nearest_market_estimate"};
    expect([priceOf(estimate), headOf({...estimate, head_count: null, contributing_head: 42})]).toEqual([
      "350.50 USD per cwt, an estimate",
      "42 head",
    ]);
    expect([priceOf({...price, price_avg: null}), headOf(price)]).toEqual([undefined, undefined]);
  });

  it("have words for what a county's service says of a parcel that is not found", () => {
    const refused = ["found", "unavailable", "timeout", "paused", "rejected"];
    const said = CadastreStatus.options.filter((status) => !refused.includes(status));
    expect(Object.keys(countyWords).sort()).toEqual([...said].sort());
  });

  it("say of a parcel that is not found what is loaded there: by county, or of a whole state", async () => {
    const coverage = [
      {state: "KS", county: "Ford", status: "loaded", rows: 1234, vintage: "2026-01-31"},
      {state: "OK", status: "not_loaded"},
    ];
    const problem = {type: "/problems/parcel-not-found", detail: "No parcel has this address.", coverage};
    const text = await told({by: "address", text: "12 Elm St"}, Response.json(problem, {status: 404}));
    expect(text).toContain("Place Coverage Parcels As of Ford loaded 1,234 2026-01-31 OK not_loaded – –");
    expect(text).toContain(`No parcel has this address.\n${countyWords.not_asked}`);
  });
});
