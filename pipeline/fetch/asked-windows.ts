import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {z} from "zod";
import {addDays, dayNumber} from "../../lib/dates.ts";
import {readForeignJson} from "../../lib/storage/foreign-file.ts";
import type {DateWindow} from "./date-window.ts";
import {replaceJson} from "./snapshots/snapshot-folder.ts";

/** The longest window of one request: three years of a large market are some ten thousand rows. */
const longestDays = 364;

/** The reason of a window that is due and was not answered yet: it stays where a run is killed. */
const waitingReason = "not answered yet";

const Windows = z.array(
  z.strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    asked_at: z.iso.datetime(),
    /** Null for a whole answer, else the reason why there is none. */
    failed: z.string().nullable(),
  }),
);
type Asked = z.infer<typeof Windows>[number];

/**
 * The windows of days that were asked of a report, with what came of each: `<feed folder>/.windows/<name>.json`. A window whose answer
 * did not come whole is due again, however new the newest file is.
 */
export class AskedWindows {
  readonly #path: string;
  readonly #dir: string;
  readonly #asked: Asked[];

  private constructor(dir: string, path: string, asked: Asked[]) {
    this.#dir = dir;
    this.#path = path;
    this.#asked = asked;
  }

  /** Opens the windows of a report; a file that cannot be read counts as absent, and everything is asked again. */
  static async open(feedDir: string, name: string): Promise<AskedWindows> {
    const dir = join(feedDir, ".windows");
    const path = join(dir, `${name}.json`);
    return new AskedWindows(dir, path, (await readForeignJson(path, Windows)) ?? []);
  }

  /**
   * Gives the windows that are due, the latest last: days of the history without a whole answer, in pieces of at most a year, and the
   * weeks from `overlapDays` ago to the end of this one, in which late rows and corrections come. Answers of the future are not believed.
   */
  due(now: Date, {historyDays, overlapDays}: {historyDays: number; overlapDays: number}): DateWindow[] {
    const today = now.toISOString().slice(0, 10);
    // Whole weeks keep the address the same for some nights, so that the tag of the newest file can be sent back.
    const recent = {
      from: weekday(addDays(today, -overlapDays), 1),
      to: addDays(weekday(today, 1), 6),
    };
    const first = addDays(today, -historyDays);
    // What was asked before its days were over, or before late reports came, does not count for them.
    const good = this.#asked
      .filter(({failed, asked_at}) => failed === null && Date.parse(asked_at) <= now.getTime())
      .map(({from, to, asked_at}) => ({from, to: earlier(to, addDays(asked_at.slice(0, 10), -overlapDays))}))
      .sort((a, b) => (a.from < b.from ? -1 : 1));
    const gaps: DateWindow[] = [];
    let from = first;
    for (const window of [...good, recent]) {
      if (window.from > from) gaps.push({from, to: addDays(window.from, -1)});
      if (window.to >= from) from = addDays(window.to, 1);
    }
    return [...gaps.filter(({to}) => to >= first).flatMap(pieces), recent];
  }

  /** True where a window that was asked has no whole answer, and where days of the history were never asked. */
  hasGaps(now: Date, bounds: {historyDays: number; overlapDays: number}): boolean {
    return this.#asked.some(({failed}) => failed !== null) || this.due(now, bounds).length > 1;
  }

  /** Notes the windows that will be asked now, in place of those that failed before: a run that is killed leaves them due. */
  async begin(windows: readonly DateWindow[], at: Date): Promise<void> {
    const good = this.#asked.filter(({failed}) => failed === null);
    await this.#replace([...good, ...waitingOf(windows, at)]);
  }

  /** Notes what came of a window, and those that are still to be asked. */
  async note(
    window: DateWindow,
    {at, failed, waiting}: {at: Date; failed: string | null; waiting: readonly DateWindow[]},
  ): Promise<void> {
    const inside = ({from, to}: DateWindow) => from >= window.from && to <= window.to;
    const kept = this.#asked.filter((asked) => asked.failed !== waitingReason && !inside(asked));
    const noted = {...window, asked_at: at.toISOString(), failed};
    await this.#replace([...kept, noted, ...waitingOf(waiting, at)]);
  }

  async #replace(asked: readonly Asked[]): Promise<void> {
    this.#asked.splice(0, this.#asked.length, ...asked);
    await mkdir(this.#dir, {recursive: true});
    await replaceJson(this.#path, this.#asked);
  }
}

function waitingOf(windows: readonly DateWindow[], at: Date): Asked[] {
  return windows.map(({from, to}) => ({from, to, asked_at: at.toISOString(), failed: waitingReason}));
}

function pieces({from, to}: DateWindow): DateWindow[] {
  const count = Math.ceil((dayNumber(to) - dayNumber(from) + 1) / longestDays);
  return Array.from({length: count}, (_, index) => {
    const begin = addDays(from, index * longestDays);
    const end = addDays(begin, longestDays - 1);
    return {from: begin, to: end < to ? end : to};
  });
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function weekday(date: string, day: number): string {
  const there = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((there - day + 7) % 7));
}
