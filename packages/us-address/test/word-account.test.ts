import fc from "fast-check";
import {expect, test} from "vitest";
import {scoreAddress} from "../src/address-score.ts";
import {lineWords} from "../src/line-words.ts";
import {readLocalityEnd} from "../src/locality-end.ts";
import {parseAddress} from "../src/parse-address.ts";
import {wordAccount} from "../src/word-account.ts";
import {kinds, writtenCases} from "./written-lines.ts";

const word = fc.constantFrom(
  ..."MAIN OAK QUILL ST AVE RD N SW 12 48 2B UNIT APT # BLDG 3 REAR US HWY 70 A & , BLK LOT BOX PO FM CR 1/2 THE OF SALEM".split(
    " ",
  ),
);
const line = fc
  .tuple(fc.constantFrom("12", "2181/2", "G-4225", "12-14"), fc.array(word, {minLength: 1, maxLength: 8}))
  .map(([number, words]) => [number, ...words].join(" "));

function accountOf(text: string) {
  const words = lineWords(text).words;
  const end = readLocalityEnd(lineWords(text)).end;
  const address = parseAddress(text);
  return {address, words: words.slice(0, end), account: wordAccount(words.slice(0, end), address)};
}

test("no word of a line vanishes: each is kept, excused by a rule, or left over", () => {
  fc.assert(
    fc.property(line, (text) => {
      const {words, account} = accountOf(text);
      const all = [...account.kept, ...account.excused.map((each) => each.word), ...account.leftOver];
      expect(all.sort()).toEqual([...words].sort());
    }),
    {numRuns: 2000},
  );
});

test("a score of 1.00 means that nothing is left over, on the side of the question and of the row", () => {
  fc.assert(
    fc.property(line, line, (asked, printed) => {
      const [query, row] = [accountOf(asked), accountOf(printed)];
      const match = scoreAddress({...query.address, raw: asked}, {...row.address, raw: printed}, []);
      if (match?.score !== 1 || row.address.status !== "numbered") return;
      expect(row.account.leftOver).toEqual([]);
      if (asked !== printed) expect(query.account.leftOver).toEqual([]);
      expect(row.address.dropped).toBe(0);
    }),
    {numRuns: 2000},
  );
  for (const kind of kinds) {
    for (const {rows} of writtenCases(kind, 50)) {
      for (const {situs} of rows) {
        const {account, address} = accountOf(situs);
        if (address.status === "numbered") expect([situs, account.leftOver]).toEqual([situs, []]);
      }
    }
  }
});

test.each([
  ["12 OAK ST LOT 4 BLK 3", ["BLK", "3"]],
  ["12 OAK ST APT 4 APT 5", ["4"]],
  ["12 OAK ST UNIT 4", []],
  ["12 FM 620 RD N", []],
  ["12 CR 12.5 B", []],
  ["12 SR-9", []],
  ["12 SR9", []],
  ["12 CR400N", []],
  ["12 CR 400N", []],
  ["12 CO RD-12", []],
  ["12 CTH-B", []],
  ["12 NC-9", []],
  ["12 INDIANA HIGHWAY 212", []],
  ["12 US-15/501", []],
  ["12 HWY 17 BYPASS", []],
  ["12 M 59", []],
  ["12 1500 EAST RD", []],
  ["12 1500E RD", []],
  ["12 45678 RD", []],
])("%s leaves over %j", (text, left) => {
  expect(accountOf(text).account.leftOver).toEqual(left);
});

test.each([
  ["12 COUNTY ROAD 12 COTTAGE", ["COTTAGE"]],
  ["12 CR 12 MAIN HOUSE", ["MAIN", "HOUSE"]],
  ["12 SR 9 TX", []],
])("behind a numbered road that no town follows, %s leaves over %j", (text, left) => {
  expect(parseAddress(text, {isKnownPlace: () => false, listsLeftOver: true}).leftOver).toEqual(left);
});

test.each([
  ["12 LORIMAR RD", ["12", "LORIMAR", "RD"], []],
  ["QUILL RED TOWER, 12 LORIMAR RD", ["12", "LORIMAR", "RD"], ["QUILL", "RED", "TOWER"]],
])("keeps each word of %s from its number on, and excuses a recipient before it", (text, kept, before) => {
  const {account} = accountOf(text);
  expect(account.kept).toEqual(kept);
  expect(account.excused.map(({word}) => word).filter((word) => word !== ",")).toEqual(before);
});
