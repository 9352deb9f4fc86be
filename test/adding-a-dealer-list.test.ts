import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {z} from "zod";
import {packageRoot} from "../lib/paths.ts";
import {readCheckedList} from "../pipeline/market/signals/lists/check-list.ts";
import {ListField, ListSource} from "../schemas/list-source.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const guide = readFileSync(join(packageRoot, "docs/adding-a-dealer-list.md"), "utf8");

/** The names in the first column of the table below a heading. */
function namesBelow(heading: string): string[] {
  const [, part = ""] = new RegExp(`^## ${heading}$([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, "m").exec(guide) ?? [];
  return [...part.matchAll(/^\| `([a-zA-Z_.]+)` \|/gm)].map((found) => found[1]!).sort();
}

type Schema = {readonly oneOf?: readonly Schema[]; readonly properties?: Readonly<Record<string, Schema>>};

test("the guide explains every key of a map once, and no other", () => {
  const schema = z.toJSONSchema(ListSource, {io: "input", unrepresentable: "any"}) as Schema;
  const keys = new Set(
    schema.oneOf!.flatMap(({properties}) => [
      ...Object.keys(properties!).filter((key) => key !== "accept"),
      ...Object.keys(properties!["accept"]!.properties!).map((key) => `accept.${key}`),
    ]),
  );
  expect(keys.size).toBeGreaterThan(15);
  expect(namesBelow("Every key")).toEqual([...keys].sort());
});

test("the guide explains every field once, and no other", () => {
  expect(namesBelow("Fields")).toEqual([...ListField.options].sort());
});

test("the guide's maps are valid, and their examples are read as expected", () => {
  const maps = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(
    (found) => JSON.parse(found[1]!) as unknown,
  );
  expect(maps).toHaveLength(2);
  for (const map of maps) {
    const {id} = map as {id: string};
    const path = join(temporaryFolder(), `${id}.json`);
    writeFileSync(path, JSON.stringify(map));
    expect(readCheckedList(path).id).toBe(id);
  }
});
