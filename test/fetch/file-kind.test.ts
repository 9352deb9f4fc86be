import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {kindFault} from "../../pipeline/fetch/protocols/file-kind.ts";
import {temporaryFolder} from "../temporary-folder.ts";

test.each<[name: string, content: string, fault: string | null]>([
  ["roll.zip", "PK\u0003\u0004rest", null],
  ["roll.zip", "7z\u00bc\u00af", "expected a zip archive"],
  ["roll.csv", "PK,NAME\n1,ROE\n", null],
  ["roll.csv", "7z,NAME\n1,ROE\n", null],
  ["roll.csv", "<!DOCTYPE html><html><body>Log in</body></html>", "expected .csv, got an HTML page"],
  ["list.html", "<!DOCTYPE html><html><body>Barns</body></html>", null],
  ["roll.json", '\ufeff {"type": "FeatureCollection"}', null],
  ["roll.geojson", "PIN,NAME", "expected JSON"],
  ["roll.json", '{"error": {"code": 499}}', 'expected the file, got an error: {"code":499}'],
  ["roll.csv", '{"errors": ["busy"]}', 'expected the file, got an error: ["busy"]'],
  ["roll.json", '{"error": null, "features": []}', null],
  // An error is short: what is longer is content, whatever words are in it.
  ["roll.json", `{"error": "x", "rest": "${"-".repeat(65_536)}"}`, null],
  ["roll.csv", "", "an empty file"],
])("%s that begins with %j is refused with %j", async (name, content, fault) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  expect(await kindFault(path, name.replace(/.*\./, ""))).toBe(fault);
});
