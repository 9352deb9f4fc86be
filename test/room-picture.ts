import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../lib/paths.ts";

const house = ["schemas", "lib", "pipeline", "server"] as const;

/** Who imports whom among packages and folders, as a picture; an arrow that follows from others is left out. */
export function roomPicture(): string {
  const packages = readdirSync(join(packageRoot, "packages")).sort();
  const imports = new Map<string, ReadonlySet<string>>([
    ...packages.map((name) => [name, importsOf(`packages/${name}/src`, name)] as const),
    ...house.map((name) => [name, importsOf(name, name)] as const),
    // It loads both by a computed path.
    ["bin", new Set(["pipeline", "server"])],
  ]);
  const reached = (from: string): string[] =>
    [...imports.get(from)!].flatMap((target) => [target, ...reached(target)]);
  const linesOf = (from: string) => {
    const direct = [...imports.get(from)!];
    const further = new Set(direct.flatMap(reached));
    return direct
      .filter((target) => !further.has(target))
      .sort()
      .map((target) => `${from} --> ${target}`);
  };
  const inside = packages.flatMap((name) => {
    const lines = linesOf(name);
    return lines.length > 0 ? lines : [name];
  });
  return [
    "```mermaid",
    "flowchart BT",
    "  subgraph packages",
    ...inside.map((line) => `    ${line}`),
    "  end",
    ...[...house, "bin"].flatMap(linesOf).map((line) => `  ${line}`),
    "```",
    "",
  ].join("\n");
}

/** The packages and folders that the sources below a folder import, types included. */
function importsOf(folder: string, own: string): ReadonlySet<string> {
  const sources = readdirSync(join(packageRoot, folder), {recursive: true, encoding: "utf8"})
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(packageRoot, folder, name), "utf8"));
  const targets = sources.flatMap((text) =>
    [...text.matchAll(/(?:from |\bimport\()"(?:@open-cattle\/([a-z-]+)|(?:\.\.\/)+(\w+)\/)/g)].map(
      ([, ofPackage, ofHouse]) => ofPackage ?? ofHouse!,
    ),
  );
  const isHouse = (name: string) => (house as readonly string[]).includes(name);
  const isPackage = (name: string) => name.includes("-");
  return new Set(targets.filter((name) => name !== own && (isPackage(name) || isHouse(name))));
}
