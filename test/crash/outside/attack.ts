import {execFile} from "node:child_process";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {promisify} from "node:util";
import {createKey} from "../../../lib/keys/api-keys.ts";
import {attackByAddress, attackByReplies, heldKib, mixedLoad, overload, type Sizes} from "./phases.ts";
import {type Program, startProgram} from "./program.ts";
import {makeWorld, type World} from "./world.ts";

// The attack on a server from outside, in a network of its own (`unshare --net --mount`). Arguments: a folder for its files, the folder of the
// workshop, its key, the sizes. It prints the figures as JSON.
const [folder = "", root = "", key = "", sizes = "{}"] = process.argv.slice(2);
const world = await makeWorld(folder);
const newKeys = async (count: number) => {
  const keys: string[] = [];
  for (let i = 0; i < count; i++) keys.push((await createKey(join(root, "data/keys.json"))).key);
  return keys;
};
const callers = {honest: await newKeys(10), greedy: await newKeys(4)};
const program = await startProgram(join(root, "data"), {key, settings: world.settings});
process.stdout.write(JSON.stringify(await attack(program, world, JSON.parse(sizes) as Sizes)));
world.close();
process.exit(0);

export type Figures = Awaited<ReturnType<typeof attack>>;

async function attack(attacked: Program, counties: World, planned: Sizes) {
  const idleKib = heldKib(attacked);
  const replies = await attackByReplies(attacked, counties, planned);
  const address = await attackByAddress(attacked, counties);
  const many = await overload(attacked, counties, {...planned, ...callers});
  const mixed = await mixedLoad(attacked, counties, {...planned, build: nights(counties)});
  const end = attacked.end();
  await attacked.stop();
  return {idleKib, replies, address, many, mixed, end};
}

/** Publishes a build of a new night, and gives the number of finds that it merged. */
function nights({settings}: World): () => Promise<number> {
  const night = fileURLToPath(new URL("night.ts", import.meta.url));
  let value = 1_000;
  return async () => {
    value += 1;
    const {stdout} = await promisify(execFile)(process.execPath, [night, root, key, String(value)], {
      env: {...process.env, ...settings},
    });
    return Number(stdout);
  };
}
