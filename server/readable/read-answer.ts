import {marketReadable} from "./market-readable.ts";
import {parcelReadable} from "./parcel-readable.ts";
import {problemReadable} from "./problem-readable.ts";
import type {Readable} from "./readable.ts";

/** Gives the answer of an endpoint in words. Throws where the text is no JSON or not the answer of that endpoint. */
export function readAnswer(path: string, {ok, body}: {ok: boolean; body: string}): Readable {
  const answer: unknown = JSON.parse(body);
  if (!ok) return problemReadable(answer);
  return path.startsWith("/public/land-agent/") ? parcelReadable(answer) : marketReadable(path, answer);
}
