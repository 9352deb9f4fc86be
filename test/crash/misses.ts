import {setTimeout as sleep} from "node:timers/promises";
import {ask, type Told} from "../delta/delta-workshop.ts";
import {byNumber, ownerOf} from "./known-county.ts";

/** The answers seen by a run. */
export type Ledger = {
  /** Numbers whose answer said `persisted: true`. */
  readonly acknowledged: Set<string>;
  /** Wrong answers. */
  readonly wrong: string[];
  /** Acknowledged numbers that needed a second query to the county. */
  readonly lost: string[];
  answers: number;
};

export type Place = {readonly key: string; readonly port: number};

/**
 * Requests new parcels, `callers` at a time with a pause between requests, until `stop`; refused connections of a dying server
 * do not count.
 */
export async function missLoad(
  place: Place,
  ledger: Ledger,
  {
    callers,
    nextId,
    stop,
    pauseMs = 0,
  }: {callers: number; nextId: () => string; stop: () => boolean; pauseMs?: number},
): Promise<void> {
  const one = async () => {
    while (!stop()) {
      const id = nextId();
      const told = await ask(place, place, byNumber(id)).catch(() => null);
      if (told === null) return;
      ledger.answers += 1;
      check(id, told, ledger);
      if (told.body.metadata?.lookup.persisted === true) ledger.acknowledged.add(id);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({length: callers}, one));
}

/** Requests acknowledged parcels: each must be there without the county, and correct. */
export async function readBack(place: Place, ledger: Ledger, ids: Iterable<string>): Promise<void> {
  for (const id of ids) {
    const told = await ask(place, place, byNumber(id));
    ledger.answers += 1;
    check(id, told, ledger);
    const {origin} = told.body.metadata?.lookup ?? {};
    if (origin === "cadastre" || told.status !== 200) ledger.lost.push(`${id}: ${told.status} ${origin}`);
  }
}

function check(id: string, {status, body}: Told, {wrong}: Ledger): void {
  if (status === 503 || status === 429) return;
  const {property} = body;
  if (status !== 200 || property?.parcelUid !== `48453-${id}` || property.ownerName !== ownerOf(id)) {
    wrong.push(`${id}: ${status} ${property?.parcelUid} ${property?.ownerName}`);
  }
}

/** Random numbers from a seed; `SEED=` repeats a run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The seed of a run: `SEED`, else the clock. */
export function chosenSeed(): number {
  return Number(process.env["SEED"] ?? Date.now() % 1_000_000);
}
