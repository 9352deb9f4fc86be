import {stat} from "node:fs/promises";
import {basename, join, resolve} from "node:path";
import {UsageError} from "../../lib/errors.ts";
import type {ListSource} from "../../schemas/list-source.ts";
import {readByMap, readCheckedList} from "../market/signals/lists/check-list.ts";
import {listSourcesDir, loadListSources} from "../market/signals/lists/list-sources.ts";
import type {SignalReading} from "../market/signals/reading.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {temporaryFolder} from "../raw/temporary-folder.ts";
import {print, printJson, textTable} from "./command-line.ts";

/** Number of a roster's rows shown. */
const shownRows = 10;

/** Reads a file with one map and prints the result: rows by outcome and, for a roster, the first ten barns. Changes nothing. */
export async function checkListFile(file: string, list: ListSource, json: boolean): Promise<void> {
  const reading = await readWith(file, list);
  const counts = countsOf(reading);
  const barns = list.feed !== "dealers" ? reading.listings.slice(0, shownRows) : [];
  if (json) {
    printJson({list: list.id, ...counts, barns});
    return;
  }
  const reasons = Object.entries(counts.rejected).map(([reason, n]) => `${n} ${reason}`);
  print(
    `${list.id}: ${counts.rows} rows, ${counts.accepted} accepted; rejected: ${reasons.join(", ") || "none"}`,
  );
  if (barns.length > 0)
    print(
      textTable(
        ["name", "city", "state", "street", "zip", "phone", "sale days", "time"],
        barns.map(({name, city, state, street, zip, phone, saleDays, saleTime}) =>
          [name, city, state, street, zip, phone, saleDays.join(", "), saleTime].map((cell) => cell ?? ""),
        ),
      ),
    );
}

/** Reads a person's file with one map. Throws a `UserError` if the map does not fit. */
export async function readWith(file: string, list: ListSource) {
  await using temp = await temporaryFolder("cattle-list-");
  return await readByMap(list, await rawFileOf(file), temp.path);
}

/** The map named by an option: a registry id, or a file path. Throws a `UsageError` that lists the known ones. */
export function namedList(name: string): ListSource {
  if (name.endsWith(".json")) return readCheckedList(resolve(name));
  const lists = loadListSources();
  const known = lists.map(({id}) => id);
  if (known.includes(name)) return readCheckedList(join(listSourcesDir, `${name}.json`));
  throw new UsageError(
    `--list: no map is named ${JSON.stringify(name)}; the maps are ${known.join(", ") || "none"}.`,
  );
}

function countsOf({rejected, otherAccepted}: SignalReading) {
  const byReason = Map.groupBy(rejected, ({reason}) => reason);
  return {
    rows: otherAccepted + rejected.length,
    accepted: otherAccepted,
    rejected: Object.fromEntries([...byReason].sort().map(([reason, rows]) => [reason, rows.length])),
  };
}

async function rawFileOf(file: string): Promise<RawFile> {
  const {size, mtime} = await stat(file);
  return {
    path: basename(file),
    absolutePath: resolve(file),
    ...({kind: "market", feedOrEntryId: "lists", retrievedAtFrom: "mtime"} as const),
    sizeBytes: size,
    sha256: "",
    meta: null,
    retrievedAt: mtime.toISOString(),
  };
}
