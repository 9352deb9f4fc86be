import {renameSync, symlinkSync} from "node:fs";
import {join} from "node:path";
import {attackByAddress, attackByReplies, heldKib, mixedLoad, overload, type Sizes} from "./phases.ts";
import {type Program, startProgram} from "./program.ts";
import {makeWorld, type World} from "./world.ts";

// The attack on a server from outside, in a network of its own (`unshare --net --mount`). Arguments: a folder for its files, the data folder, the
// key, the two builds, the sizes. It prints the figures as JSON.
const [folder = "", root = "", key = "", builds = "[]", sizes = "{}"] = process.argv.slice(2);
const world = await makeWorld(folder);
const program = await startProgram(root, {key, settings: world.settings});
process.stdout.write(JSON.stringify(await attack(program, world, JSON.parse(sizes) as Sizes)));
world.close();
process.exit(0);

export type Figures = Awaited<ReturnType<typeof attack>>;

async function attack(attacked: Program, counties: World, planned: Sizes) {
  const idleKib = heldKib(attacked);
  const replies = await attackByReplies(attacked, counties, planned);
  const address = await attackByAddress(attacked, counties);
  const many = await overload(attacked, counties, planned);
  const mixed = await mixedLoad(attacked, counties, {seconds: planned.mixed, swap: nextBuild()});
  const end = attacked.end();
  await attacked.stop();
  return {idleKib, replies, address, many, mixed, end};
}

/** Publishes the two builds in turn. */
function nextBuild(): () => void {
  const ids = JSON.parse(builds) as string[];
  let turn = 0;
  return () => {
    const beside = join(root, ".current-0");
    symlinkSync(join("builds", ids[++turn % ids.length]!), beside);
    renameSync(beside, join(root, "current"));
  };
}
