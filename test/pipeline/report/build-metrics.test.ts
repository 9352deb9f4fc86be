import {mkdir, readFile, rm, symlink, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {publishedBuildId} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {writeBuildMetrics} from "../../../pipeline/report/build-metrics.ts";
import {makeWorkshop, parcels} from "../publish/workshop.ts";

test("the metrics of a build have rows by state, and count consecutive builds that held a part back", async () => {
  const shop = await makeWorkshop();
  try {
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
    await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
    await build(shop.options());
    for (const rows of [20, 21]) {
      await shop.put("parcels/us-az-one/a.csv", parcels("04013", rows));
      await build(shop.options());
    }
    await writeBuildMetrics(shop.data, 3, new Date("2026-08-24T05:00:00Z"));
    const text = await readFile(join(shop.data.metrics, "cattle_build.prom"), "utf8");
    const lines = text.split("\n").filter((line) => !line.startsWith("#"));
    expect(lines).toEqual(
      expect.arrayContaining([
        "cattle_build_last_run_exit_code 3",
        'cattle_build_parcel_rows{state="AZ"} 60',
        'cattle_build_parcel_rows{state="UT"} 50',
        'cattle_build_held_back_builds{part="AZ"} 2',
      ]),
    );
    expect(text).toMatch(/^cattle_build_gates\{status="fail"\} [1-9]/m);
    expect(text).toMatch(/^cattle_build_bytes [1-9]\d+$/m);

    // Of a part that no build has taken for longer, 60 are told.
    const newest = await readManifest(join(shop.data.builds, await publishedBuildId(shop.data)));
    const idOf = (n: number) => `20260101-${n.toString(16).padStart(6, "0")}`;
    for (let n = 1; n <= 62; n++) {
      const copy = {...newest, build_id: idOf(n), base_build_id: n === 1 ? null : idOf(n - 1)};
      await mkdir(join(shop.data.builds, idOf(n)));
      await writeFile(join(shop.data.builds, idOf(n), "manifest.json"), JSON.stringify(copy));
    }
    for (const [builds, told] of [
      [59, 59],
      [60, 60],
      [62, 60],
    ] as const) {
      await rm(shop.data.current);
      await symlink(join("builds", idOf(builds)), shop.data.current);
      await writeBuildMetrics(shop.data, 0, new Date("2026-08-24T05:00:00Z"));
      const after = await readFile(join(shop.data.metrics, "cattle_build.prom"), "utf8");
      expect(after).toContain(`\ncattle_build_held_back_builds{part="AZ"} ${told}\n`);
    }
  } finally {
    await shop.remove();
  }
});
