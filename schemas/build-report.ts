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

/** What became of the parts of a whole, by count: all = read + skipped. */
export const Account = z.strictObject({
  all: z.int().nonnegative(),
  read: z.int().nonnegative(),
  skipped: z.record(z.string(), z.int().positive()).describe("What was not read, by reason"),
});
export type Account = z.infer<typeof Account>;

/** What of a parcel file was read (`docs/design/parcels.md` section 4). */
export const FileAccount = z.strictObject({
  bytes: Account.describe("Bytes of the file, of an archive unpacked, with the files that are read with it"),
  rows: Account.describe("Rows of the file; those read are its rows in"),
  quotes: Account.optional().describe(
    "Quotation marks of delimited text; those read stand in rows that were read",
  ),
  geometry: z
    .record(z.string(), Account)
    .describe(
      "Rows by column of geometry (`geometry` where the format has one of its own); read gave a point",
    ),
});
export type FileAccount = z.infer<typeof FileAccount>;

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
  account: FileAccount.optional().describe("Bytes, rows, quotes and geometry of a parcel file"),
  meetings: z
    .array(NumberMeeting)
    .optional()
    .describe("How its source's parcel numbers meet those of the county's other sources"),
});
export type FileReport = z.infer<typeof FileReport>;

/** The report of a file that yielded no rows; with its size where its bytes are counted. */
export function fileWithoutRows(
  path: string,
  unit: string,
  status: FileReport["status"],
  reason: string | null,
  bytes?: number,
): FileReport {
  const account = {bytes: accountOf(0, {[status]: bytes ?? 0}), rows: accountOf(0, {}), geometry: {}};
  return {
    path,
    unit,
    status,
    reason,
    rowsIn: 0,
    accepted: 0,
    rejected: {},
    merged: 0,
    notes: {},
    ...(bytes === undefined ? {} : {account}),
  };
}

/** The account of what was read and what was not, without zeros. */
export function accountOf(read: number, skipped: Readonly<Record<string, number>>): Account {
  const filled = Object.entries(skipped).filter(([, count]) => count > 0);
  return {all: read + sumOf(skipped), read, skipped: Object.fromEntries(filled.sort())};
}

/** Adds up accounts of several tables. */
export function accountsOf(accounts: readonly Pick<Account, "read" | "skipped">[]): Account {
  const skipped = new Map<string, number>();
  for (const [code, n] of accounts.flatMap((each) => Object.entries(each.skipped)))
    skipped.set(code, (skipped.get(code) ?? 0) + n);
  return accountOf(
    accounts.reduce((sum, {read}) => sum + read, 0),
    Object.fromEntries(skipped),
  );
}

/** The report of a file whose rows were all refused; they are counted under `code`. */
export function refusedFile(report: FileReport, rows: number, code: string): FileReport {
  const {account, ...rest} = report;
  return {
    ...rest,
    rowsIn: rows,
    rejected: rows === 0 ? {} : {[code]: rows},
    ...(account === undefined ? {} : {account: {...account, rows: accountOf(rows, account.rows.skipped)}}),
  };
}

/** Whether every row that came in is accounted for, and every byte, quote and geometry where the report counts them. */
export function addsUp({rowsIn, accepted, rejected, merged, account}: FileReport): boolean {
  if (rowsIn !== accepted + sumOf(rejected) + merged) return false;
  if (account === undefined) return true;
  const {bytes, rows, quotes, geometry} = account;
  const all = [bytes, rows, ...(quotes === undefined ? [] : [quotes]), ...Object.values(geometry)];
  return rows.read === rowsIn && all.every((each) => each.all === each.read + sumOf(each.skipped));
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
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
