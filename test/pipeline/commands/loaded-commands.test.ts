import {expect, test} from "vitest";
import {program} from "../../../pipeline/cli.ts";
import {serverCommands} from "../../../server/server-cli.ts";

test("each command is loaded by its own name alone, and the version without any", async () => {
  const namesFor = async (word?: string) =>
    (await program(serverCommands, word)).commands.map((command) => command.name());
  const all = (await namesFor()).filter((name) => !["complete", "completion"].includes(name));
  expect(all.length).toBeGreaterThan(20);
  for (const name of all) {
    const loaded = await namesFor(name);
    expect([name, loaded.includes(name), loaded.length < 5]).toEqual([name, true, true]);
  }
  expect(await namesFor("--version")).toEqual([]);
});
