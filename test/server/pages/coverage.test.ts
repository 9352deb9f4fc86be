import {expect, test} from "vitest";
// @ts-expect-error: the modules of the page have no types.
import {answer} from "../../../server/pages/coverage.js";
import {drawn} from "./fake-page.ts";

const known = {
  states: [{name: "Texas", state: "TX", status: "live", barns: 2, counties: {with_parcels: 1, total: 254}}],
  sources: [],
};

test.each([
  ["tx", "/coverage?state=TX"],
  ["  Tx ", "/coverage?state=TX"],
  ["  ", "/coverage?"],
])("the coverage of %j is asked as %s, and a table without a map answers", async (state, address) => {
  const addresses: string[] = [];
  const text = await drawn(answer, {state}, (asked) => {
    addresses.push(asked);
    return Response.json(known);
  });
  expect(addresses).toEqual([address]);
  expect(text).toContain("1 of 254");
});
