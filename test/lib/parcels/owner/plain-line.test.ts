import fc from "fast-check";
import {expect, it} from "vitest";
import {plainItems} from "../../../../lib/parcels/owner/owner-names.ts";
import {readOwnerLine} from "../../../../lib/parcels/owner/owner-tokens.ts";
import {ownerNames, parseOwner} from "../../../../lib/parcels/owner/parse-owner.ts";

const words =
  "HARLOW Dale JUNE R M VAN DER ST MC O TRUST TR ESTATE EST OF AND & / , ET AL UX JT LIFE H W L C P LLC INC CO COMPANY CITY COUNTY BANK JR II 1/2 12 0 UNKNOWN OWNER NA NO DATA U S A TRUSTEE CHURCH INT CO-TTEES ATTN".split(
    " ",
  );
const line = fc
  .array(fc.constantFrom(...words), {minLength: 1, maxLength: 6})
  .map((parts) => parts.join(" ").replaceAll(" ,", ","));

it("a plain line is read as the long way reads it", () => {
  fc.assert(
    fc.property(line, (text) => {
      const plain = plainItems(text);
      // Two blanks are the long way.
      const {items, marks, careOf} = readOwnerLine(text.replaceAll(" ", "  "));
      if (plain !== null && text.includes(" "))
        expect({items: plain, marks: [], careOf: null}).toEqual({items, marks, careOf});
    }),
    {numRuns: 2_000},
  );
  expect(plainItems("Harlow, Dale M & June")).toEqual(["HARLOW", ",", "DALE", "M", "&", "JUNE"]);
});

it("the names of lines are those that reading all of the owner gives", () => {
  const order = fc.constantFrom("last_first", "last_comma_first", "first_last", "unknown");
  fc.assert(
    fc.property(fc.array(line, {maxLength: 3}), order, (lines, by) => {
      expect(ownerNames(lines, by)).toEqual(parseOwner(lines, by).names);
    }),
    {numRuns: 2_000},
  );
});
