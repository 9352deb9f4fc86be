import {appendFile, link, readFile, rename, rm, truncate, utimes, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {buildFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import type {BuildOptions} from "../../../pipeline/parts/options.ts";
import {assemble} from "../../../pipeline/publish/assemble.ts";
import {build, exitCode} from "../../../pipeline/publish/build.ts";
import {buildPart} from "../../../pipeline/publish/build-part.ts";
import {makeWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  await shop.put("market/mars/a.csv", "mars,2026-08-20,200\n");
  await shop.put("market/mars/b.csv", "mars,2026-08-21,210\n");
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 4));
});
afterEach(() => shop.remove());

const b = "market/mars/b.csv";

/** Build options with which something happens once during the market stage, before or after it reads. */
function during(happens: () => Promise<unknown>, when: "before" | "after" = "before"): BuildOptions {
  let over = false;
  const once = async () => {
    if (!over) await happens();
    over = true;
  };
  return shop.options({
    stages: {
      ...testStages,
      async buildMarket(input) {
        if (when === "before") await once();
        const made = await testStages.buildMarket(input);
        if (when === "after") await once();
        return made;
      },
    },
  });
}

async function published(buildId: string) {
  const manifest = await readManifest(buildFolder(shop.data, buildId));
  return {rows: manifest.market?.rows, inputs: manifest.inputs.map(({path}) => path)};
}

const hostile = "mars,2026-08-21,777777\nmars,2026-08-22,777777\n";
const changes: Record<string, () => Promise<unknown>> = {
  "is written over": () => writeFile(join(shop.raw, b), hostile),
  "is replaced": async () => {
    await writeFile(join(shop.raw, "new"), hostile);
    await rename(join(shop.raw, "new"), join(shop.raw, b));
  },
  "is replaced by one of its length and time": async () => {
    await writeFile(join(shop.raw, "new"), "mars,2026-08-21,777\n");
    await utimes(join(shop.raw, "new"), 1, 1);
    await rename(join(shop.raw, "new"), join(shop.raw, b));
  },
  grows: () => appendFile(join(shop.raw, b), "mars,2026-08-22,777777\n"),
  "is cut": () => truncate(join(shop.raw, b), 3),
  "is removed": () => rm(join(shop.raw, b)),
};

for (const when of ["before", "after"] as const) {
  test.each(Object.keys(changes))(
    `leaves a file out that %s ${when} the stage reads it, and names it alone`,
    async (how) => {
      const old = await readFile(join(shop.raw, b));
      const result = await build(during(changes[how]!, when));
      expect(await published(result.buildId)).toEqual({
        rows: {price_rows: 1},
        inputs: ["market/mars/a.csv", "parcels/us-az-one/a.csv"],
      });
      const report = result.report.parts["MARKET"]?.find(({path}) => path === b);
      expect(report).toMatchObject({status: "failed", accepted: 0});
      expect(report?.reason).toMatch(/^market\/mars\/b\.csv: changed after its digest was taken/);
      expect(exitCode(result)).toBe(3);

      await writeFile(join(shop.raw, b), old);
      const next = await build(shop.options());
      expect([next.outcome, next.buildId === result.buildId]).toEqual(["published", false]);
      expect((await published(next.buildId)).rows).toEqual({price_rows: 2});
    },
  );
}

test("a file that fails the stage because it was cut meanwhile is left out like any other that changed", async () => {
  const result = await build(during(() => writeFile(join(shop.raw, b), "!fail\n")));
  expect([result.outcome, result.heldBack]).toEqual(["published", []]);
});

test("a hard link to a file, as a backup makes it, changes nothing", async () => {
  const result = await build(during(() => link(join(shop.raw, b), join(shop.root, "backup"))));
  expect((await published(result.buildId)).rows).toEqual({price_rows: 2});
  expect(exitCode(result)).toBe(0);
});

test("holds back the part of files that keep changing, and publishes the others", async () => {
  const options = shop.options({
    stages: {
      ...testStages,
      async buildMarket(input) {
        const [file] = input.files.filter(({fault}) => fault === undefined);
        if (file !== undefined) await appendFile(file.absolutePath, " ");
        return testStages.buildMarket(input);
      },
    },
  });
  for (const name of ["c", "d", "e", "f"]) await shop.put(`market/mars/${name}.csv`, "mars,2026-08-21,1\n");
  const result = await build(options);
  expect(result.heldBack.map(({part, because}) => [part, because.slice(0, 40)])).toEqual([
    ["MARKET", "MARKET: raw files go on changing while t"],
  ]);
  expect(result.outcome).toBe("published");
});

test("a part that was made while a file changed is assembled as it was made", async () => {
  const dir = join(shop.root, "part");
  const options = during(changes["is written over"]!);
  await buildPart("MARKET", dir, {...options, only: ["MARKET"]});
  const result = await assemble([dir], shop.options());
  expect((await published(result.buildId)).inputs).toEqual(["market/mars/a.csv"]);
});
