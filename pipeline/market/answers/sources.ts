import {recordModel} from "../../../lib/models/record-model.ts";
import {columnName, marketFiles} from "../../../schemas/market-files.ts";
import {answerContext} from "./answer-context.ts";

const entry = ["id", "name", "type", "role", "citationBoundary", "terms"]
  .map((member) => `'"${member}":' || to_json(${columnName(member)})`)
  .join(` || ',' || `);

/** The sources of the registry, each with its entry as answers show it. */
export const sources = recordModel({
  name: "sources",
  columns: marketFiles.sources.columns,
  computedIn: ["data/sources/market.json"],
  more: {entry: `'{' || ${entry} || '}'`},
  rows: async (run) =>
    (await run.value(answerContext)).registry.map((source) =>
      Object.fromEntries(Object.entries(source).map(([member, value]) => [columnName(member), value])),
    ),
});
