import {expect, test} from "vitest";
import {mergedFinds} from "./merged-finds.ts";

const seed = Number(process.env["SEED"] ?? 1);
const finds = Number(process.env["FINDS"] ?? 2_000);

/** Each county of a thousand parcels is a world of its own. */
const perWorld = 1_000;

test(`the server shows ${finds} finds as the next build merges them (SEED=${seed} FINDS=${finds})`, async () => {
  const differences: string[] = [];
  let [compared, merged] = [0, 0];
  for (let world = 0; compared < finds; world++) {
    const made = await mergedFinds(seed + world, Math.min(perWorld, finds - compared + 100));
    compared += made.finds;
    merged += made.merged;
    for (const [name, {count, example}] of made.differences)
      differences.push(`${name} of ${count}, seed ${seed + world}, ${example}`);
    process.stderr.write(`${compared} finds, ${merged} of them merged, ${differences.length} differences\n`);
  }
  expect(merged).toBeGreaterThan(finds / 4);
  expect(differences).toEqual([]);
});
