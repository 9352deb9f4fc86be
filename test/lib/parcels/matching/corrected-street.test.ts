import {parseAddress} from "@open-cattle/us-address";
import {expect, test} from "vitest";
import {findAddress} from "../../../../lib/parcels/matching/address-match.ts";
import {createMemoryParcels} from "../../../../lib/parcels/memory/memory-parcel-set.ts";
import {addressRow} from "../../../written/address-row.ts";

const state = "AZ";
const context = {state, isKnownPlace: () => false};

/** The printed lines that a question finds; rows of another county than the first begin with its key. */
function found(question: string, rows: readonly string[]): string[] {
  const {set, add} = createMemoryParcels({state, origin: "delta"});
  for (const [at, row] of rows.entries()) {
    const [, county = "04019", situs = ""] = /^(?:(\d{5}): )?(.*)$/.exec(row) ?? [];
    add(addressRow({situs}, {at, county, context}));
  }
  const address = {...parseAddress(question, {...context, listsLeftOver: true}), raw: question};
  return findAddress(set, {address, counties: null}).map(({row}) => rows[row]!);
}

test.each([
  ["123 N Calle Bonita", ["123 N CALLE BONITO"], ["123 N CALLE BONITO"]],
  ["123 N Calle Bonita", ["123 N CALLE BONITO", "4410 N CALLE BONITA"], []],
  ["123 N Calle Bonita", ["123 N CALLE BONITO", "04021: 4410 N CALLE BONITA"], ["123 N CALLE BONITO"]],
  ["123 N Calle Bonita", ["123 N CALLE BONITO", "4410 N CALLE BONITAS"], ["123 N CALLE BONITO"]],
  ["744 Forest", ["744 FORREST DR"], ["744 FORREST DR"]],
  ["744 Forest", ["744 FORREST DR", "12 FOREST LN"], []],
  ["744 Forest", ["744 FOREST LN", "12 FOREST DR"], ["744 FOREST LN"]],
  ["744 Forest Ln", ["744 FORREST LN", "12 FOREST LN"], []],
  ["744 Forest Ln", ["744 FORREST LN", "12 FOREST DR"], ["744 FORREST LN"]],
])(
  "%s among %j finds %j: no corrected street where the asked one exists in the county",
  (question, rows, hits) => {
    expect(found(question, rows)).toEqual(hits);
  },
);
