import {afterEach, expect, test, vi} from "vitest";
// @ts-expect-error: the modules of the page have no types.
import {answer} from "../../../server/pages/coverage.js";

afterEach(() => vi.unstubAllGlobals());

/** Asks for the coverage of a state in a page without a map; returns the addresses that it asked, and its text. */
async function asked(state: string) {
  const addresses: string[] = [];
  const known = {
    states: [{name: "Texas", state: "TX", status: "live", barns: 2, counties: {with_parcels: 1, total: 254}}],
    sources: [],
  };
  class Drawn {
    readonly parts: unknown[] = [];
    setAttribute(): void {}
    append(...parts: unknown[]): void {
      this.parts.push(...parts);
    }
    get textContent(): string {
      return this.parts.map((part) => (part instanceof Drawn ? part.textContent : part)).join(" ");
    }
  }
  vi.stubGlobal("Node", Drawn);
  vi.stubGlobal("document", {createElement: () => new Drawn()});
  vi.stubGlobal("sessionStorage", {getItem: () => null});
  vi.stubGlobal("fetch", async (address: string | URL) => {
    if (address instanceof URL) throw new Error("no map");
    addresses.push(address);
    return Response.json(known);
  });
  const drawn = (await answer({state})) as (Drawn | null | undefined)[];
  return {addresses, text: drawn.map((each) => each?.textContent ?? "").join("\n")};
}

test.each([
  ["tx", "/coverage?state=TX"],
  ["  Tx ", "/coverage?state=TX"],
  ["  ", "/coverage?"],
])("the coverage of %j is asked as %s, and a table without a map answers", async (state, address) => {
  const {addresses, text} = await asked(state);
  expect(addresses).toEqual([address]);
  expect(text).toContain("1 of 254");
});
