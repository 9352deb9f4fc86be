import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {placeFile} from "../../../pipeline/add/place-file.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("a newer edition of a file stands beside the older one, under its name and day", async () => {
  const [rawDir, from] = [temporaryFolder(), temporaryFolder()];
  const folder = {kind: "parcels", feedOrEntryId: "us-ks-allen"} as const;
  const place = (text: string, isEdition: boolean) => {
    const source = join(from, "roll.csv");
    writeFileSync(source, text);
    const meta = {retrieved_at: "2026-11-12T00:00:00Z", ...(isEdition ? {replaces: true as const} : {})};
    return placeFile({source, rawDir, folder, meta, isEdition});
  };
  await place("A\n1\n", false);
  await expect(place("A\n2\n", false)).rejects.toThrow("add this one with --replace");
  expect(await place("A\n2\n", true)).toEqual([
    {path: "parcels/us-ks-allen/roll-2026-11-12.csv", outcome: "added"},
  ]);
  const dir = join(rawDir, "parcels", "us-ks-allen");
  expect(readdirSync(dir).filter((name) => name.endsWith(".csv"))).toEqual([
    "roll-2026-11-12.csv",
    "roll.csv",
  ]);
  expect(JSON.parse(readFileSync(join(dir, "roll-2026-11-12.csv.meta.json"), "utf8"))).toMatchObject({
    replaces: true,
  });
});
