import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import {Figures} from "./figures.ts";

/**
 * Writes `metrics/cattle_fetch.prom`: of each source that was asked, when it last answered in full, how many runs in a row did not, and
 * the bytes of its last one. Throws where the folder cannot be written.
 */
export async function writeFetchMetrics(
  data: DataFolder,
  states: Iterable<FetchState>,
  at: Date,
): Promise<void> {
  const asked = [...states].sort((a, b) => (a.source < b.source ? -1 : 1));
  const figures = new Figures("cattle_fetch");
  const each = (name: string, help: string, of: (state: FetchState) => number | null) => {
    const values = asked.map((state) => [state.source, of(state)] as const);
    figures.each(
      name,
      help,
      "source",
      values.filter((pair): pair is [string, number] => pair[1] !== null),
    );
  };
  figures.one(
    "last_run_timestamp_seconds",
    "Instant at which the last run of fetching ended",
    at.getTime() / 1000,
  );
  each("last_good_timestamp_seconds", "Instant at which a source last answered in full", ({last_good}) =>
    last_good === null ? null : Date.parse(last_good) / 1000,
  );
  each("failed_runs", "Runs in a row in which a source was partial or failed", ({failures}) => failures);
  each("last_bytes", "Bytes that came from a source in its last run, unpacked", ({bytes}) => bytes);
  await figures.write(data);
}

/** Writes `metrics/cattle_nightly.prom`: when the last night ended, and with which exit code. Throws where it cannot be written. */
export async function writeNightMetrics(data: DataFolder, exitCode: number, at: Date): Promise<void> {
  const figures = new Figures("cattle_nightly");
  figures.one("last_run_timestamp_seconds", "Instant at which the last night ended", at.getTime() / 1000);
  figures.one(
    "last_run_exit_code",
    "Exit code of the last night: 0 done, 3 something was left out or not fetched",
    exitCode,
  );
  await figures.write(data);
}
