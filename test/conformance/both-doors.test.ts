import {globSync} from "node:fs";
import {basename, join} from "node:path";
import {describe, expect, it} from "vitest";
import {asOfDate} from "../../lib/models/build-facts.ts";
import {ModelRun} from "../../lib/models/model-run.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {feedsOf} from "../../pipeline/add/recognise.ts";
import {readSignals} from "../../pipeline/market/context/read-signals.ts";
import {feedsOfKind} from "../../pipeline/market/feeds/feeds.ts";
import {readMarket} from "../../pipeline/market/read-market.ts";
import {loadVenues} from "../../pipeline/market/reference/venues.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

const asOf = "2027-01-01";
const paths =
  corpus === null
    ? []
    : globSync("market/*/*", {cwd: corpus})
        .filter((path) => !/README|\.topojson|zcta_/.test(path))
        .sort();
const folders = [...feedsOfKind("prices"), ...feedsOfKind("signals"), ...feedsOfKind("lists")].map(
  ([name]) => name,
);

describe.skipIf(corpus === null)("a market file at both doors", () => {
  it("is taken by a build from the folders alone that add names for it, and refused by name in every other", async () => {
    const taken: string[] = [];
    let readings = 0;
    for (const path of paths) {
      const tempDir = temporaryFolder();
      const judged = await feedsOf(fileIn(path, "unknown"), tempDir);
      const named = new Set<string>(
        [judged.shaped, judged.poor, ...judged.tables].filter((name) => name !== null),
      );
      named.add(path.split("/")[1]!);
      for (const folder of folders) {
        readings += 1;
        if (named.has(folder)) continue;
        const report = await builtReport(fileIn(path, folder), tempDir);
        const rows =
          report.accepted + report.merged + Object.values(report.rejected).reduce((a, b) => a + b, 0);
        if (report.status === "read" && rows > 0)
          taken.push(`${path} in ${folder}: ${report.accepted} accepted, ${JSON.stringify(report.rejected)}`);
      }
    }
    process.stderr.write(
      `both doors: ${readings} readings of ${paths.length} files, ${taken.length} taken in a wrong folder\n`,
    );
    expect(taken).toEqual([]);
  }, 1_800_000);
});

async function builtReport(file: RawFile, tempDir: string): Promise<FileReport> {
  const db = await openDatabase({tempDirectory: tempDir});
  try {
    const isPrice = feedsOfKind("prices").some(([name]) => name === file.feedOrEntryId);
    if (isPrice)
      return (await readMarket({run: new ModelRun(db), files: [file], asOf, venues: loadVenues()}))[0]!;
    return (await readSignals(new ModelRun(db).give(asOfDate, asOf), [file], {asOf, tempDir})).reports[0]!;
  } finally {
    db.close();
  }
}

function fileIn(path: string, feedOrEntryId: string): RawFile {
  return {
    path: `market/${feedOrEntryId}/${basename(path)}`,
    absolutePath: join(corpus!, path),
    kind: "market",
    feedOrEntryId,
    sizeBytes: 1,
    sha256: "",
    meta: null,
    retrievedAt: "2026-11-20T00:00:00Z",
    retrievedAtFrom: "mtime",
  };
}
