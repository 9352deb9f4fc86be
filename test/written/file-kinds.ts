/** Files of each kind that counties publish and that were once misread, made from the rules of docs/design/parcels.md alone. */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {proposeFields} from "@open-cattle/entry-proposer";
import {geometryFromEsri, projectionOf, summarizeGeometry, type ToLonLat} from "@open-cattle/parcel-outlines";
import {counties} from "../../lib/geography/counties.ts";
import {printedCounty} from "../../lib/geography/printed-county.ts";
import {classifyLandUse} from "../../lib/parcels/land-use/classify.ts";
import {loadLandUseMap} from "../../lib/parcels/land-use/land-use-map.ts";
import {parcelIdSpellings} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {dbfOf} from "../../packages/parcel-files/test/write-dbf.ts";
import {wkbOf} from "../../packages/parcel-outlines/test/write-wkb.ts";
import {type Dice, dice} from "../../packages/us-address/test/written-lines.ts";
import {conformed} from "../lib/parcels/conform/conformed.ts";
import {sameParcels} from "../lib/parcels/dedupe/same-parcel.ts";
import {invented} from "../pipeline/parcels/invented-source.ts";
import {readRows} from "../pipeline/parcels/readers/read-rows.ts";
import {temporaryFolder} from "../temporary-folder.ts";

/** What came of a case: the right facts, none, or those of another parcel or reading. */
export type Outcome = "found" | "missing" | {readonly wrong: string};

/** One case of a kind. */
type Case = (dice: Dice) => Outcome | Promise<Outcome>;

function judged(came: unknown, right: unknown, isMissing = false): Outcome {
  if (JSON.stringify(came) === JSON.stringify(right)) return "found";
  return isMissing ? "missing" : {wrong: `${JSON.stringify(came)} for ${JSON.stringify(right)}`};
}

const surnames = ["NUÑEZ", "PEÑASCO", "GÓMEZ", "MÜLLER", "LEFÈVRE", "HARLOW", "OSGARD", "QUISTAD", "BRÛLÉ"];
const givenNames = ["JOSÉ", "ANDRÉ", "DALE", "JUNE", "RENÉE", "ÅSA", "MARVIN"];
const owner = (dice: Dice) => `${dice.one(surnames)} ${dice.one(givenNames)}`;

/** A DBF of random owners, read with its `.cpg`; widths may cut the last character. */
async function dbfOwners(
  dice: Dice,
  {cpg, width = 40, others = 0}: {cpg: string | null; width?: number; others?: number},
): Promise<Outcome> {
  const rows = Array.from({length: dice.whole(21, 60)}, owner.bind(null, dice));
  rows[0] = "NUÑEZ JOSÉ";
  const in1252 = new Set(Array.from({length: others}, () => dice.whole(1, rows.length - 1)));
  const at = new Map(rows.map((row, i) => [row, i]));
  const encode = (text: string) => {
    const i = at.get(text);
    return Buffer.from(text, i !== undefined && in1252.has(i) ? "latin1" : "utf8");
  };
  const table = dbfOf([{name: "OWNER", type: "C", width, text: (row: string) => row}], rows, {encode});
  const beside: Record<string, string> = cpg === null ? {} : {"a.cpg": cpg};
  const {cells} = await readRows("a.dbf", table, ["OWNER"], {beside});
  const cut = (text: string) => {
    const bytes = Buffer.from(text).subarray(0, width);
    return new TextDecoder("utf-8").decode(bytes, {stream: true}).trimEnd();
  };
  return judged(
    cells.map((cell) => cell["OWNER"]?.trimEnd()),
    rows.map(cut),
  );
}

/** Square degrees at a latitude in acres, on the ellipsoid of WGS 84. */
function acresOf(squareDegrees: number, latitude: number): number {
  const phi = (latitude * Math.PI) / 180;
  const [a, e2] = [6_378_137, 0.00669437999014];
  const w = 1 - e2 * Math.sin(phi) ** 2;
  const perDegree = (Math.PI / 180) ** 2 * ((a * (1 - e2)) / w ** 1.5) * (a / Math.sqrt(w)) * Math.cos(phi);
  return (squareDegrees * perDegree) / 4046.8564224;
}

const box = (x: number, y: number, width: number, height: number, isTurned: boolean) => {
  const ring = [
    [x, y],
    [x, y + height],
    [x + width, y + height],
    [x + width, y],
    [x, y],
  ];
  return isTurned ? ring.reverse() : ring;
};

