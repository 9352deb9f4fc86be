import type {ArcgisLayer, Comparison} from "@open-cattle/arcgis-layers";
import type {Point} from "@open-cattle/parcel-outlines";
import type {ConformEntry} from "../../lib/parcels/conform/column-references.ts";
import type {LayerMark} from "../../schemas/layer-health.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";

/** Bodies above this size go to the slow lane; an answer about one parcel has a few kilobytes. */
export const largeBytes = 64 * 1024;

/** The metadata of a layer that its queries and its map need. */
export type LayerFacts = Pick<
  ArcgisLayer,
  "geometryType" | "fields" | "maxRecordCount" | "lastEditDate" | "refusesPages"
>;

/** A body that yielded nothing. The reason is for the log and never contains a value of the body. */
export type ReadFailure = {
  readonly kind: "failed";
  readonly status: "rejected" | "unavailable" | "timeout";
  readonly reason: string;
  /** True when the body was not read because this server lacked room or time: not the county's fault. */
  readonly unread?: boolean;
  /** True when the service requires a token, which is no outage. */
  readonly needsToken?: boolean;
  /** True when the service refuses to be told how many rows to send. */
  readonly refusesPages?: boolean;
  /** What the failure tells of the layer, where that is more than `status` tells. */
  readonly mark?: LayerMark;
};

/** The answer to one query, with everything needed to decide whether its rows are accepted. */
export type ReplyTask = {
  readonly body: Uint8Array;
  readonly entry: ConformEntry;
  readonly comparisons: readonly Comparison[];
  /** Key of the county that was asked. */
  readonly county: string;
  /** True when a row's location must prove that it belongs to the county. */
  readonly provesCounty: boolean;
  /** Page size of the request; a page this full may not be the last. */
  readonly asked: number;
  /** The point that a row must contain; null for other kinds of question. */
  readonly point: Point | null;
  readonly layerEdit: string | null;
  readonly retrievedAt: string;
};

/** The kinds of bodies, each with its task and its result. */
export type ReadKinds = {
  /** The metadata of a layer. */
  readonly layer: {
    readonly task: {readonly body: Uint8Array};
    readonly found: {readonly kind: "layer"; readonly layer: LayerFacts};
  };
  /** The answer to a query; a clean empty answer has no rows. */
  readonly reply: {
    readonly task: ReplyTask;
    readonly found: {
      readonly kind: "rows";
      readonly rows: readonly ReplyRow[];
      /** Rows that may match but could not be read; those with nothing readable in them are only counted, in `unreadable`. */
      readonly unread: readonly UnreadRow[];
      readonly unreadable: number;
      /** True when the server may have more rows than it sent. */
      readonly more: boolean;
      /** Number of the rows of a full page of which the server does not say whether it is all; null for any other page. */
      readonly uncounted: number | null;
    };
  };
  /** The number of rows that fit a query. */
  readonly count: {
    readonly task: {readonly body: Uint8Array};
    readonly found: {readonly kind: "count"; readonly count: number};
  };
};

export type ReadKind = keyof ReadKinds;
export type ReadTask<Kind extends ReadKind = ReadKind> = ReadKinds[Kind]["task"];
export type ReadResult<Kind extends ReadKind = ReadKind> = ReadKinds[Kind]["found"] | ReadFailure;

/** A task's place in the queue. */
export type Turn = {
  /** The publisher of the body. The queue alternates between publishers. */
  readonly publisher: string;
  /** Removes the task from the queue if aborted before its turn. */
  readonly signal: AbortSignal;
};

/** Reads the bodies that counties send. */
export type CountyReader = {
  /** Resolves to the result, or to the reason why there is none. Rejects only for a fault of the reader itself. */
  read<Kind extends ReadKind>(kind: Kind, task: ReadTask<Kind>, turn: Turn): Promise<ReadResult<Kind>>;
  close(): Promise<void>;
};
