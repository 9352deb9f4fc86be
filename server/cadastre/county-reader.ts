import type {ArcgisLayer} from "../../lib/arcgis/answer.ts";
import type {Point} from "../../lib/geography/distance.ts";
import type {ConformEntry} from "../../lib/parcels/conform/references.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";
import type {Comparison} from "./where.ts";

/** A body of more bytes is a large one: an answer about one parcel has a few kilobytes. */
export const largeBytes = 64 * 1024;

/** The facts of a layer that its queries and its map need. */
export type LayerFacts = Pick<ArcgisLayer, "geometryType" | "fields" | "maxRecordCount" | "lastEditDate">;

/** A body that gave nothing, with the reason for the log; the reason never holds a value of the body. */
export type ReadFailure = {
  readonly kind: "failed";
  readonly status: "rejected" | "unavailable" | "timeout";
  readonly reason: string;
  /** True when the body was not read for want of room or time here, which is no fault of the county. */
  readonly unread?: boolean;
};

/** The answer to one query, and what tells whether its rows are accepted. */
export type ReplyTask = {
  readonly body: Uint8Array;
  readonly entry: ConformEntry;
  readonly comparisons: readonly Comparison[];
  /** Key of the county that was asked. */
  readonly county: string;
  /** True when the rows themselves must show by their place that they are of the county. */
  readonly provesCounty: boolean;
  /** Rows that were asked for: a page of so many may not be all. */
  readonly asked: number;
  /** The point that a row has to hold; null for questions of other kinds. */
  readonly point: Point | null;
  readonly layerEdit: string | null;
  readonly retrievedAt: string;
};

/** The kinds of bodies that are read, each with its task and what is found in it. */
export type ReadKinds = {
  /** The metadata of a layer. */
  readonly layer: {
    readonly task: {readonly body: Uint8Array};
    readonly found: {readonly kind: "layer"; readonly layer: LayerFacts};
  };
  /** The answer to a query; no rows for a clean empty answer. */
  readonly reply: {
    readonly task: ReplyTask;
    readonly found: {
      readonly kind: "rows";
      readonly rows: readonly ReplyRow[];
      /** Rows that may be what was asked for and could not be read; those of which nothing could be read are counted. */
      readonly unread: readonly UnreadRow[];
      readonly unreadable: number;
      /** True when the server may have more rows than it sent. */
      readonly more: boolean;
    };
  };
};

export type ReadKind = keyof ReadKinds;
export type ReadTask<Kind extends ReadKind = ReadKind> = ReadKinds[Kind]["task"];
export type ReadResult<Kind extends ReadKind = ReadKind> = ReadKinds[Kind]["found"] | ReadFailure;

/** The place of a task in the line. */
export type Turn = {
  /** The publisher of the body: bodies of one publisher do not hold up those of others. */
  readonly publisher: string;
  /** Takes the task out of the line when it is aborted before its turn. */
  readonly signal: AbortSignal;
};

/** Reads what counties send. */
export type CountyReader = {
  /** Gives the result of a task, or the reason why there is none. Rejects for a fault of the reader itself. */
  read<Kind extends ReadKind>(kind: Kind, task: ReadTask<Kind>, turn: Turn): Promise<ReadResult<Kind>>;
  close(): Promise<void>;
};
