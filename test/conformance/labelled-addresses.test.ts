import {existsSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {isRight, readOwn} from "../../bench/address-comparison.ts";
import {readLabelled} from "../../bench/labelled-addresses.ts";
import {corpus} from "./corpus.ts";
import {unnotedWords} from "./unnoted-words.ts";

// Least shares of lines whose number and street are both read as people labelled them.
const sets: [string, number][] = [
  ["us50_train_tagged.xml", 0.995],
  ["usaddress-training-labeled.xml", 0.95],
  ["multi_word_state_addresses.xml", 0.99],
];

test.skipIf(corpus === null).each(sets)(
  "%s: number and street are right in at least %d of the lines",
  (name, least) => {
    const path = join(corpus!, "address", name);
    if (!existsSync(path)) return;
    const set = readLabelled(path);
    const right = set.filter((label) => isRight(label, readOwn(label.line)));
    expect(right.length / set.length).toBeGreaterThanOrEqual(least);
  },
);

test.skipIf(corpus === null).each(sets)("%s: no word is left out without a note", (name) => {
  const path = join(corpus!, "address", name);
  if (!existsSync(path)) return;
  const lines = readLabelled(path).map(({line}) => line);
  expect(lines.filter((line) => unnotedWords(line).length > 0)).toEqual([]);
});
