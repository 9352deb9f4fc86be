import {expect, test} from "vitest";
import {mergedFinds} from "./merged-finds.ts";

const seed = Number(process.env["SEED"] ?? 1);
const finds = Number(process.env["FINDS"] ?? 2_000);

/** Each county of a thousand parcels is a world of its own. */
const perWorld = 1_000;

/**
 * The part of the finds whose parcel may differ: a find that is like the number of a source that gave no fact to a row meets it in the next
 * build alone, because the served row no longer tells that number.
 */
const maxShare = 0.005;

test(
  `the server shows ${finds} finds as the next build merges them (SEED=${seed} FINDS=${finds})`,
  async () => {
    const differences: string[] = [];
    let [compared, merged, differing] = [0, 0, 0];
    for (let world = 0; compared < finds; world++) {
      const made = await mergedFinds(seed + world, Math.min(perWorld, finds - compared + 100));
      compared += made.finds;
      merged += made.merged;
      differing += made.differing;
      for (const [name, {count, example}] of made.differences)
        differences.push(`${name} of ${count}, seed ${seed + world}, ${example}`);
      process.stderr.write(`${compared} finds, ${merged} rows merged, ${differing} parcels differ\n`);
    }
    expect(merged).toBeGreaterThan(finds / 4);
    expect(differing, differences.join("\n")).toBeLessThanOrEqual(compared * maxShare);
  },
  60_000 + finds * 500,
);
