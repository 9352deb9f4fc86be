import {z} from "zod";
import {feedNames} from "./market-feed.ts";

/** When a source publishes something new, in UTC. */
export const Cadence = z
  .strictObject({
    everyHours: z
      .number()
      .positive()
      .max(24 * 800)
      .optional()
      .describe("Due when the last good run is older"),
    weekday: z.int().min(0).max(6).optional().describe("Day of its release, 0 = Sunday"),
    hour: z.int().min(0).max(23).optional().describe("Hour of the release on that day"),
  })
  .refine(({everyHours, weekday}) => everyHours !== undefined || weekday !== undefined, {
    error: "has neither everyHours nor weekday",
  });
export type Cadence = z.infer<typeof Cadence>;

/** Request limits for a host: requests started per second, and requests in flight. */
export const Rate = z.strictObject({
  perSecond: z.number().positive().max(500),
  atOnce: z.int().min(1).max(8).default(1),
});
export type Rate = z.infer<typeof Rate>;

const Host = z.string().regex(/^[a-z0-9.-]+(:\d{1,5})?$/, "is not a host name in lower case");

/** Request settings that every source may have in addition to its address. */
export const askingShape = {
  cadence: Cadence.optional(),
  rate: Rate.optional().describe("Without it one request a second, one at a time (two for ArcGIS)"),
  hosts: z.array(Host).optional().describe("Other hosts from which its files and redirects may come"),
  layerName: z
    .string()
    .optional()
    .describe("Name that an ArcGIS service gives its layer; a different name means that the layer moved"),
  keep: z
    .array(z.string().min(1))
    .max(10)
    .optional()
    .describe("Columns of an ArcGIS layer that are pulled although the map does not use them"),
  fileList: z
    .url()
    .optional()
    .describe(
      "JSON list of the files that exist, for an address with {county}: results with a resource each",
    ),
  mirror: z
    .url()
    .optional()
    .describe("Address with {county} of the same files, used once the publisher's own host answered 403"),
  newerEdition: z
    .string()
    .optional()
    .describe("What is known of a newer edition whose address is not; told until the entry has it"),
  evidence: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "Public places where address, layer name, fields, counties and terms were read, each with what it shows",
    ),
  verified: z.boolean().optional().describe("False until a first real run has shown address and fields"),
};

/** Settings that hold an API key for a source. */
const keySettings = ["CATTLE_MARS_KEY", "CATTLE_QUICKSTATS_KEY", "CATTLE_EIA_KEY"] as const;
export type KeySetting = (typeof keySettings)[number];

const Parameters = z.record(z.string(), z.string());

const feedBase = {
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "is not a slug"),
  feed: z.enum(feedNames),
  url: z.url(),
  ...askingShape,
  cadence: Cadence,
  verified: z.boolean(),
  key: z.enum(keySettings).optional().describe("Setting with the key; without it the source is not fetched"),
  unlessGood: z
    .string()
    .optional()
    .describe(
      "Id of a source with the same facts, the first choice and not one that stands aside itself; this one is fetched only in a night in which that one does not answer in full",
    ),
  contact: z.boolean().optional().describe("True: its publisher requires a contact in the User-Agent"),
  licensed: z.boolean().optional().describe("True: fetched only if the deployment has a licence"),
};

const HttpFile = z.strictObject({
  ...feedBase,
  protocol: z.literal("http-file"),
  complete: z.boolean().optional().describe("True: the file is the whole of its source"),
});
const Mars = z.strictObject({
  ...feedBase,
  protocol: z.literal("mars"),
  marketTypes: z
    .array(z.string())
    .min(1)
    .describe("Market types to request, with the text that follows them in brackets"),
  sectionedTypes: z.array(z.string()).describe("Those whose rows are in a section of details"),
  historyDays: z.int().positive().describe("Days of reports that the first run fetches"),
});
const AmsText = z.strictObject({
  ...feedBase,
  protocol: z.literal("ams-text"),
  files: z
    .url()
    .describe("Address of a report's PDF, with {slug}; other documents of the list stand beside it"),
  jsonList: z
    .url()
    .optional()
    .describe("Address of the list as JSON, for when the printed one cannot be read"),
  listDays: z.int().positive().describe("Days of publications to request from the lists"),
  archive: z
    .url()
    .optional()
    .describe(
      "Page that lists every edition of a report, with {slug}; asked for what came out in a week or more without a night",
    ),
});
const Datamart = z.strictObject({
  ...feedBase,
  protocol: z.literal("datamart"),
  slugs: z.array(z.int().positive()).min(1),
  historyDays: z.int().positive().max(180),
});
const QuickStats = z.strictObject({
  ...feedBase,
  protocol: z.literal("quickstats"),
  years: z.int().positive(),
  queries: z.record(z.string().regex(/^[a-z0-9-]+$/), Parameters),
});
const Drought = z.strictObject({...feedBase, protocol: z.literal("drought"), maps: z.int().positive()});
const Nws = z.strictObject({
  ...feedBase,
  protocol: z.literal("nws"),
  ask: z
    .enum(["alerts", "forecasts"])
    .describe("Alerts of the states with venues, or forecasts of their towns"),
});
const Eia = z.strictObject({
  ...feedBase,
  protocol: z.literal("eia"),
  parameters: Parameters,
  pageSize: z.int().positive().max(5000),
});
const Echo = z.strictObject({
  ...feedBase,
  protocol: z.literal("echo"),
  parameters: Parameters.describe("Query of the facilities that are livestock"),
  columns: z
    .array(z.string())
    .nonempty()
    .describe("Columns of a facility that are asked for, by their names; the service numbers them"),
  pageSize: z.int().positive().max(5000),
});

const BulkLines = z.strictObject({
  ...feedBase,
  protocol: z.literal("bulk-lines"),
  maxMib: z.int().positive().describe("Size of a file, as it is sent, above which it is left alone"),
  files: z
    .record(
      z.string().regex(/^[a-z0-9-]+$/),
      z.strictObject({
        link: z
          .string()
          .optional()
          .describe("Form of the file's name, if `url` is a page with links; the last by name is taken"),
        forms: z
          .array(z.string().min(1))
          .min(1)
          .describe("Regular expressions; a line is kept in which all are found"),
        years: z.int().positive().optional().describe("Only lines of so many years, by the column YEAR"),
        asList: z.boolean().default(false).describe("True for lines of JSON, which are stored as a list"),
      }),
    )
    .describe("By name: the packed text files (.zip, .gz), and which of their lines are stored"),
});

/** One way to fetch a market feed: where and how its publisher is asked. A feed may have several, or none. */
export const FeedFetch = z.discriminatedUnion("protocol", [
  HttpFile,
  Mars,
  AmsText,
  Datamart,
  QuickStats,
  Drought,
  Nws,
  Eia,
  Echo,
  BulkLines,
]);
export type FeedFetch = z.infer<typeof FeedFetch>;
export type FeedOf<P extends FeedFetch["protocol"]> = Extract<FeedFetch, {protocol: P}>;