function judgedArea(
  geometry: unknown,
  right: number,
  {tolerance, project}: {tolerance: number; project?: ToLonLat | undefined},
): Outcome {
  const acres = summarizeGeometry(geometryFromEsri(geometry as never), project)?.acres ?? null;
  if (acres === null) return "missing";
  return Math.abs(acres / right - 1) <= tolerance ? "found" : {wrong: `${acres} acres for ${right}`};
}

const digits = (dice: Dice, count: number) =>
  Array.from({length: count}, (_, at) => dice.whole(at === 0 ? 1 : 0, 9)).join("");

/** A number cut into parts by hyphens; the cuts are places between its digits. */
function withCuts(number: string, cuts: readonly number[]): string {
  return [...number].map((digit, at) => (cuts.includes(at) ? `-${digit}` : digit)).join("");
}

const parcelNumber = (id: string) => ({tok: parcelIdSpellings(id).tok, alts: [], houses: [], streets: []});

const landUse = loadLandUseMap();
const [land, offices, flats] = [
  ["CROPLAND", "PASTURE", "HAYLAND", "FEEDLOT"],
  ["OFFICE", "RETL", "STORE"],
  ["APT", "APT'S", "APTS"],
];
/** Printed uses by the words of section 6. */
const uses: readonly ((dice: Dice) => readonly [printed: string, category: string | null])[] = [
  (dice) => [
    `STR/${dice.one(["OFF", "APT"])} ${dice.whole(1, 4)} STY ${dice.one(["MASONRY", "FRAME"])}`,
    "commercial",
  ],
  (dice) => [`${dice.one(["RETL", "STORE", "SHOP"])}/${dice.one(flats!)} OVER`, "commercial"],
  (dice) => [`STORE W/ ${dice.one(flats!)}`, "commercial"],
  (dice) => [`${dice.one(offices!)}-ELEVATOR -${dice.whole(2, 9)} + STORIES`, "commercial"],
  (dice) => [`${dice.one(["GRAIN", "FEED", "SEED"])} ELEVATOR`, "industrial"],
  (dice) => [`${dice.one(["NEIGH", "COMM", "REG"])} SHOP CENTER`, "commercial"],
  (dice) => [`R.R. - USED IN OPERATION ${dice.whole(1, 99)}`, "utility_exempt"],
  (dice) => [`${dice.one(["RAILROAD", "RAILWAY"])} USED IN OPERATION`, "utility_exempt"],
  (dice) => [
    `${dice.one(["Open Space Timber", "Designated Forest", "Timber Land"])} RCW 84.3${dice.one([3, 4])}`,
    "agriculture",
  ],
  () => ["Open Space General RCW 84.34", "vacant"],
  (dice) => [`${dice.one(["Saltwater", "Freshwater"])} ${dice.one(["Tidelands", "Shorelands"])}`, "vacant"],
  (dice) => [`BUILDERS LOT${dice.one(["", "S"])}`.replace("LOTS", "LOT"), "vacant"],
  (dice) => [dice.one(land!), "agriculture"],
  (dice) => [`MANUFACTURED ${dice.one(["HOME", "HOUSING"])}`, "residential"],
  (dice) => [`RECREATIONAL LOT ${dice.whole(1, 9)}`, "vacant"],
  (dice) => [`${dice.one(["TWO", "THREE"])} FAMILY ${dice.whole(1, 3)} STY`, "residential"],
  (dice) => [`${dice.one(["COM", "COMM"])} CONDO`, "commercial"],
  (dice) => [`${dice.whole(10, 99)} - ${dice.one(land!)}`, "agriculture"],
];

/** Spellings of a column of a layout, by what it holds; the values look so. */
const headers = {
  parcel_id: ["parcel_id", "PARCEL.ID", "Parcel No", "PIN"],
  owner_raw: ["ow_name", "OWNER_NAME", "Owner.Name", "OWNERNME1"],
  mail_line1: ["ow_add", "MAIL_ADDR", "Mailing.Address", "OWNER_ADDRESS"],
  situs_raw: ["ph_add", "SITE_ADDRESS", "Situs.Address", "PROP_ADDR"],
  sec_twn_rng: ["s_t_r", "STR", "SEC_TWN_RNG", "S-T-R"],
} as const;
type Role = keyof typeof headers;

