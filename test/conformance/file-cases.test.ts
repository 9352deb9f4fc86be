import {execFile} from "node:child_process";
import {cpSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot, sourcesDir} from "../../lib/paths.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

const caseFile = (path: string) => join(corpus!, "cases/agents-and-files", path);
const header = "PARCEL_NO,SITE,OWNER,LON,LAT";
const row = (id: string) => `${header}\n${id},1 MAIN ST,SMITH JOHN,-95.3,37.9\n`;

/** A raw folder and a registry with the entry of the cases, and the commands of the README over them. */
function demo(files: Readonly<Record<string, string | Buffer>>) {
  const place = temporaryFolder();
  const registry = join(place, "registry");
  cpSync(sourcesDir, registry, {recursive: true});
  cpSync(caseFile("glob-names/us-ks-demo.json"), join(registry, "parcels/us-ks-demo.json"));
  const folder = join(place, "raw/parcels/us-ks-demo");
  mkdirSync(folder, {recursive: true});
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const cattle = (...words: string[]) =>
    new Promise<{code: number; out: string}>((done) => {
      const env = {PATH: process.env["PATH"], CATTLE_DATA: join(place, "data"), CATTLE_REGISTRY: registry};
      const command = [join(packageRoot, "bin/cattle.js"), ...words];
      execFile(process.execPath, command, {cwd: place, env}, (error, stdout, stderr) =>
        done({code: Number(error?.code ?? 0), out: `${stdout}${stderr}`}),
      );
    });
  return {cattle, build: () => cattle("build", "--raw", join(place, "raw"), "--as-of", "2026-11-21")};
}

const ids = async ({cattle}: ReturnType<typeof demo>) => {
  const {out} = await cattle("sql", "SELECT parcel_id FROM parcels ORDER BY 1", "--json");
  return [...out.matchAll(/"parcel_id":\s*"([^"]+)"/g)].map(([, id]) => id);
};

test.skipIf(corpus === null)(
  "glob-names: of four files with stars and brackets in their names each gives its row",
  async () => {
    const names = {"roll1.csv": "A-1", "roll[1].csv": "B-1", "star*.csv": "C-1", "starry.csv": "D-1"};
    const made = demo(Object.fromEntries(Object.entries(names).map(([name, id]) => [name, row(id)])));
    const {code, out} = await made.build();
    expect([code, out]).toEqual([0, expect.stringMatching(/4 files: 4 rows in, 4 accepted/)]);
    expect(await ids(made)).toEqual(Object.values(names));
  },
);

test.skipIf(corpus === null)(
  "gpkg-recursive-view: the file is named and left out, and the sound one beside it is published",
  async () => {
    const made = demo({
      "endless-view.gpkg": readFileSync(caseFile("gpkg-recursive-view/endless-view.gpkg")),
      "sound.csv": row("A-1"),
    });
    const {code, out} = await made.build();
    expect([code, out]).toEqual([3, expect.stringMatching(/endless-view\.gpkg/)]);
    expect(await ids(made)).toEqual(["A-1"]);
  },
);

test.skipIf(corpus === null)(
  "terminal-escapes: what an owner's name would do to a terminal is not done",
  async () => {
    const made = demo({"roll.csv": readFileSync(caseFile("terminal-escapes/roll.csv"))});
    expect((await made.build()).code).toBe(0);
    const shown = [
      await made.cattle("lookup", "parcel", "P001-1", "--state", "KS"),
      await made.cattle("sql", "SELECT owner_name FROM parcels"),
    ];
    for (const {code, out} of shown) {
      expect([code, out]).toEqual([0, expect.stringMatching(/SMITH.*JOHN/)]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come.
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  },
);
