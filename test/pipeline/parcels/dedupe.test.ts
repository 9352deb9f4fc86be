import {join} from "node:path";
import {mapFile, openKeyIndex} from "@open-cattle/mapped-index";
import {describe, expect, test} from "vitest";
import {parquetRows} from "./parquet-rows.ts";
import {built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

type Row = Record<string, unknown> & {flags: string[]};

async function rowsOf(files: Record<string, string>, entries = [invented()]): Promise<Row[]> {
  const {outDir} = await built(await rawFiles(files), entries);
  return (await parquetRows<Row>(outDir)).sort((a, b) =>
    String(a.parcel_uid) < String(b.parcel_uid) ? -1 : 1,
  );
}

describe("rows of one parcel", () => {
  test("I31: merges two equal rows without a flag", async () => {
    const rows = await rowsOf({"a.csv": csv([row("1-1"), row("1-1")])});
    expect(rows).toMatchObject([{parcel_uid: "48453-1-1", flags: ["no_geometry"]}]);
  });

  test("I32: merges accounts of one lot into a parcel with all owners", async () => {
    const rows = await rowsOf({
      "a.csv": csv([row("1-1"), row("1 1", {OWNER: "QUISTAD JUNE R"}), row("1-1", {VALUE: "5"}), row("2-2")]),
    });
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      parcel_id: "1-1",
      owner_name: "HARLOW DALE M; QUISTAD JUNE R",
      owner_tokens: ["HARLOW", "DALE", "M", "QUISTAD", "JUNE", "R"],
      owner_kind: "persons",
      market_value: 1000,
      flags: ["duplicate_id", "no_geometry"],
    });
  });

  test("treats lines that differ in an unmapped field as parts of the parcel, not as copies", async () => {
    const files = await rawFiles({
      "a.csv": csv([row("1-1", {SHARE: "4.5"}), row("1-1", {SHARE: "5.1"}), row("1-1", {SHARE: "5.1"})]),
    });
    const {files: reports} = await built(files, [invented({ids: {raw: "PIN", line: ["SHARE"]}})]);
    expect(reports[0]).toMatchObject({rowsIn: 3, accepted: 1, merged: 1, rejected: {duplicate_id: 1}});
  });

  test("I06: keeps parcels apart whose numbers differ only in separators", async () => {
    const rows = await rowsOf({"a.csv": csv([row("143-6"), row("14-36")])});
    expect(rows.map(({parcel_id, parcel_id_std}) => [parcel_id, parcel_id_std])).toEqual([
      ["14-36", "1436"],
      ["143-6", "1436"],
    ]);
  });

  test("adds nothing from a file without geometry beside one with it", async () => {
    const rows = [row("1-1"), row("2-2")];
    const shapes = rows.map((properties, i) => ({properties, geometry: square(i, 0)}));
    const {files, outDir} = await built(await rawFiles({"a.csv": csv(rows), "b.geojson": geojson(shapes)}));
    expect(files.map(({accepted, rejected}) => [accepted, rejected])).toEqual([
      [0, {duplicate_id: 2}],
      [2, {}],
    ]);
    const rowsOut = await parquetRows<Row>(outDir);
    expect(rowsOut.map(({lon, flags}) => [lon === null, flags])).toEqual([
      [false, ["area_mismatch"]],
      [false, ["area_mismatch"]],
    ]);
  });

  test("takes polygons of one id as its parts: sums measured areas, but not stated ones", async () => {
    const part = (properties: Record<string, unknown>, east: number) => ({
      properties,
      geometry: square(east, 0),
    });
    const rows = await rowsOf({
      "a.geojson": geojson([
        part(row("1-1"), 0),
        part(row("1-1"), 1),
        part(row("2-2", {ACRES: null}), 3),
        part(row("2-2", {ACRES: null}), 4),
      ]),
    });
    const alone = await rowsOf({"a.geojson": geojson([part(row("2-2", {ACRES: null}), 3)])});
    expect(rows[0]).toMatchObject({acres: 2, acres_basis: "assessed", point_method: "inside_point"});
    expect(Number(rows[0]!.xmax) - Number(rows[0]!.xmin)).toBeCloseTo(0.0112, 6);
    expect(Number(rows[1]!.acres)).toBeCloseTo(2 * Number(alone[0]!.acres), 3);
    // Parts are not accounts.
    expect(rows.map(({flags}) => flags)).toEqual([["area_mismatch"], []]);
  });
});

