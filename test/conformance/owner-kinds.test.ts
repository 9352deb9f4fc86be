import {createHash} from "node:crypto";
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {parseOwner} from "../../lib/parcels/owner/parse-owner.ts";
import {packageRoot} from "../../lib/paths.ts";
import {openDatabase, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {corpus} from "./corpus.ts";

const kinds: Readonly<Record<string, string>> = {
  p: "person",
  pp: "persons",
  t: "trust",
  e: "estate",
  c: "company",
  g: "government",
  n: "nonprofit",
};

/** Delimited files of the corpus with their column of owners. */
const tables: readonly (readonly [file: string, column: string])[] = [
  ["parcels/us-az-maricopa/maricopa-rural-parcels-2023.csv", "OWNER_NAME"],
  ["parcels/us-ma-massgis-l3/easthampton-l3-joined-derived.csv", "OWNER1"],
  ["parcels/us-nc-wake/wake-raleigh-owners.csv", "OWNER_LINE1"],
  ["parcels/us-or-washington/washington-hillsboro-taxlots-2019.csv.gz", "owner"],
  ["new-counties/us-az-maricopa-assessor-export.csv", "Owner Name"],
  ["new-counties/us-co-mesa.csv", "OWNER"],
  ["new-counties/us-pa-lycoming.csv", "Owner"],
  ["new-counties-2/nh-lebanon-parcels.csv.gz", "owner_name"],
];
const maps: readonly (readonly [folder: string, member: string])[] = [
  ["parcels/us-wi-waushara", "OWNER_NAME"],
  ["parcels/us-mt-cadastral", "OwnerName"],
];

describe.skipIf(corpus === null)("owners of ten files, drawn by chance", () => {
  test("97 % have the kind that a person gave before the program was asked", async () => {
    const judged = new Map(
      readFileSync(join(packageRoot, "test", "cases", "owner-kinds-blind.txt"), "utf8")
        .split("\n")
        .filter((line) => /^[0-9a-f]{16} /.test(line))
        .map((line) => line.split(" ") as [string, string]),
    );
    const wrong: string[] = [];
    let read = 0;
    for (const owner of new Set([...(await fromTables()), ...fromMaps()])) {
      const judgement = judged.get(createHash("sha256").update(owner).digest("hex").slice(0, 16));
      if (judgement === undefined) continue;
      read += 1;
      const {kind, withheld} = parseOwner(owner, "unknown");
      if ((withheld ? "withheld" : kind) !== kinds[judgement])
        wrong.push(`${owner}: ${kind}, not ${judgement}`);
    }
    expect(read).toBe(judged.size);
    process.stderr.write(`owners drawn by chance: ${read}, ${wrong.length} wrong\n`);
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(read * 0.03);
  });
});

async function fromTables(): Promise<string[]> {
  const db = await openDatabase();
  const found: string[] = [];
  for (const [file, column] of tables) {
    const path = sqlText(join(corpus!, file));
    const rows = await db.rows<{owner: string}>(
      `SELECT DISTINCT trim(${sqlName(column)}) AS owner FROM read_csv(${path}, all_varchar = true, strict_mode = false, ignore_errors = true)
       WHERE trim(${sqlName(column)}) <> ''`,
    );
    found.push(...rows.map(({owner}) => owner));
  }
  db.close();
  return found;
}

function fromMaps(): string[] {
  return maps.flatMap(([folder, member]) =>
    readdirSync(join(corpus!, folder))
      .filter((name) => name.endsWith(".geojson"))
      .flatMap((name) => {
        const {features} = JSON.parse(readFileSync(join(corpus!, folder, name), "utf8")) as {
          features: {properties: Record<string, unknown>}[];
        };
        return features.flatMap(({properties}) => {
          const owner = properties[member];
          return typeof owner === "string" ? [owner.trim()] : [];
        });
      }),
  );
}
