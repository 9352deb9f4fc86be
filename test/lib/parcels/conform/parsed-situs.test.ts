import {describe, expect, test} from "vitest";
import {pack, unpack} from "../../../../lib/parcels/conform/packed-text.ts";
import {parsedSitus, situsParts, situsQuestion} from "../../../../lib/parcels/conform/parsed-situs.ts";

type Given = Partial<Record<(typeof situsQuestion)[number], string>>;
type Read = Partial<Record<(typeof situsParts)[number], string | null>>;

/** The parts that are read from those of a source; absent ones are null. */
function read(given: Given, context = {state: "OR"}): Read {
  const parts = unpack(parsedSitus(pack(situsQuestion.map((name) => given[name] ?? null)), context)!);
  return Object.fromEntries(
    situsParts.flatMap((name, at) => ((parts[at] ?? null) === null ? [] : [[name, parts[at]]])),
  );
}

const lorimar = {situs_number: "12", situs_name: "LORIMAR"};

describe("parts of a source's columns", () => {
  test("a number of a column of real numbers has no decimals", () => {
    const parts = {situs_number: "105.0", situs_fraction: "1/2", situs_name: "LORIMAR"};
    expect(read(parts)).toMatchObject({situs_number: "105", situs_fraction: "1/2", situs_name: "LORIMAR"});
  });

  test("a number instead of a town is a code of the county's, and the line's town stands", () => {
    expect(read({situs_raw: "12 LORIMAR RD", city: "02"})).not.toHaveProperty("city");
    expect(read({situs_raw: "12 LORIMAR RD, SALEM", city: "02"})).toMatchObject({city: "SALEM"});
    expect(read({...lorimar, city: "Salem"})).toMatchObject({city: "SALEM"});
  });

  test("A56: a ZIP of four digits lost its zero if the state's ZIPs begin with one, and else is none", () => {
    const parts = {situs_raw: "12 LORIMAR RD", zip: "2139"};
    expect(read(parts, {state: "MA"}).zip).toBe("02139");
    expect(read(parts).zip).toBeUndefined();
    expect(read({...parts, zip: "6360"}, {state: "CT"})).toMatchObject({zip: "06360", state: "CT"});
    expect(read({...parts, zip: "6390"}, {state: "CT"}).zip).toBeUndefined();
    const two = {situs_raw: "12 LORIMAR RD; 14 OAK ST", zip: "2139"};
    expect(read(two, {state: "MA"}).alt_situs).toBe("14 OAK ST, 02139");
  });

  test.each([
    "12 LORIMAR RD (CITY HALL)",
    "12 LORIMAR RD [OFF]",
    "12 LORIMAR RD - PARKING LOT",
    "12 LORIMAR RD / BARN",
    "12 LORIMAR RD VACANT",
  ])("words behind a street without a comma, and no place, are no town and unread: %s", (situs_raw) => {
    expect(read({situs_raw})).toMatchObject({situs_name: "LORIMAR", unread: "1"});
    expect(read({situs_raw})).not.toHaveProperty("city");
    expect(read({situs_raw, city: "SALEM"})).toMatchObject({city: "SALEM", unread: "1"});
  });

  test.each([
    "12 LORIMAR RD (SALEM)",
    "12 LORIMAR RD - SALEM OR",
    "12 LORIMAR RD, QUILLVILLE",
    "12 LORIMAR RD (REAR), SALEM",
    "12 LORIMAR RD SALEM TWP",
    "12 LORIMAR RD WEST SALEM",
    "12 LORIMAR RD QUILLVILLE OR 97301",
    "12 LORIMAR RD QUILLVILLE 97301",
  ])("a place, or words behind a comma or before state or ZIP, are the town: %s", (situs_raw) => {
    expect(read({situs_raw}).city).toMatch(/^(?:SALEM|QUILLVILLE|SALEM TWP|WEST SALEM)$/);
    expect(read({situs_raw})).not.toHaveProperty("unread");
  });

  test.each<[what: string, parts: Given, line: string, added: Read]>([
    ["the end of a range", {...lorimar}, "12-16 LORIMAR", {situs_number_hi: "16"}],
    ["a fraction", {...lorimar}, "12 1/2 LORIMAR", {situs_fraction: "1/2"}],
    ["a directional before the name", {...lorimar}, "12 N LORIMAR", {situs_pre: "N"}],
    ["a type", {...lorimar}, "12 LORIMAR RD", {situs_type: "RD"}],
    ["a directional behind it", {...lorimar}, "12 LORIMAR RD SW", {situs_type: "RD", situs_post: "SW"}],
    [
      "a unit",
      {...lorimar},
      "12 LORIMAR RD APT 4",
      {situs_type: "RD", situs_unit_type: "APT", situs_unit: "4"},
    ],
  ])("get %s of a line on the same street", (_, parts, line, added) => {
    const alone = read(parts);
    expect(alone).toEqual({...parts, situs_number_lo: "12", situs_number_hi: "12", situs_status: "numbered"});
    expect(read({...parts, situs_raw: line})).toEqual({...alone, ...added});
  });

  test("have the number of the line where their source has no column of it", () => {
    const parts = {situs_name: "LORIMAR", situs_type: "RD"};
    const numbered = {
      situs_number: "12",
      situs_number_lo: "12",
      situs_number_hi: "12",
      situs_status: "numbered",
    };
    expect(read({...parts, situs_raw: "12 LORIMAR RD"})).toEqual({...parts, ...numbered});
    for (const situs_raw of ["12 MARDEN RD", "LORIMAR RD"])
      expect(read({...parts, situs_raw})).toEqual({...parts, situs_status: "street_only"});
    expect(read({...parts, situs_number: "0", situs_raw: "12 LORIMAR RD"})).not.toHaveProperty(
      "situs_number",
    );
  });

  test("get nothing of a line on another street or of another house", () => {
    for (const situs_raw of ["14-18 N LORIMAR RD SW APT 4", "12-16 N MARDEN RD SW APT 4"])
      expect(read({...lorimar, situs_raw})).toEqual(read(lorimar));
  });

  test("count before those of the line", () => {
    const parts = {
      ...{situs_number: "12", situs_fraction: "1/2", situs_pre: "S", situs_name: "LORIMAR"},
      ...{situs_type: "AVE", situs_post: "NE", situs_unit_type: "STE", situs_unit: "9"},
    };
    expect(read({...parts, situs_raw: "12-16 1/4 N LORIMAR RD SW APT 4"})).toMatchObject(parts);
  });

  test("that print no word are not there", () => {
    const empty = {situs_pre: "NULL", situs_unit: "N/A", situs_unit_type: "APT", situs_post: "NONE"};
    expect(read({...lorimar, ...empty})).toEqual(read(lorimar));
    const line = {situs_raw: "12 N MARDEN RD"};
    expect(read({...line, situs_name: "NULL", situs_number: "99"})).toEqual(read(line));
  });

  test("have a unit without designator behind #", () => {
    const {situs_unit, situs_unit_type} = read({...lorimar, situs_type: "RD", situs_unit: "4"});
    expect([situs_unit, situs_unit_type]).toEqual(["4", undefined]);
  });
});

