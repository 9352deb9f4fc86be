import {model, value} from "./model.ts";

/** The as-of date of the build, ISO. */
export const asOfDate = value<string>("as-of date");

/** One row: what is true of the whole build. */
export const build_facts = model({
  name: "build_facts",
  columns: {DATE: "as_of"},
  materialise: "table",
  rows: async (run) => [{as_of: await run.value(asOfDate)}],
});

/** SQL: the as-of date. */
export const asOfSql = "(SELECT as_of FROM build_facts)";
