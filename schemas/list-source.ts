import {z} from "zod";
import {askingShape, Cadence} from "./fetch-source.ts";
import {MarketSourceId} from "./market-source.ts";

/** Counts of a dealer record to which a licence type may contribute. */
export const DealerCount = z.enum([
  "licensed_dealers",
  "licensed_market_agencies",
  "licensed_markets",
  "other",
]);
export type DealerCount = z.infer<typeof DealerCount>;

/** What a column of a list may mean. */
export const ListField = z.enum([
  "name",
  "trade_name",
  "state",
  "city",
  "place",
  "street",
  "zip",
  "phone",
  "website",
  "sale_days",
  "sale_time",
  "goods",
  "report_number",
  "lat",
  "lon",
  "licence_type",
  "bond",
  "status",
  "list_as_of",
]);
export type ListField = z.infer<typeof ListField>;

const names = z
  .array(z.string().min(1))
  .min(1)
  .describe("Header names, in any case and punctuation; the first one found is used");

const Pattern = z.string().refine(isPattern, "is not a regular expression");

const Example = z
  .strictObject({
    row: z.record(z.string(), z.string()).optional().describe("Cells by header name"),
    line: z.string().optional().describe("A line of text, for a list with `lines`"),
    expect: z.record(z.string(), z.unknown()).describe("Values that are read, or `rejected` with the reason"),
  })
  .refine(({row, line}) => (row === undefined) !== (line === undefined), "expected either `row` or `line`");

const Download = z
  .strictObject({
    url: z.url({protocol: /^https?$/}).describe("Address of the file itself"),
    cadence: Cadence,
    format: z
      .string()
      .regex(/^[a-z0-9]+$/)
      .optional()
      .describe("Kind of file (`csv`, `xlsx`, `pdf`, `html`), if the address does not end in it"),
    rate: askingShape.rate,
    hosts: askingShape.hosts,
    verified: askingShape.verified,
  })
  .describe("How `cattle fetch` gets the file; without it, a person brings it");

const shape = {
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "is not a slug"),
  name: z.string().min(1).describe("What the list is"),
  publisher: z
    .string()
    .min(1)
    .nullable()
    .describe("Who publishes it; null for a map of no list in particular"),
  url: z.url().nullable().describe("Page on which the publisher offers the list"),
  download: Download.optional(),
  terms: z.string().min(1),
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, "is not two capital letters")
    .nullable()
    .describe("Null: the state is in a column, or in the file's name"),
  match: z
    .array(z.string().min(1))
    .describe(
      "Prefixes of file or folder names below the feed that belong to the list, in addition to its id",
    ),
  general: z.boolean().default(false).describe("True for a generic map, which is tried after all others"),
  titled: Pattern.optional().describe(
    "Regular expression that the file's name or one of its first lines matches, if another list has the same columns",
  ),
  sheet: z.string().min(1).optional().describe("Worksheet, if several have the columns"),
  lines: Pattern.optional().describe(
    "Regular expression for a line of text, with a named group for each field; instead of `columns`",
  ),
  columns: z.partialRecord(ListField, names).default({}),
  optional: z.array(ListField).default([]).describe("Fields whose column may be absent"),
  requires: z
    .array(ListField)
    .min(1)
    .default(["name"])
    .describe("Fields that every row has; a line without one is not a row of the list"),
  accept: z.strictObject({
    minRows: z.int().nonnegative().describe("A file with fewer rows is considered truncated and is not read"),
    maxRejectShare: z
      .number()
      .min(0)
      .max(1)
      .describe("A file with a larger share of rejected rows is not read"),
    rows: z.array(Example).describe("Invented rows in the publisher's format, with what is read from them"),
  }),
  note: z.string().describe("What the map is based on"),
};

const Roster = z.strictObject({
  ...shape,
  feed: z.enum(["directory", "psd"]),
  source: MarketSourceId.describe("Registry id under which facts of the list are cited"),
});

const Licences = z.strictObject({
  ...shape,
  feed: z.literal("dealers"),
  scope: z.string().min(1).nullable().describe("What the list contains; null: the file's name says it"),
  licenceTypes: z
    .array(z.strictObject({words: Pattern, countsAs: DealerCount}))
    .min(1)
    .describe("Regular expressions for the licence type; the first match decides"),
  federal: z
    .boolean()
    .default(false)
    .describe(
      "True: federal registrants; each state has a record of its own, outside the sums of state lists",
    ),
  barns: z
    .boolean()
    .default(false)
    .describe("True: licensed markets supply street, phone, website and sale day of known venues"),
});

/** The scope of federal registrants, whose records are outside the sums of state lists. */
export const FEDERAL_SCOPE = "federal_psd";

/** The description of a licence list or a market roster: `data/sources/lists/<id>.json` (`docs/adding-a-dealer-list.md`). */
export const ListSource = z.discriminatedUnion("feed", [Roster, Licences]).superRefine((list, context) => {
  for (const message of faultsOf(list)) context.addIssue({code: "custom", message});
});
export type ListSource = z.infer<typeof ListSource>;
export type RosterSource = Exclude<ListSource, {feed: "dealers"}>;
export type LicenceSource = Extract<ListSource, {feed: "dealers"}>;

type Mapped = {
  general: boolean;
  download?: unknown;
  lines?: string | undefined;
  columns: Partial<Record<ListField, unknown>>;
  optional: ListField[];
  requires: ListField[];
};

function faultsOf({general, download, lines, columns, optional, requires}: Mapped): string[] {
  if (general && download !== undefined)
    return ["download: a general map belongs to no list and has no download"];
  const mapped = Object.keys(columns);
  if (lines !== undefined && mapped.length > 0) return ["lines: give lines or columns, not both"];
  const groups = [...(lines ?? "").matchAll(/\(\?<(\w+)>/g)].map(([, group]) => group!);
  const strangers = groups.filter((group) => !ListField.options.includes(group as ListField));
  if (strangers.length > 0) return [`lines: no field is named ${strangers.join(", ")}`];
  const known = new Set([...mapped, ...groups]);
  const absent = [...optional, ...requires].filter((field) => !known.has(field));
  return absent.length === 0 ? [] : [`columns: ${absent.join(", ")} has no column; expected one`];
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "iu");
    return true;
  } catch {
    // This check exists to find patterns that do not compile.
    return false;
  }
}
