import type {ArcgisAnswer} from "./layer-reply.ts";

/** Rows, ids and flag of a page. */
export type PageFacts = {
  readonly rows: number;
  readonly firstId: number | null;
  readonly lastId: number | null;
  /** True if the ids are strictly ascending. */
  readonly ascends: boolean;
  readonly hasMore: boolean;
};

type Feature = {id?: unknown; properties?: Record<string, unknown>; attributes?: Record<string, unknown>};
type Flagged = {exceededTransferLimit?: unknown; properties?: {exceededTransferLimit?: unknown} | null};

/** Reads row count, ids and flag of a parsed page but not its geometries, which are slow; null for anything but a page. */
export function pageFacts(body: unknown, objectIdField: string | null): PageFacts | null {
  const features = (body as {features?: unknown} | null)?.features;
  if (!Array.isArray(features)) return null;
  const ids = (features as Feature[]).map((feature) =>
    Number(
      feature.attributes?.[objectIdField ?? ""] ?? feature.properties?.[objectIdField ?? ""] ?? feature.id,
    ),
  );
  const hasIds = objectIdField !== null && ids.length > 0 && ids.every(Number.isFinite);
  const {exceededTransferLimit, properties} = body as Flagged;
  return {
    rows: features.length,
    firstId: hasIds ? ids.reduce((a, b) => Math.min(a, b)) : null,
    lastId: hasIds ? ids.reduce((a, b) => Math.max(a, b)) : null,
    ascends: hasIds && ids.every((id, i) => i === 0 || id > ids[i - 1]!),
    hasMore: exceededTransferLimit === true || properties?.exceededTransferLimit === true,
  };
}

/** What an answer is, for a message about one that was not expected. */
export function answerText(answer: ArcgisAnswer): string {
  if (answer.kind !== "error") return `a ${answer.kind}`;
  if (answer.needsToken) return "unsupported: the layer requires a token";
  return ["error", answer.code, answer.message].filter((part) => part !== null).join(" ");
}