describe("land lines of one parcel", () => {
  test("takes the use of the line with most acres, not of the first", async () => {
    const lines = [
      ["ROW", "0.241"],
      ["CROP", "12.5"],
      ["HOME", "1"],
    ].map(([USE, OF_USE]) => row("1-1", {USE, OF_USE}));
    const use = {systems: ["oh-cauv"], codeFrom: "USE"};
    const lined = {ids: {raw: "PIN", line: ["USE"]}};
    const [first] = await rowsOf({"a.csv": csv(lines)}, [invented({...lined, use})]);
    const [most] = await rowsOf({"a.csv": csv(lines)}, [
      invented({...lined, use: {...use, linesFrom: "OF_USE"}}),
    ]);
    expect([first!.use_code, most!.use_code]).toEqual(["ROW", "CROP"]);
  });
});

describe("rows of several years of one parcel", () => {
  const years = [
    row("1-1", {YEAR: "2024", OWNER: "QUISTAD JUNE", VALUE: "900"}),
    row("1-1", {YEAR: "2026", VALUE: ""}),
    row("1-1", {YEAR: "2025", OWNER: "ABEL RAY", VALUE: "800"}),
    row("2-2", {YEAR: "2024", OWNER: "QUISTAD JUNE"}),
  ];

  test("become one parcel: the newest year's row wins entirely, and its year is the vintage", async () => {
    const {outDir, files} = await built(await rawFiles({"a.csv": csv(years)}));
    const rows = await parquetRows<Row>(outDir);
    const provenance = await parquetRows<Row>(outDir, "parcel_provenance", "*");
    const vintage = ({prov_default}: Row) => provenance[Number(prov_default)]!["vintage"];
    const [first, second] = rows.toSorted((a, b) => (String(a.parcel_id) < String(b.parcel_id) ? -1 : 1));
    expect(first).toMatchObject({owner_name: "HARLOW DALE M", market_value: null, flags: ["no_geometry"]});
    expect([vintage(first!), vintage(second!)]).toEqual(["2026", "2024"]);
    expect(files[0]).toMatchObject({rowsIn: 4, accepted: 2, merged: 2, rejected: {}});
  });

  test("use both accounts of the newest year, and no older one", async () => {
    const rows = await rowsOf({"a.csv": csv([...years, row("1-1", {OWNER: "VOSS ADA"})])});
    expect(rows[0]).toMatchObject({
      owner_name: "HARLOW DALE M; VOSS ADA",
      flags: ["duplicate_id", "no_geometry"],
    });
  });

  test("are distinguished in two files of a source, too", async () => {
    const rows = await rowsOf({"2024.csv": csv([years[0]!]), "2026.csv": csv([years[1]!])});
    expect(rows).toMatchObject([{owner_name: "HARLOW DALE M", flags: ["no_geometry"]}]);
  });
});

describe("rows of one parcel in an older and a newer file of a source", () => {
  /** The rows of a build from two files, the second of which was retrieved a year later. */
  const editions = async (older: Record<string, string>, newer: Record<string, string>) => {
    const files = await rawFiles({...older, ...newer}, {retrieved_at: "2025-11-01T00:00:00Z"});
    const dated = files.map((file) =>
      file.path.split("/").at(-1)! in newer ? {...file, retrievedAt: "2026-11-01T00:00:00Z"} : file,
    );
    return parquetRows<Row>((await built(dated)).outDir);
  };
  const sold = row("1-1", {OWNER: "VOSS ADA"});

  test("are not joined: the newer one counts, as after a sale", async () => {
    const rows = await editions({"a.csv": csv([row("1-1")])}, {"b.csv": csv([sold])});
    expect(rows).toMatchObject([{owner_name: "VOSS ADA", flags: ["no_geometry"]}]);
  });

  test("are joined where only the older one has an outline", async () => {
    const outline = geojson([{properties: row("1-1"), geometry: square(0, 0)}]);
    const [only] = await editions({"a.geojson": outline}, {"b.csv": csv([row("1-1")])});
    expect(only!["lon"]).not.toBeNull();
  });
});

