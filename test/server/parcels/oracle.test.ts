import {beforeAll, describe, expect, it} from "vitest";
import {temporaryFolder} from "../../temporary-folder.ts";
import {inventedParcels, type Random, seededRandom} from "./invented-state.ts";

import {type LookupOracle, lookupOracle} from "./lookup-oracle.ts";
import {addressQuestion, idQuestion, ownerQuestion, placeQuestion} from "./oracle-questions.ts";
import type {PlainRow} from "./plain-rows.ts";
import {inventedSource, writeState} from "./state-fixture.ts";

// The long form with the other long ones; else fewer questions of the same series.
const long = process.env["CORPUS_ALL"] === "1";
const questions = long ? 10_000 : 300;
const rows = 700;

let random: Random;
let oracle: LookupOracle;

beforeAll(async () => {
  random = seededRandom(20261121);
  const root = temporaryFolder();
  const make = (state: string, counties: string[], lon: number) =>
    writeState(root, state, {parcels: inventedParcels(random, {count: rows, counties, lon, lat: 30.3})});
  const sets = [await make("TX", ["48453", "48491"], -97.7), await make("OK", ["40001", "40003"], -97.66)];
  oracle = lookupOracle(sets, () => inventedSource);
});

/** Asks about rows drawn at random; `about` gives false for a row that cannot be asked about. */
function ask(about: (row: PlainRow) => boolean, times = questions): void {
  for (let asked = 0; asked < times; ) if (about(random.pick(oracle.rows))) asked += 1;
}

describe("the index answers like a plain scan", () => {
  it("for parcel numbers in any form", {timeout: 1_800_000}, () => {
    let found = 0;
    ask((row) => {
      const asked = idQuestion(row, random);
      if (asked === null) return false;
      found += Number(oracle.checkId(asked) > 0);
      return true;
    });
    expect(found).toBeGreaterThan(questions / 2);
  });

  it("for addresses, exact, normalised and misspelt", {timeout: 1_800_000}, () => {
    const types = new Set<string>();
    ask((row) => {
      for (const type of oracle.checkAddress(row.set, addressQuestion(row, random))) types.add(type);
      return true;
    });
    expect([...types].sort()).toEqual(["exact", "fuzzy", "normalized"]);
  });

  it("for places, with categories and pages", {timeout: 1_800_000}, () => {
    ask((row) => {
      const question = placeQuestion(row, random);
      if (question !== null) oracle.checkPlace(question);
      return question !== null;
    });
  });

  it("for owners by words and by roles, with begun and misspelt ones, page by page", {
    timeout: 1_800_000,
  }, () => {
    const scores = new Set<number>();
    ask(
      (row) => {
        const words = ownerQuestion(row, random);
        if (words === null) return false;
        const page = {offset: random.below(60), limit: 1 + random.below(40)};
        for (const score of oracle.checkOwners(words, page)) scores.add(score);
        return true;
      },
      long ? questions : 100,
    );
    expect([...scores].sort()).toEqual([0.6, 0.7, 0.8, 0.9, 0.95, 1]);
  });
});
