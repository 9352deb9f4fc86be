import {expect, it} from "vitest";
import {refusalOfJson} from "../src/untrusted-reply.ts";

it("lets the answers of servers pass, equal keys of different objects among them", () => {
  const page = {
    features: [{attributes: {A: '"A":1', B: "\\"}}, {attributes: {A: "{", B: "]"}}],
    B: [{A: 1}, "A", "A"],
  };
  expect(refusalOfJson(JSON.stringify(page))).toBeNull();
  expect(refusalOfJson(JSON.stringify(page, null, 2))).toBeNull();
  expect(refusalOfJson('{"a":"b","b":"a"}')).toBeNull();
});

it("refuses a key that one object has twice, also after blanks and an inner object", () => {
  expect(refusalOfJson('{"a":{"a":1}, "b":2 , "a" :3}')).toMatch(/twice/);
});

it("allows 32 levels and no more", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(refusalOfJson(nested(32))).toBeNull();
  expect(refusalOfJson(nested(33))).toMatch(/deeper/);
});

it("refuses a text that never ends", () => expect(refusalOfJson('{"a":"b')).toMatch(/without its end/));

it("refuses so many objects or lists that parsing them would cost others their time, not a full page or a long ring", () => {
  const page = (feature: string, count: number) => `[${Array(count).fill(feature).join(",")}]`;
  expect(refusalOfJson(page('{"attributes":{},"geometry":{"rings":[[]]}}', 1_000))).toBeNull();
  expect(refusalOfJson(page("[1,2]", 100_000))).toBeNull();
  expect(refusalOfJson(page("{}", 20_001))).toMatch(/too many/);
  expect(refusalOfJson(page("[]", 150_000))).toMatch(/too many/);
});