describe("sources of one state", () => {
  const other = (members: Record<string, unknown> = {}) =>
    invented({id: "us-tx-other", authority: "aggregate", ...members});
  const both = [invented(), other()];

  test("merge a parcel: per group the later vintage wins, and gaps come from the other with its own provenance", async () => {
    const {outDir} = await built(
      await rawFiles({
        "us-tx-invented/a.csv": csv([row("1-1", {YEAR: "2026", SITUS: "", VALUE: "7"})]),
        "us-tx-other/b.csv": csv([row("1-1", {YEAR: "2024", OWNER: "QUISTAD JUNE", ACRES: "3"})]),
      }),
      both,
    );
    const [merged, ...more] = await parquetRows<Row>(outDir);
    const provenance = await parquetRows<Row>(outDir, "parcel_provenance", "*");
    const sourceOf = (group: string) =>
      provenance[Number(merged![`prov_${group}`] ?? merged!.prov_default)]!.source_id;
    expect(more).toEqual([]);
    expect(merged).toMatchObject({
      owner_name: "HARLOW DALE M",
      market_value: 7,
      acres: 2,
      situs_name: "OAK",
      situs_status: "numbered",
    });
    expect([sourceOf("owner"), sourceOf("value"), sourceOf("situs")]).toEqual([
      "us-tx-invented",
      "us-tx-invented",
      "us-tx-other",
    ]);
  });

  test("prefer a dated vintage to a retrieval in the same year", async () => {
    const undated = other({vintage: ["retrieved"], authority: "county"});
    const [merged] = await rowsOf(
      {
        "us-tx-invented/a.csv": csv([row("1-1", {YEAR: "2026"})]),
        "us-tx-other/b.csv": csv([row("1-1", {OWNER: "QUISTAD JUNE"})]),
      },
      [invented({authority: "copy"}), undated],
    );
    expect(merged).toMatchObject({owner_name: "HARLOW DALE M"});
  });

  test("prefer the better authority if vintages are equal", async () => {
    const [merged] = await rowsOf(
      {
        "us-tx-invented/a.csv": csv([row("1-1")]),
        "us-tx-other/b.csv": csv([row("1-1", {OWNER: "QUISTAD JUNE"})]),
      },
      [invented({authority: "copy"}), other()],
    );
    expect(merged).toMatchObject({owner_name: "QUISTAD JUNE"});
  });

  test("do not leave a parcel marked as without geometry when one of them has it", async () => {
    const shapes = [{properties: row("1-1", {ACRES: "3.8"}), geometry: square(0, 0)}];
    const [merged] = await rowsOf(
      {"us-tx-invented/a.geojson": geojson(shapes), "us-tx-other/b.csv": csv([row("1-1", {OWNER: "X Y"})])},
      both,
    );
    expect(merged).toMatchObject({point_method: "centroid", flags: []});
  });

  test("keep a roll's acres beside the outlines of a map, whose area has a name of its own", async () => {
    const map = other({area: {from: "ACRES", unit: "acres", basis: "computed"}, fields: {}});
    const parts = [0, 1].map((east) => ({properties: row("1-1", {ACRES: "3.7"}), geometry: square(east, 0)}));
    const [merged] = await rowsOf(
      {
        "us-tx-invented/a.csv": csv([row("1-1", {ACRES: "3.15", YEAR: "2024"})]),
        "us-tx-other/b.geojson": geojson(parts),
      },
      [invented(), map],
    );
    expect(merged).toMatchObject({
      acres: 3.15,
      land_area_sqft: 137214,
      acres_basis: "assessed",
      flags: ["area_mismatch"],
    });
    expect(Number(merged!.geom_acres)).toBeCloseTo(7.57, 1);
  });

  test("take a deed's area before an assessor's, whatever their vintage", async () => {
    const deeds = other({area: {from: "ACRES", unit: "acres", basis: "deeded"}});
    const [merged] = await rowsOf(
      {
        "us-tx-invented/a.csv": csv([row("1-1")]),
        "us-tx-other/b.csv": csv([row("1-1", {ACRES: "1.9", YEAR: "2023"})]),
      },
      [invented(), deeds],
    );
    expect(merged).toMatchObject({acres: 1.9, acres_basis: "deeded"});
  });

  test("give a parcel the flags of the rows that its facts come from", async () => {
    const files = {
      "us-tx-invented/a.csv": csv([row("1-1", {SITUS: "100 OAK ST", VALUE: "1,000"})]),
      "us-tx-other/b.csv": csv([row("1-1", {YEAR: "2024", SITUS: "9 ELM ST, TULSA, OK 74103", VALUE: "0"})]),
    };
    const [merged] = await rowsOf(files, both);
    expect(merged).toMatchObject({situs_name: "OAK", market_value: 1000, flags: ["no_geometry"]});
    const [alone] = await rowsOf({"us-tx-other/b.csv": files["us-tx-other/b.csv"]}, both);
    expect(alone!.flags).toEqual(["no_geometry", "situs_is_mailing", "zero_value"]);
  });

  test("are partly read only for the parts that come from such a row", async () => {
    const mailed = invented({fields: {situs_raw: {from: "SITUS"}, mail_line1: {from: "MAIL"}}});
    const files = {
      "us-tx-invented/a.csv": csv([row("1-1", {YEAR: "2024", MAIL: "PO BOX 12 SMALLPLACE NE 68822"})]),
      "us-tx-other/b.csv": csv([row("1-1", {YEAR: "2026", SITUS: ""})]),
    };
    const [alone] = await rowsOf({"us-tx-invented/a.csv": files["us-tx-invented/a.csv"]}, [mailed, other()]);
    expect(alone!.flags).toEqual(["mail_partly_read", "no_geometry", "partly_read"]);
    const [merged] = await rowsOf(files, [mailed, other()]);
    expect(merged).toMatchObject({situs_name: "OAK", flags: ["no_geometry"]});
  });

  test("join only the owners of the source and year that the parcel's owner comes from", async () => {
    const [merged] = await rowsOf(
      {
        "us-tx-invented/a.csv": csv([
          row("1-1", {YEAR: "2024", OWNER: "ABEL RAY"}),
          row("1-1", {YEAR: "2024", OWNER: "VOSS ADA"}),
        ]),
        "us-tx-other/b.csv": csv([row("1-1", {YEAR: "2026"})]),
      },
      both,
    );
    expect(merged).toMatchObject({
      owner_name: "HARLOW DALE M",
      owner_kind: "person",
      flags: ["duplicate_id", "no_geometry"],
    });
  });
});

