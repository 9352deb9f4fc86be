import {globSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {z} from "zod";
import {packageRoot} from "../lib/paths.ts";
import {program} from "../pipeline/cli.ts";
import {knownTransforms} from "../schemas/field-map.ts";
import {ParcelSource} from "../schemas/parcel-source.ts";

const guide = readFileSync(join(packageRoot, "docs/adding-a-county.md"), "utf8");

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | readonly Schema[];
  readonly anyOf?: readonly Schema[];
};

/** The keys of an entry with nested ones, as `area.unitFrom`; lists count as their members. */
function keysOf(schema: Schema, above = ""): string[] {
  const inside = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items].flat())];
  const own = Object.entries(schema.properties ?? {});
  // A column may also be given as a spec of `fields`, whose keys are explained there.
  const isSpec = own.some(([key]) => key === "transform");
  const members = isSpec
    ? []
    : own.flatMap(([key, value]) => [`${above}${key}`, ...keysOf(value, `${above}${key}.`)]);
  return [...new Set([...members, ...inside.flatMap((each) => keysOf(each, above))])];
}

/** The keys in the first column of the tables in the part on keys. */
const [, keyTables = ""] = /^## Every key$([\s\S]*?)^## /m.exec(guide) ?? [];
const explained = [...keyTables.matchAll(/^\| `([a-zA-Z_.]+)` \|/gm)].map((found) => found[1]!);

test("the guide explains every key of an entry once, and no other", () => {
  const keys = keysOf(z.toJSONSchema(ParcelSource, {io: "input", unrepresentable: "any"}) as Schema);
  expect(keys.length).toBeGreaterThan(60);
  expect([...explained].sort()).toEqual([...keys, "fields.from", "fields.transform", "fields.join"].sort());
});

test("the program reads every key but those that the guide calls not read, and no shipped entry has one of these", () => {
  const unread = [...keyTables.matchAll(/^\| `(?:\w+\.)*(\w+)` \| not read/gm)].map((found) => found[1]!);
  const read = (glob: string) =>
    globSync(glob, {cwd: packageRoot}).map((path) => readFileSync(join(packageRoot, path), "utf8"));
  const code = read("{lib,pipeline,server}/**/*.ts").join("\n");
  const words = new Set(code.match(/\w+/g));
  const keys = keysOf(z.toJSONSchema(ParcelSource, {io: "input", unrepresentable: "any"}) as Schema);
  const last = keys.map((key) => key.split(".").at(-1)!);
  expect(last.filter((key) => !words.has(key) && !unread.includes(key))).toEqual([]);
  const entries = read("data/sources/**/*.json").join("\n");
  expect(unread.filter((key) => entries.includes(`"${key}":`))).toEqual([]);
});

test("the guide explains every transform", () => {
  const missing = [...knownTransforms].filter((name) => !new RegExp(`^\\| \`${name}[\`:]`, "m").test(guide));
  expect(missing).toEqual([]);
});

test("the guide names every option of sources add, and no other", async () => {
  const add = (await program()).commands
    .find((command) => command.name() === "sources")!
    .commands.find((command) => command.name() === "add")!;
  const named = new Set([...guide.matchAll(/`(--[a-z-]+)[` ]/g)].map((found) => found[1]!));
  expect([...named].sort()).toEqual(add.options.map(({long}) => long!).sort());
});

test("the guide's entry is valid", () => {
  const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(
    (found) => JSON.parse(found[1]!) as unknown,
  );
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(ParcelSource.safeParse(block).error).toBeUndefined();
});
