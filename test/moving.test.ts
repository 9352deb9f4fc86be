import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {openApiDocument} from "../server/http/openapi.ts";
import {parcelEndpoints} from "../server/parcels/parcel-endpoints.ts";
import {theirFields, theirMetadata, theirParameters} from "./compatible-api.ts";

type Named = {properties: Record<string, unknown>};
type Operation = {parameters: {name: string}[]};

const document = JSON.parse(JSON.stringify(openApiDocument(parcelEndpoints))) as {
  paths: Record<string, {get: Operation}>;
  components: {schemas: Record<string, Named>};
};
const guide = readFileSync(join(packageRoot, "docs", "moving.md"), "utf8");

/** Members of a schema of the document. */
const members = (schema: string) => Object.keys(document.components.schemas[schema]!.properties);

/** The text below a heading. */
function section(heading: string): string {
  const text = guide.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (text === undefined) throw new Error(`docs/moving.md has no section ${heading}`);
  return text;
}

/** Cells of the rows of a section's table, without its header. */
function rows(heading: string): string[][] {
  const lines = section(heading)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** Words in code marks that are names rather than examples or values. */
const names = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).filter((name) => /^\w*[A-Za-z]\w*$/.test(name));

const metadata = [...new Set([...members("ParcelMetadata"), ...members("ParcelListMetadata")])];

describe("docs/moving.md", () => {
  test("names the four paths with all of their parameters", () => {
    const found = rows("Paths").map(([path]) => names(path!.replaceAll("-", "_"))[0]?.replaceAll("_", "-"));
    const paths = Object.keys(document.paths).map((path) => path.split("/").at(-1));
    expect(found.sort()).toEqual(paths.sort());
    for (const [path = "", same = "", different = ""] of rows("Paths")) {
      const [, {get}] = Object.entries(document.paths).find(([each]) =>
        each.endsWith(path.replaceAll("`", "")),
      )!;
      const parameters = get.parameters.map(({name}) => name);
      const [asked = ""] = same.split("; answer");
      expect(parameters).toEqual(expect.arrayContaining(names(asked)));
      const known = [...parameters, ...members("Problem"), ...members("ParcelListAnswer"), ...metadata];
      expect(known).toEqual(expect.arrayContaining(names(different.replaceAll("metadata.", ""))));
      const unnamed = parameters.filter((name) => !names(`${same} ${different}`).includes(name));
      const candidatesPage = path.includes("lookup") ? ["limit", "offset"] : [];
      expect([path, unnamed.filter((name) => !candidatesPage.includes(name))]).toEqual([path, []]);
    }
  });

  test("names exactly the fields of a property, each as the same or new", () => {
    const fields = members("Property");
    const listed = rows("Fields of a property").map(([name = ""]) => names(name));
    const never = rows("Fields of a property")
      .filter(([, said]) => said!.startsWith("**never returned**"))
      .flatMap(([name]) => names(name!));
    expect(never).toEqual(["geometry"]);
    expect(listed.flat().filter((name) => !fields.includes(name) && !never.includes(name))).toEqual([]);
    const told = names(section("Fields of a property"));
    expect(fields.filter((field) => !told.includes(field))).toEqual([]);
    expect(fields.filter((field) => never.includes(field))).toEqual([]);
  });

  test("tells wherever it names a value whose kind another field tells", () => {
    const {properties} = document.components.schemas["Property"] as unknown as {
      properties: Record<string, {description?: string}>;
    };
    const kinds = Object.entries(properties).flatMap(([field, {description = ""}]) => {
      const [, kind] = /value of `(\w+)`/.exec(description) ?? [];
      return kind === undefined ? [] : [[field, kind] as const];
    });
    expect(kinds.map(([field]) => field)).toEqual(["totalLandValue", "totalBuildingValue"]);
    const lines = [...rows("Fields of a property"), ...rows("Fields that are not here")].map((row) =>
      names(row.join(" ")),
    );
    for (const [field, kind] of kinds)
      for (const line of lines.filter((each) => each.includes(field))) expect(line).toContain(kind);
  });

  test("calls a field the same if the other API has it, else new", () => {
    for (const [path = "", same = ""] of rows("Paths")) {
      const [asked = ""] = same.split("; answer");
      expect([path, names(asked).sort()]).toEqual([
        path,
        theirParameters[path.replaceAll("`", "")]!.toSorted(),
      ]);
    }
    const [asBefore = ""] = section("Metadata").split(" are where they were");
    expect(names(asBefore).sort()).toEqual(theirMetadata.toSorted());
  });

  test("accounts for every field of the other API: the same, different, or missing and why", () => {
    const here = rows("Fields of a property").flatMap(([name = ""]) => names(name));
    const absent = rows("Fields that are not here");
    const notHere = absent.flatMap(([name = ""]) => names(name));
    expect(theirFields.filter((field) => !here.includes(field) && !notHere.includes(field))).toEqual([]);
    expect(
      notHere.filter((field) => !theirFields.includes(field) || members("Property").includes(field)),
    ).toEqual([]);
    expect(absent.filter(([, why = ""]) => why.length < 15)).toEqual([]);
  });

  test("names exactly the members of the metadata", () => {
    const told = names(section("Metadata"));
    expect(metadata.filter((name) => !told.includes(name))).toEqual([]);
    expect(told.filter((name) => !metadata.includes(name))).toEqual([]);
  });
});
