import {expect, test} from "vitest";
import {oncePer} from "../../../server/generation/generation.ts";

test("makes a value once for each object, also one that is undefined", () => {
  const asked: string[] = [];
  const nameOf = oncePer(({name}: {name?: string}) => {
    asked.push(name ?? "none");
    return name;
  });
  const [one, other, nameless] = [{name: "one"}, {name: "other"}, {}];
  expect([one, other, nameless, one, nameless].map(nameOf)).toEqual([
    "one",
    "other",
    undefined,
    "one",
    undefined,
  ]);
  expect(asked).toEqual(["one", "other", "none"]);
});
