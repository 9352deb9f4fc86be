import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {questionKinds} from "../parcels/questions.ts";
import {benchKey} from "./benched-app.ts";

/** The kinds of questions that are asked over HTTP: one of each lookup. */
export const measuredKinds = [
  "parcel number, exact",
  "address, exact line",
  "location, 10 of 0.25 mile",
  "owner, last and given name",
];
export const questionsOfKind = 400;
export const headers = {"X-API-Key": benchKey};

/** Paths of a kind's questions whose hit counts lie within its bounds. */
export async function fittingPaths(
  set: StateArtifacts,
  name: string,
  server: {port: number},
): Promise<string[]> {
  const kind = questionKinds(set).find((each) => each.name === name)!;
  const [least, most] = kind.hits;
  const paths: string[] = [];
  for (let turn = 0; paths.length < questionsOfKind; turn++) {
    const {path, values} = kind.ask(turn);
    const url = `/public/land-agent/property/${path}?${new URLSearchParams(values)}`;
    const reply = await get(server, url);
    const {metadata} = (await reply.json()) as {metadata?: {total?: number}};
    const hits = reply.ok ? (metadata?.total ?? 1) : 0;
    if (hits >= least && hits <= most) paths.push(url);
  }
  return paths;
}

export function get({port}: {port: number}, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {headers});
}
