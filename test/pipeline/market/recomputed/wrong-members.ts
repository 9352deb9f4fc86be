import {memberOf} from "./answers.ts";
import {expectedOf} from "./expected.ts";
import type {Served} from "./figures.ts";
import type {Published} from "./published.ts";

/** Numbers in records that are facts of a venue or positions rather than computed. */
const given = ["lat", "lon", "location_accuracy_m", "row_ordinal"];

/** Members that differ from their recomputation, and numbers without one; empty if all is well. */
export async function wrongMembers(
  published: Published,
  picked: readonly Served[],
): Promise<{wrong: string[]; compared: number}> {
  const wrong: string[] = [];
  let compared = 0;
  for (const served of picked) {
    const at = `${served.path} ${served.record["evidence_id"]}`;
    const expected = await expectedOf(published, served);
    for (const [name, value] of Object.entries(expected)) {
      const [said, recomputed] = [memberOf(served, name), value].map((member) => JSON.stringify(member));
      compared += 1;
      if (said !== recomputed) wrong.push(`${at} ${name}: served ${said}, recomputed ${recomputed}`);
    }
    const left = Object.entries(served.record).filter(
      ([name, value]) => typeof value === "number" && !(name in expected) && !given.includes(name),
    );
    wrong.push(...left.map(([name, value]) => `${at} ${name}: ${value} was not recomputed`));
  }
  return {wrong, compared};
}
