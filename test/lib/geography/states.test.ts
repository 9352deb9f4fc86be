import {states} from "@open-cattle/us-address";
import {reportStates} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {stateCodeOf} from "../../../lib/geography/states.ts";

test("every state is known by its code and its name, in any case and with any blanks", () => {
  for (const {state, name} of states) {
    const said = [state, state.toLowerCase(), name, name.toUpperCase(), ` ${name.replaceAll(" ", "  ")} `];
    expect(said.map(stateCodeOf)).toEqual(said.map(() => state));
  }
  expect(["mb", "Manitoba", "Kansaz", "ZZ", ""].map(stateCodeOf)).toEqual([
    "MB",
    "MB",
    undefined,
    undefined,
    undefined,
  ]);
});

test("the package of reports, which stands alone, has a list of states of its own that says the same", () => {
  expect(reportStates).toEqual(states.map(({state, name}) => ({state, name})));
});
