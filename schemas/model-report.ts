import {z} from "zod";

/** A model as a build made it. Equal inputs give equal reports: no time, no path of a machine. */
export const ModelReport = z.strictObject({
  name: z.string(),
  file: z.string().describe("File that declares it, from the root of the program"),
  kind: z
    .enum(["view", "temp", "table", "file", "rows", "files", "input"])
    .describe(
      "How its SQL is stored; `rows` come from TypeScript, which also writes `files`, and `input` from the readers of raw files",
    ),
  reads: z.array(z.string()).describe("Models that it reads, by name"),
  rows: z.int().nonnegative().nullable().describe("null for a view and for written files, which store none"),
  sql: z.string().nullable().describe("The SQL that made it; null where there is none"),
});
export type ModelReport = z.infer<typeof ModelReport>;

/** What it cost to make a model; differs from run to run, so that no file of a build has it. */
export const ModelCost = z.strictObject({
  seconds: z.number().nonnegative(),
  bytes: z.int().nonnegative().nullable().describe("Memory of its table; null for a view, and on disk"),
});
export type ModelCost = z.infer<typeof ModelCost>;

/** A model with its cost, as the market stage reports it. */
export const MadeModel = z.strictObject({...ModelReport.shape, ...ModelCost.shape});
export type MadeModel = z.infer<typeof MadeModel>;

/** A model of a state's parcels, with the columns that the entries give it. */
export const StateModel = z.strictObject({...MadeModel.shape, columns: z.array(z.string())});
export type StateModel = z.infer<typeof StateModel>;

/**
 * `models/<build id>.json` of a data folder: the costs of the models of the market that this build made, by name, and the models of the
 * states that it made, each after those that it reads.
 */
export const ModelCosts = z.strictObject({
  build_id: z.string(),
  models: z.record(z.string(), ModelCost),
  states: z.record(z.string(), z.array(StateModel)).optional(),
});
export type ModelCosts = z.infer<typeof ModelCosts>;
