import {expect, test} from "vitest";
import {z} from "zod";
import {parseFormatted} from "../../../lib/storage/formatted-text.ts";

test.each([
  ['{"format":2,"a":1}', {format: 2, a: 1}],
  ['{"format":2,"a":"1"}', "file.json: not a note:"],
  ['{"format":3,"a":1}', "format 3, this reads 2"],
  ['{"a":1}', "format undefined, this reads 2"],
  ["null", "format undefined, this reads 2"],
  ['{"format":2', "file.json: not JSON: "],
])("a text with a format, %j, is %j", (text, expected) => {
  const parse = () =>
    parseFormatted("file.json", text, {
      schema: z.strictObject({format: z.literal(2), a: z.number()}),
      ...{name: "a note", formats: [2], refusal: (format) => `format ${format}, this reads 2`},
    });
  if (typeof expected === "string") expect(parse).toThrow(expected);
  else expect(parse()).toEqual(expected);
});