describe("sources that call a parcel by different numbers", () => {
  const county = invented();
  const state = invented({id: "us-tx-state", authority: "state", ids: {raw: "PIN", alt: ["LOCAL"]}});
  const build = async (ours: Record<string, unknown>[], theirs: Record<string, unknown>[]) => {
    const files = await rawFiles({"a.csv": csv(ours), "us-tx-state/a.csv": csv(theirs)});
    const made = await built(files, [county, state]);
    const rows = await parquetRows<{
      parcel_uid: string;
      alt_ids: string[];
      alt_ids_std: string[];
      owner_raw: string;
      subdivision: string;
    }>(made.outDir);
    return {made, rows: rows.sort((a, b) => (a.parcel_uid < b.parcel_uid ? -1 : 1))};
  };

  test("merge it by an alt id; both numbers find it", async () => {
    const {rows, made} = await build(
      [row("12-034", {OWNER: "HARLOW DALE M"})],
      [row("S-900", {LOCAL: "12 034", YEAR: "2024", OWNER: "OLD OWNER"})],
    );
    expect(rows).toMatchObject([
      {
        parcel_uid: "48453-12-034",
        alt_ids: ["12 034", "S-900"],
        alt_ids_std: ["S900"],
        owner_raw: "HARLOW DALE M",
      },
    ]);
    expect(made.files.map(({accepted, merged}) => [accepted, merged])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    const ids = openKeyIndex(mapFile(join(made.serving, "parcel_ids.arrow")).buffer);
    expect([ids.find("12034").length, ids.find("S900").length]).toEqual([1, 1]);
  });

  test("keep separate what one source has under both numbers, and ambiguous matches", async () => {
    const {rows} = await build(
      [row("12-034"), row("S-900", {OWNER: "QUISTAD JUNE"}), row("77-1")],
      [row("S-900", {LOCAL: "12-034"}), row("S-901", {LOCAL: "77-1"}), row("S-902", {LOCAL: "77-1"})],
    );
    expect(rows.map(({parcel_uid}) => parcel_uid)).toEqual([
      "48453-12-034",
      "48453-77-1",
      "48453-S-900",
      "48453-S-901",
      "48453-S-902",
    ]);
  });
});

describe("records without a parcel number", () => {
  const unnumbered = invented({id: "us-tx-other", ids: {none: true, key: ["SITUS", "OWNER"]}});

  test("stay separate with a suffix if their digests collide; exact copies are merged", async () => {
    const rows = await rowsOf({"us-tx-other/a.csv": csv([row(null), row(null, {VALUE: "5"}), row(null)])}, [
      unnumbered,
    ]);
    const uids = rows.map(({parcel_uid}) => String(parcel_uid));
    expect(uids).toHaveLength(2);
    expect(uids[1]).toBe(`${uids[0]}~2`);
    expect(rows.every(({parcel_id, flags}) => parcel_id === null && !flags.includes("duplicate_id"))).toBe(
      true,
    );
  });

  test("yield to a numbered parcel with their address around their point", async () => {
    const shape = (properties: Record<string, unknown>, east: number) => ({
      properties,
      geometry: square(east, 0),
    });
    const rows = await rowsOf(
      {
        "us-tx-invented/a.geojson": geojson([shape(row("1-1"), 0)]),
        "us-tx-other/b.geojson": geojson([shape(row(null), 0), shape(row(null, {OWNER: "QUISTAD RAY"}), 5)]),
      },
      [invented(), unnumbered],
    );
    expect(rows.map(({parcel_id, owner_name}) => [parcel_id, owner_name])).toEqual([
      ["1-1", "HARLOW DALE M"],
      [null, "QUISTAD RAY"],
    ]);
  });
});
