import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {
  editDistance,
  editsAllowed,
  isWholeName,
  nameBeginning,
  nearNameKeys,
  nearNames,
} from "../src/edit-distance.ts";
import {casesOf} from "./cases-of.ts";

const keysOf = (name: string) => nearNameKeys(name).map(({key}) => key);
const meet = (a: string, b: string) => keysOf(a).some((key) => keysOf(b).includes(key));

describe("near street names", () => {
  test.each(casesOf<[string, string]>("near-names.txt"))("%s meets %s", (asked, name) => {
    expect(meet(asked, name)).toBe(true);
    expect(nearNames(asked).isNear(name)).toBe(true);
    expect(nearNames(asked).mayBegin(nameBeginning(name))).toBe(true);
  });

  test("names with digits and names of two letters have no neighbours", () => {
    expect([nearNameKeys("22ND"), nearNameKeys("AB")]).toEqual([[], []]);
  });

  test("names of one beginning have the same keys, and a short beginning is the whole name", () => {
    expect(keysOf("WHITTAKER")).toEqual(keysOf("WHITTAKERSVILLE"));
    expect([isWholeName(nameBeginning("OAK")), isWholeName(nameBeginning("OAKDALE"))]).toEqual([true, false]);
  });

  test("any two names with as few edits between them as are forgiven meet in a key", () => {
    const name = fc.string({unit: fc.constantFrom(..."ABC "), minLength: 3, maxLength: 12});
    const edit = fc.tuple(
      fc.nat(12),
      fc.constantFrom("drop", "add", "change", "swap"),
      fc.constantFrom(..."ABCD"),
    );
    fc.assert(
      fc.property(name, fc.array(edit, {maxLength: 2}), (original, edits) => {
        const other = edits.reduce(
          (text, [at, kind, letter]) => edited(text, at % text.length, {kind, letter}),
          original,
        );
        const allowed = editsAllowed(other.length > original.length ? other : original);
        fc.pre(other.length >= 3 && editDistance(original, other, allowed) <= allowed);
        expect(meet(original, other)).toBe(true);
        expect(nearNames(original).mayBegin(nameBeginning(other))).toBe(true);
      }),
      {numRuns: 3000, seed: 20261121},
    );
  });
});

function edited(text: string, at: number, {kind, letter}: {kind: string; letter: string}): string {
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  if (kind === "drop") return before + after;
  if (kind === "add") return before + letter + text.slice(at);
  return kind === "change"
    ? before + letter + after
    : before + after.slice(0, 1) + text[at]! + after.slice(1);
}
