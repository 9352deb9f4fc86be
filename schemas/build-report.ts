import {z} from "zod";
import {ModelReport} from "./model-report.ts";

/** How far the parcel numbers of two sources of a county meet. */
export const NumberMeeting = z.strictObject({
  county: z.string(),
  sources: z.tuple([z.string(), z.string()]).describe("Parcels found on misses are a source of their own"),
  numbers: z.int().nonnegative().describe("Numbers of the source that has fewer"),
  equal: z.int().nonnegative().describe("Numbers that are equal, or among the other's alternative ids"),
  byForm: z.int().nonnegative().describe("Numbers that are alike without separators or zeros"),
  warning: z.string().optional().describe("Why more of them should meet, with numbers of each side"),
});
export type NumberMeeting = z.infer<typeof NumberMeeting>;

/** The row counts of one input file of a build. Rows in always equal accepted + rejected + merged. */
export const FileReport = z.strictObject({
  path: z.string().describe("Path below the raw folder, with forward slashes"),
  unit: z.string().describe("Market feed or parcel entry id"),
  status: z.enum(["read", "joined", "left_out", "no_reader", "failed"]),
  reason: z
    .string()
    .nullable()
    .describe(
      "Why the file, or a county in it, was left out, not read or failed, or what a person should know about a county that was read: place, what was found, what was expected",
    ),
  rowsIn: z.int().nonnegative(),
  accepted: z.int().nonnegative(),
  rejected: z.record(z.string(), z.int().positive()).describe("Rejected rows by reason code"),
  merged: z.int().nonnegative().describe("Rows merged into another row of the same parcel or sale"),
  notes: z.record(z.string(), z.int().positive()).describe("Rows kept but flagged or cleaned, by code"),
  unregisteredVenues: z
    .array(z.string())
    .optional()
    .describe("Venues of accepted price rows that are not in the registry, and where they were located"),
  counties: z.array(z.string()).optional().describe("Keys of the counties of accepted parcel rows"),
  meetings: z
    .array(NumberMeeting)
    .optional()
    .describe("How its source's parcel numbers meet those of the county's other sources"),
});
export type FileReport = z.infer<typeof FileReport>;

/** The report of a file that yielded no rows. */
export function fileWithoutRows(
  path: string,
  unit: string,
  status: FileReport["status"],
  reason: string | null,
): FileReport {
  return {path, unit, status, reason, rowsIn: 0, accepted: 0, rejected: {}, merged: 0, notes: {}};
}

/** The report of a file whose rows were all refused; they are counted under `code`. */
export function refusedFile(report: FileReport, rows: number, code: string): FileReport {
  return {...report, rowsIn: rows, rejected: rows === 0 ? {} : {[code]: rows}};
}

/** Whether every row that came in is accounted for. */
export function addsUp(report: FileReport): boolean {
  const rejected = Object.values(report.rejected).reduce((sum, count) => sum + count, 0);
  return report.rowsIn === report.accepted + rejected + report.merged;
}

/** `report.json` of a build: the report of every raw file, by part (`MARKET` or a state), and of every model of the market. */
export const BuildReport = z.strictObject({
  as_of_date: z.iso.date(),
  sample: z.boolean(),
  parts: z.record(z.string(), z.array(FileReport)),
  left_out: z.array(FileReport).describe("Files that belong to no part, or are later than the as-of date"),
  models: z.array(ModelReport).optional().describe("Models of the market, each after those that it reads"),
});
export type BuildReport = z.infer<typeof BuildReport>;
