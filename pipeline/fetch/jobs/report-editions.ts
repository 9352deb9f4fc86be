import {join} from "node:path";
import {readForeignJson} from "@open-cattle/safe-files";
import {z} from "zod";
import {replaceJson} from "../snapshots/snapshot-folder.ts";
import type {Job} from "./job.ts";
import type {ListedReport} from "./report-list.ts";

const Editions = z.strictObject({
  /** Everything that was published until then came; null before the first whole night. */
  whole_through: z.iso.datetime().nullable(),
  /** Reports whose editions since then came from the archive, while others still have to. */
  caught_up: z.array(z.string()),
  /** Documents that the list names and the server does not have, by the report's number. */
  absent: z.record(z.string(), z.strictObject({url: z.string(), published_ms: z.number().nullable()})),
});
type Editions = z.infer<typeof Editions>;

const dayMs = 24 * 3_600_000;
const longestGapMs = 7 * dayMs;

/** What is known of the editions of printed reports: `<feed folder>/.editions.json`. */
export class ReportEditions {
  readonly #path: string;
  #editions: Editions;

  private constructor(path: string, editions: Editions) {
    this.#path = path;
    this.#editions = editions;
  }

  /** Opens the record of a feed; an unreadable one counts as absent. */
  static async open({folder}: Pick<Job, "folder">): Promise<ReportEditions> {
    const path = join(folder.dir, ".editions.json");
    const editions = await readForeignJson(path, Editions);
    return new ReportEditions(path, editions ?? {whole_through: null, caught_up: [], absent: {}});
  }

  /**
   * Returns the instant since which editions may be missing, if it is more than a week ago; the server keeps only the newest of each. An
   * instant in the future is not believed: editions of the listed days may be missing.
   */
  gap(now: Date, listDays: number): string | null {
    const since = this.#editions.whole_through;
    if (since !== null && Date.parse(since) > now.getTime())
      return new Date(now.getTime() - listDays * dayMs).toISOString();
    return since !== null && now.getTime() - Date.parse(since) > longestGapMs ? since : null;
  }

  /** True if the archive was asked for this report's editions of the present gap. */
  isCaughtUp(slug: string): boolean {
    return this.#editions.caught_up.includes(slug);
  }

  /** True if the server did not have this document, and the list has named no newer one since. */
  isAbsent({slug, publishedMs}: ListedReport, url: string): boolean {
    const absent = this.#editions.absent[slug];
    return absent !== undefined && absent.url === url && absent.published_ms === publishedMs;
  }

  async noteAbsent({slug, publishedMs}: ListedReport, url: string): Promise<void> {
    const absent = {...this.#editions.absent, [slug]: {url, published_ms: publishedMs}};
    await this.#replace({...this.#editions, absent});
  }

  async noteCaughtUp(slug: string): Promise<void> {
    await this.#replace({...this.#editions, caught_up: [...this.#editions.caught_up, slug]});
  }

  async noteWhole(at: Date): Promise<void> {
    await this.#replace({...this.#editions, whole_through: at.toISOString(), caught_up: []});
  }

  async #replace(editions: Editions): Promise<void> {
    this.#editions = editions;
    await replaceJson(this.#path, editions);
  }
}
