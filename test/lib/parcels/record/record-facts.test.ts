import fc from "fast-check";
import {expect, test} from "vitest";
import {factsJoiner} from "../../../../lib/parcels/record/record-facts.ts";

const name = fc.string({unit: "grapheme", minLength: 1, maxLength: 9});
const degrees = fc.double({min: -180, max: 180, noNaN: true});
const value = fc.oneof(fc.string({unit: "binary", minLength: 0, maxLength: 30}), fc.nat(), fc.boolean());

test("the facts of a record are the object of its names and values, without braces", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.tuple(name, value)), (uid, members) => {
      const texts = [uid, uid, ...members.map(([, each]) => each)].map((each) => JSON.stringify(each));
      for (let at = 1; at < texts.length; at++) if (texts[at] === texts[at - 1]) texts[at] = "";
      const facts = factsJoiner(members.map(([each]) => each))(Buffer.from(texts.join("\n")));
      const wanted = [["_id", uid], ["parcelUid", uid], ...members];
      const pairs = wanted.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`);
      expect(facts.toString()).toBe(pairs.join(","));
    }),
  );
});

test("a line of @ is the point of the two values before it, whatever stands around it", () => {
  const some = fc.array(value, {maxLength: 4});
  fc.assert(
    fc.property(some, fc.tuple(degrees, degrees), some, (before, point, after) => {
      const wanted = ["1", "1", ...before, ...point, {type: "Point", coordinates: point}, ...after];
      const lines = ["1", "1", ...before, ...point].map((each) => JSON.stringify(each));
      const values = [...lines, "@", ...after.map((each) => JSON.stringify(each))].join("\n");
      const names = wanted.slice(2).map((_, at) => `m${at}`);
      const facts = JSON.parse(`{${factsJoiner(names)(Buffer.from(values))}}`);
      expect(Object.values(facts)).toEqual(JSON.parse(JSON.stringify(wanted)));
    }),
  );
});

test("values that are fewer or more than the names are refused", () => {
  const join = factsJoiner(["city", "acres"]);
  expect(join(Buffer.from('"1"\n\n"A"\n2')).toString()).toBe(
    '"_id":"1","parcelUid":"1","city":"A","acres":2',
  );
  for (const values of ['"1"', '"1"\n\n"A"', '"1"\n\n"A"\n2\n3', ""]) {
    expect(() => join(Buffer.from(values))).toThrow(RangeError);
  }
});

test("a line that stands for values before it takes none where there is none", () => {
  const join = factsJoiner([]);
  expect(join(Buffer.from('\n"1"')).toString()).toBe('"_id":,"parcelUid":"1"');
  expect(join(Buffer.from('@\n"1"')).toString()).toBe(
    '"_id":{"type":"Point","coordinates":[,]},"parcelUid":"1"',
  );
});
