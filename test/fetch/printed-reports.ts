import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import {marketWorld, playMarket} from "./market-world.ts";
import {playedSources} from "./played-sources.ts";
import {ReplayServer} from "./replay-server.ts";

/** Starts a server that plays the market of 2026-11-19, and returns it with the source of its printed reports. */
export async function playPrintedReports(): Promise<{server: ReplayServer; texts: FetchSource[]}> {
  const server = await ReplayServer.start();
  playMarket(server, marketWorld("2026-11-19"));
  return {server, texts: playedSources(server.origin, "ams-text")};
}

/** Lines of an index, with the total that ends each. */
export function withTotal(lines: readonly string[]): string {
  return [...lines, `Total: ${lines.length} reports`].join("\n");
}

/** When the night of a day runs. */
export function evening(day: string): Date {
  return new Date(`${day}T05:30:00Z`);
}

type Reply = {writeHead(status: number): {end(text: string): void}};

/** An answer with a body and a status. */
export function said(body: string, status = 200) {
  return (_: unknown, reply: Reply): void => void reply.writeHead(status).end(body);
}
