import {beforeAll, describe, test} from "vitest";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {type LookupOracle, lookupOracle} from "../server/parcels/lookup-oracle.ts";
import {
  addressQuestion,
  idQuestion,
  ownerQuestion,
  placeQuestion,
} from "../server/parcels/oracle-questions.ts";
import type {PlainRow} from "../server/parcels/plain-rows.ts";
import {corpus} from "./corpus.ts";
import {buildCorpusState, corpusEntries} from "./corpus-states.ts";

const all = process.env["CORPUS_ALL"] === "1";
const questions = all ? 10_000 : 100;
const states = all ? ["AZ", "CA", "MA", "NC", "UT", "WA"] : ["AZ", "UT"];

describe.skipIf(corpus === null)(
  `${questions} questions of each kind about real parcels are answered like a plain scan`,
  {timeout: 3_600_000},
  () => {
    const random = seededRandom(20261121);
    let oracle: LookupOracle;

    beforeAll(async () => {
      const files = (await listRawFiles(corpus!)).filter(({kind}) => kind === "parcels");
      const entries = corpusEntries(files);
      const built = [];
      for (const state of states)
        built.push(await buildCorpusState(state, {entries: entries.get(state) ?? [], files}));
      oracle = lookupOracle(
        built.map(({set}) => set),
        registeredSource,
      );
    }, 600_000);

    /** Asks about random rows; `about` returns false for a row without a question. */
    function ask(about: (row: PlainRow) => boolean): void {
      for (let asked = 0; asked < questions; ) if (about(random.pick(oracle.rows))) asked += 1;
    }

    test("by number", () => {
      ask((row) => {
        const asked = idQuestion(row, random);
        if (asked !== null) oracle.checkId(asked);
        return asked !== null;
      });
    });

    test("by address", () => {
      ask((row) => {
        if (row.address.status === "blank") return false;
        oracle.checkAddress(row.set, addressQuestion(row, random));
        return true;
      });
    });

    test("by place, parcels with outlines among them", () => {
      ask((row) => {
        const question = placeQuestion(row, random);
        if (question !== null) oracle.checkPlace(question);
        return question !== null;
      });
    });

    test("by owner", () => {
      ask((row) => {
        const words = ownerQuestion(row, random);
        if (words !== null)
          oracle.checkOwners(words, {offset: random.below(30), limit: 1 + random.below(40)});
        return words !== null;
      });
    });
  },
);