function layout(dice: Dice): {name: string; role: Role; samples: string[]}[] {
  const rows = Array.from({length: 40}, (_, i) => i);
  const street = () =>
    `${dice.whole(1, 9)}${dice.whole(0, 99)} ${dice.one(["NEAL", "RUTH", "OAK", "BAME"])} ${dice.one(["CV", "DR", "ST", "CIR"])}`;
  const cells: Record<Role, () => string> = {
    parcel_id: () => "",
    owner_raw: () =>
      `${dice.one(["HARLOW", "QUISTAD", "OSGARD"])} ${dice.one(["DALE", "JUNE", "RAY"])} ${dice.one([..."ABCDEFG"])}`,
    mail_line1: () => `${street()} ${dice.one(["BRYANT AR 72022", "TULSA OK 74103", "DALLAS TX 75201"])}`,
    situs_raw: street,
    sec_twn_rng: () =>
      `${String(dice.whole(1, 36)).padStart(2, "0")}-${String(dice.whole(1, 20)).padStart(2, "0")}${dice.one(["N", "S"])}-${dice.whole(10, 30)}${dice.one(["E", "W"])}`,
  };
  return (Object.keys(headers) as Role[]).map((role) => ({
    name: dice.one(headers[role]),
    role,
    samples: rows.map((i) => (role === "parcel_id" ? `840-${10_000 + i}-000` : cells[role]())),
  }));
}

