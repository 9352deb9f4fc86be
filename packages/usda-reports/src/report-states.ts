import names from "../data/states.json" with {type: "json"};

/** The states and territories of the country: letters and name. */
export const reportStates: readonly {readonly state: string; readonly name: string}[] = Object.entries(
  names,
).map(([state, name]) => ({state, name}));
