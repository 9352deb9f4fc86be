import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import type {OwnerName, OwnerOrder} from "../../../../lib/parcels/owner/owner-names.ts";
import {searchTokens} from "../../../../lib/parcels/owner/owner-tokens.ts";
import {ownerNames, parseOwner} from "../../../../lib/parcels/owner/parse-owner.ts";
import {packageRoot} from "../../../../lib/paths.ts";

/** What the file of cases says of an owner. */
function shown({kind, names, marks, careOf, withheld}: ReturnType<typeof parseOwner>): string {
  if (withheld) return "withheld";
  return [
    kind ?? "-",
    names.map(shownName).join("; ") || "-",
    ...(marks.length > 0 ? [`(${marks.join(", ")})`] : []),
    ...(careOf === null ? [] : [`care of ${careOf}`]),
  ].join(" | ");
}

function shownName({last, given = "-", suffix, text}: OwnerName): string {
  if (last === undefined) return text;
  return [last, given, ...(suffix === undefined ? [] : [suffix])].join("/");
}

const cases = readFileSync(join(packageRoot, "test", "cases", "owner-lines.txt"), "utf8")
  .split("\n")
  .filter((line) => !line.startsWith("#") && line.includes(" => "))
  .map((line) => {
    const [owner, order] = line.split(" => ")[0]!.split(" | ") as [string, OwnerOrder];
    return {line, owner, order, printed: owner.replaceAll("\\n", "\n")};
  });

test("each owner has the kind, names and marks that a person reads in it", () => {
  expect(cases.length).toBeGreaterThan(100);
  const came = cases.map(
    ({owner, order, printed}) => `${owner} | ${order} => ${shown(parseOwner(printed, order))}`,
  );
  expect(came).toEqual(cases.map(({line}) => line));
});

test("the names alone are those of the whole reading", () => {
  for (const {owner, order, printed} of cases) {
    const {names} = parseOwner(printed, order);
    expect([owner, ownerNames(printed.split("\n"), order)]).toEqual([owner, names]);
  }
});

test.each([
  ["MC ALDER TESS", "MCALDER TESS"],
  ["TESS O SHEAN", "TESS OSHEAN"],
  ["MC", "MC"],
  ["MC A", "MC A"],
  ["MC ALDER MC QUILL", "MCALDER MCQUILL"],
  ["MC ALDER, TESS & O SHEAN, RAY", "MCALDER TESS OSHEAN RAY"],
  ["HARLOW DALE", "HARLOW DALE"],
  ["ALDER MC", "ALDER MC"],
])("one who asks for %s asks for %s", (text, tokens) => {
  expect(searchTokens(text).join(" ")).toBe(tokens);
});
