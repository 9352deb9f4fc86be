import {cpSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {ConfigError} from "../../../lib/errors.ts";
import {
  loadParcelSources,
  loadWaves,
  parcelSourcesDir,
  readParcelSource,
} from "../../../lib/registry/parcel-sources.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

/** The Texas entry with some members replaced, as a file. */
function changed(change: (entry: Record<string, unknown>) => void): string {
  const entry = JSON.parse(readFileSync(join(parcelSourcesDir, "us-tx-stratmap.json"), "utf8")) as Record<
    string,
    unknown
  >;
  change(entry);
  const path = join(temporaryFolder(), "us-tx-stratmap.json");
  writeFileSync(path, JSON.stringify(entry));
  return path;
}

function messageFor(change: (entry: Record<string, unknown>) => void): string {
  const path = changed(change);
  try {
    readParcelSource(path);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.replace(path, "FILE");
  }
  throw new Error("no message");
}

describe("the registry of parcel sources", () => {
  test("is valid, and sorted by id", () => {
    const ids = loadParcelSources().map(({id}) => id);
    expect(ids).toEqual([...ids].sort());
    for (const id of [
      "us-az-maricopa",
      "us-mt-cadastral",
      "us-nc-wake",
      "us-ny-onondaga",
      "us-tx-stratmap",
      "us-ut-davis",
    ]) {
      expect(ids).toContain(id);
    }
  });

  test("names file and field of an unknown key", () => {
    expect(messageFor((entry) => Object.assign(entry, {protcol: "http"}))).toBe(
      'FILE: unknown field "protcol".',
    );
    expect(messageFor((entry) => Object.assign(entry, {terms: {stroe: true}}))).toBe(
      'FILE: unknown field "terms.stroe".',
    );
  });

  test("names file and field of an unknown column, transform or county", () => {
    expect(messageFor((entry) => Object.assign(entry, {fields: {onwer_raw: {from: "A"}}}))).toContain(
      'FILE: fields.onwer_raw: "onwer_raw" is not a column',
    );
    expect(
      messageFor((entry) => Object.assign(entry, {fields: {zip: {from: "A", transform: ["zip6"]}}})),
    ).toContain('FILE: fields.zip.transform.0: unknown transform "zip6"');
    expect(
      messageFor((entry) =>
        Object.assign(entry, {coverage: {country: "US", state: "Texas", counties: "all"}}),
      ),
    ).toContain("FILE: coverage.state");
  });

  test("refuses a row number of the file as parcel number (I33)", () => {
    for (const raw of ["OBJECTID", "fid", "OID", "OBJECTID_1"]) {
      expect(messageFor((entry) => Object.assign(entry, {ids: {raw}}))).toContain("FILE: ids.raw");
    }
  });

  test("refuses an entry with another id than its file's name, and a file that is no JSON", () => {
    expect(messageFor((entry) => Object.assign(entry, {id: "us-tx-other"}))).toContain(
      "FILE: id: expected the file",
    );
    const folder = temporaryFolder();
    cpSync(join(parcelSourcesDir, "us-tx-stratmap.json"), join(folder, "a.json"));
    writeFileSync(join(folder, "a.json"), "{");
    expect(() => loadParcelSources(folder)).toThrow("a.json: not readable as JSON");
  });

  test("has a wave for each state and Manitoba", () => {
    const waves = loadWaves().filter(({state}) => state !== "DC");
    expect(waves.filter(({country}) => country === "US")).toHaveLength(50);
    expect(waves.filter(({wave}) => wave === 1)).toHaveLength(15);
    expect(waves.filter(({wave}) => wave === 2)).toHaveLength(10);
    expect(waves.filter(({wave}) => wave === 3)).toHaveLength(16);
    expect(waves.filter(({wave}) => wave === 4)).toHaveLength(10);
  });
});