describe("the place of a row", () => {
  const line = "12 LORIMAR RD, SALEM, OR 97301-1234";
  test("is the line's where the source prints none", () => {
    expect(read({situs_raw: line})).toMatchObject({
      ...{city: "SALEM", zip: "97301", zip_plus_four: "97301-1234", state: "OR"},
    });
  });

  test("is the source's where it prints one, in capitals", () => {
    const {city, zip, zip_plus_four, state} = read({situs_raw: line, city: "Ashmere", zip: "97302"});
    expect([city, zip, zip_plus_four, state]).toEqual(["ASHMERE", "97302", undefined, "OR"]);
  });

  test("keeps the four digits of the line with the same ZIP, and the source's before them", () => {
    expect(read({situs_raw: line, zip: "97301"}).zip_plus_four).toBe("97301-1234");
    expect(read({situs_raw: line, zip: "97301", zip_plus_four: "97301-9"}).zip_plus_four).toBe("97301-9");
    expect(read({situs_raw: "12 LORIMAR RD, SALEM, OR 97301-0000"}).zip_plus_four).toBeUndefined();
  });

  test("is in the state of its ZIP where the line names none", () => {
    expect(read({situs_raw: "12 LORIMAR RD", zip: "83638"}).state).toBe("ID");
    expect(read({situs_raw: "12 LORIMAR RD, SALEM, OR", zip: "83638"}).state).toBe("OR");
    expect(read({situs_raw: "12 LORIMAR RD"}).state).toBeUndefined();
  });
});