/** The kinds of cases, each by what it shows. */
export const fileKinds: Readonly<Record<string, Case>> = {
  "map and roll whose numbers differ by dashes, blanks or zeros": (dice) => {
    const [length, zeros] = [dice.whole(8, 12), dice.whole(0, 2)];
    const numbers = Array.from({length: 5}, () => digits(dice, length));
    const cuts = Array.from({length: dice.whole(1, 3)}, () => dice.whole(2, length - 2));
    const sign = dice.one(["-", " ", ".", "/", "–", " - "]);
    const [map, roll] = [
      numbers.map((number) =>
        withCuts(
          "0".repeat(zeros) + number,
          cuts.map((cut) => cut + zeros),
        ).replaceAll("-", sign),
      ),
      numbers.toReversed(),
    ];
    const pairs = sameParcels(map.map(parcelNumber), roll.map(parcelNumber));
    const wrong = pairs.filter(({ours, theirs}) => numbers[ours] !== roll[theirs]);
    if (wrong.length > 0) return {wrong: `${map.join()} and ${roll.join()}`};
    return pairs.length === numbers.length ? "found" : "missing";
  },
  "numbers of which one would fit two": (dice) => {
    const number = digits(dice, dice.whole(4, 10));
    const [one, two] = [dice.whole(1, 2), dice.whole(3, number.length - 1)];
    const map = [withCuts(number, [one]), withCuts(number, [two])];
    const isRoll = dice.whole(0, 1) === 1;
    const pairs = sameParcels(map.slice(isRoll ? 0 : 1).map(parcelNumber), [
      parcelNumber(isRoll ? number : map[0]!),
    ]);
    return pairs.length === 0 ? "found" : {wrong: `${map.join()} and ${number}`};
  },
  "a hole drawn in any direction, land in it": (dice) => {
    const [x, y] = [-100 + dice.whole(0, 99) / 50, 40 + dice.whole(0, 99) / 50];
    const [width, height] = [dice.whole(20, 60) / 1e4, dice.whole(20, 60) / 1e4];
    const cut = dice.one([0.25, 0.5]);
    const touching = dice.whole(0, 2) === 0;
    const isTurned = () => dice.whole(0, 1) === 1;
    const hole = [x + (touching ? 0 : width / 4), y + height / 4, width * cut, height * cut] as const;
    const isle = [hole[0] + hole[2] / 4, hole[1] + hole[3] / 4, hole[2] / 4, hole[3] / 4] as const;
    const hasIsle = dice.whole(0, 1) === 1;
    const rings = [
      box(x, y, width, height, isTurned()),
      box(...hole, isTurned()),
      ...(hasIsle ? [box(...isle, isTurned())] : []),
    ];
    const squares = width * height - hole[2] * hole[3] + (hasIsle ? isle[2] * isle[3] : 0);
    return judgedArea({rings}, acresOf(squares, y + height / 2), {tolerance: 0.002});
  },
  "curves among the rings": (dice) => {
    // A square with a half circle on its upper side, outward or inward, as an arc or through a point, in metres of web Mercator.
    const [x, y, radius] = [
      -11_000_000 + dice.whole(0, 9999),
      4_500_000 + dice.whole(0, 9999),
      dice.whole(20, 400),
    ];
    const side = 2 * radius;
    const isOutward = dice.whole(0, 1) === 1;
    const [from, to] = [
      [x, y + side],
      [x + side, y + side],
    ];
    const middle = [x + radius, y + side];
    const curve = dice.one([
      {c: [to, [middle[0]!, middle[1]! + (isOutward ? radius : -radius)]]},
      {a: [to, middle, 0, isOutward ? 1 : 0]},
    ]);
    const curveRings = [[[x, y], from, curve, [x + side, y], [x, y]]];
    const latitude = (Math.atan(Math.sinh((y + side / 2) / 6_378_137)) * 180) / Math.PI;
    const squareMetres = side * side + ((isOutward ? 1 : -1) * Math.PI * radius * radius) / 2;
    const squareDegrees =
      (squareMetres / (6_378_137 * (Math.PI / 180)) ** 2) * Math.cos((latitude * Math.PI) / 180);
    return judgedArea({curveRings}, acresOf(squareDegrees, latitude), {
      tolerance: 0.01,
      project: projectionOf("EPSG:3857"),
    });
  },
  "a county as people print it": (dice) => {
    const all = counties();
    const {fips, name, fullName, state} = all[dice.whole(0, all.length - 1)]!;
    const kind = fullName.slice(name.length).trim();
    const isCity = /city$/i.test(kind);
    const printed = dice.one(
      isCity
        ? [`City of ${name}`, `${name.toUpperCase()} CITY`, `${name} (city)`]
        : [
            fullName,
            fullName.toUpperCase(),
            fullName.replace(/ County$/, " Co"),
            fullName.replace(/ County$/, " CO."),
            fullName.replaceAll(/['.]/g, ""),
            fullName.replace(/ and /, " & "),
            fips,
            fips.slice(2),
          ],
    );
    const read = printedCounty(printed, state);
    if (read === null) return "missing";
    if ("ambiguous" in read)
      return read.ambiguous.some(({key}) => key === fips) ? "missing" : {wrong: `${printed}, ${state}`};
    return judged(read.county.key, fips);
  },
  "a .cpg that lies over UTF-8": (dice) =>
    dbfOwners(dice, {cpg: dice.one(["1252", "ANSI 1252", "1258", "ISO 8859-1", "CP1250"])}),
  "UTF-8 without .cpg, cut at the cell's end": (dice) =>
    dbfOwners(dice, {cpg: null, width: dice.whole(4, 12)}),
  "UTF-8 with some cells in Windows-1252": (dice) =>
    dbfOwners(dice, {cpg: dice.one(["UTF-8", "65001"]), others: dice.whole(1, 3)}),
  "a geometry column of Parquet that nothing declares": async (dice) => {
    const path = join(temporaryFolder(), "p.parquet");
    const points = Array.from({length: dice.whole(3, 12)}, (_, i) => [
      -97.8 + dice.whole(0, 999) / 10_000,
      30.2 + (dice.whole(0, 99) * 10 + i) / 10_000,
    ]);
    const isWkb = dice.whole(0, 1) === 1;
    const name = dice.one(["geometry", "geom", "SHAPE", "wkb_geometry"]);
    const shown = points.map(([x, y], i) => {
      const cell = isWkb
        ? `unhex('${wkbOf({type: "Point", coordinates: [x!, y!]}).toString("hex")}')`
        : `{'x': ${x}::DOUBLE, 'y': ${y}::DOUBLE}`;
      return `SELECT 'P${i}' AS PIN, ${cell} AS ${name}`;
    });
    using db = await openDatabase();
    await db.run(
      `COPY (${shown.join(" UNION ALL ")}) TO ${sqlText(path)} (FORMAT parquet, GEOPARQUET_VERSION 'NONE')`,
    );
    const {geometry} = await readRows("p.parquet", readFileSync(path), ["PIN"]);
    const came = geometry.map(({lon, lat}) => [lon, lat]);
    const near = came.every(
      ([lon, lat], i) =>
        lon != null &&
        lat != null &&
        Math.abs(lon - points[i]![0]!) < 1e-6 &&
        Math.abs(lat - points[i]![1]!) < 1e-6,
    );
    if (near && came.length === points.length) return "found";
    return came.every(([lon]) => lon == null) ? "missing" : {wrong: JSON.stringify(came)};
  },
  "a quote that is data": async (dice) => {
    const rows = Array.from({length: dice.whole(20, 60)}, (_, i) => [
      `A${1000 + i}`,
      `${dice.whole(1, 999)} ${dice.one(["OAK ST", "ELM AVE"])}`,
      owner(dice),
      `LOT ${i} BLK ${dice.whole(1, 9)}`,
    ]);
    for (let n = dice.whole(1, 4); n > 0; n--) {
      const row = rows[dice.whole(0, rows.length - 1)]!;
      row[3] = dice.one([`"A" OF PLAT ${n}`, `"THE ELMS ${n}`, `12" PIPE ${n}`, `LOT "B`]);
    }
    const text = [["PIN", "SITUS", "OWNER", "LEGAL"], ...rows].map((cells) => cells.join("|")).join("\n");
    const {cells} = await readRows("a.txt", text, ["PIN", "SITUS", "OWNER", "LEGAL"]);
    const came = cells.map((cell) => [cell["PIN"], cell["SITUS"], cell["OWNER"], cell["LEGAL"]]);
    const lost =
      came.length < rows.length && came.every((row) => rows.some((own) => own.join() === row.join()));
    return judged(came, rows, lost);
  },
  "a listing with titles, pages and sums": async (dice) => {
    const columns = ["PIN", "SITUS", "OWNER", "VALUE", "ACRES", "YEAR"];
    const rest = (cells: readonly string[]) => [...cells, ...columns.map(() => "")].slice(0, columns.length);
    const rows = Array.from({length: dice.whole(30, 60)}, (_, i) => [
      `${dice.one(["K", "KD", "TL ", "12-"])}${1000 + i}`,
      dice.one(["", `${10 + i} OAK ST`]),
      dice.one(["", owner(dice)]),
      `${dice.whole(1, 99)}000`,
      `${dice.whole(1, 40)}`,
      "2026",
    ]);
    const page = dice.whole(12, 25);
    const pages = Array.from({length: Math.ceil(rows.length / page)}, (_, n) => [
      columns,
      ...rows.slice(n * page, (n + 1) * page),
      rest([dice.one([`Page ${n + 1}`, `PAGE ${n + 1} OF 9`, `Page: ${n + 1}`])]),
    ]);
    const sum = rest([dice.one(["TOTAL", "TOTAL PARCELS", "COUNT", "GRAND TOTAL"])]);
    const isInSameCell = dice.whole(0, 1) === 1;
    if (isInSameCell) sum[0] += `: ${rows.length}`;
    sum[isInSameCell ? 4 : 3] = "2370";
    const titles = [["KEMPER COUNTY APPRAISER"], ["Parcel listing 06/01/2026"], []].slice(dice.whole(0, 2));
    const ends = [sum, ...dice.one([[], [rest(["END OF REPORT"])]])];
    const lines = [...titles.map(rest), ...pages.flat(), ...ends];
    const text = lines.map((cells) => cells.join(",")).join("\n");
    const {cells} = await readRows("a.csv", text, columns);
    const parcels = (await conformed(invented(), cells)).rows.filter(({_reject}) => _reject === null);
    const came = parcels.map(({parcel_id}) => String(parcel_id)).sort();
    const right = rows.map(([id]) => id!).sort();
    return judged(
      came,
      right,
      came.every((id) => right.includes(id)),
    );
  },
  "section-township-range beside a street": (dice) => {
    const columns = layout(dice);
    const {ids, fields} = proposeFields(
      columns.map(({name, samples}) => ({name, samples})),
      {state: "AR"},
    );
    const roleOf = (role: Role) =>
      role === "parcel_id" ? [(ids as {raw?: unknown}).raw].flat() : [fields[role]?.from].flat();
    const nameOf = (of: unknown) => (typeof of === "object" && of !== null && "from" in of ? of.from : of);
    const came = columns.map(({role}) => roleOf(role).map(nameOf)[0] ?? null);
    const isMissing = came.every((name, i) => name === null || name === columns[i]!.name);
    return judged(
      came,
      columns.map(({name}) => name),
      isMissing,
    );
  },
  "printed words of use": (dice) => {
    const [printed, category] = dice.one(uses)(dice);
    const came = classifyLandUse({codes: {}, description: printed}, [], landUse).category;
    const outcome = judged(came, category, came === null);
    return typeof outcome === "object" ? {wrong: `${printed}: ${outcome.wrong}`} : outcome;
  },
};

/** So many cases of a kind, made by chance from the seed. */
export async function fileOutcomes(kind: string, count: number, seed = 1): Promise<Outcome[]> {
  const throws = dice(seed);
  const outcomes: Outcome[] = [];
  for (let n = 0; n < count; n++) outcomes.push(await fileKinds[kind]!(throws));
  return outcomes;
}
