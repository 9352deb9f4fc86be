import {expect, test} from "vitest";
import {lineWords} from "../src/line-words.ts";

/** The words of a line; one after a break has `,` before it, one after a wide gap `_`. */
function shown(line: string): string {
  const {words, breaks, gaps} = lineWords(line);
  expect([breaks.length, gaps.length]).toEqual([words.length, words.length]);
  return words.map((word, at) => `${breaks[at] ? "," : ""}${gaps[at] ? "_" : ""}${word}`).join(" ");
}

test.each([
  ["12 Élm St", "12 ELM ST"],
  ["12 ELM,SALEM", "12 ELM ,SALEM"],
  ["12 ELM;SALEM", "12 ELM ,SALEM"],
  ["12 ELM\nSALEM", "12 ELM ,SALEM"],
  ["12 ELM\rSALEM", "12 ELM ,SALEM"],
  ["12 ELM|SALEM", "12 ELM ,SALEM"],
  ["12 ELM (REAR) ST", "12 ELM ,REAR ,ST"],
  ["12 ELM [REAR] ST", "12 ELM ,REAR ,ST"],
  [", SALEM", ",SALEM"],
  ["12,,ELM, ST", "12 ,ELM ,ST"],
  ["12  ELM   ST RD", "12 _ELM _ST RD"],
  ["12 ELM ,  ST", "12 ELM ,_ST"],
  ["#4", "# 4"],
  ["ELM&OAK", "ELM & OAK"],
  ["ELM@OAK", "ELM & OAK"],
  ["O'BRIEN O`HARA", "OBRIEN OHARA"],
  ["A_B+C*D", "A B C D"],
  ["123-1/2 W-10", "123-1/2 W-10"],
  ["-12- --ELM-- ST", "12 ELM ST"],
  ["12 - ELM", "12 ,ELM"],
  ["12 / ELM", "12 ,ELM"],
  ["F.M. 1826", "FM 1826"],
  ["U.S.83", "US 83"],
  ["P.O. BOX 9.5", "PO BOX 9.5"],
  ["S.W. ELM", "SW ELM"],
  ["ST.ELM RD.", "ST ELM RD"],
  ["MT.A ELM", "MTA ELM"],
  ["NO.7", "NO 7"],
  ["ABC.E ABCD.E", "ABCE ABCD E"],
  ["A.B2", "A B2"],
  ["9.A", "9 A"],
  ["12 . ELM", "12 ,_ELM"],
  ["12 .ELM .7 ..OAK", "12 ELM 7 OAK"],
  ["12 ELM .", "12 ELM"],
  ["", ""],
])("%j has the words %j", (line, words) => {
  expect(shown(line)).toBe(words);
});
