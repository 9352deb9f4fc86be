import {setTimeout as sleep} from "node:timers/promises";
import {parseArgs} from "node:util";
import {openDatabase, sqlText} from "../lib/sql/duckdb.ts";
import {LandUseCategory} from "../schemas/vocabulary/land-use.ts";

// Asks two servers the same questions at every endpoint and prints the answers that differ as JSON. To show that a code change
// affects no answer, serve builds of the same raw files and day with the old and with the new code. With --delta, the folder of
// discoveries that both servers have, it also asks for parcels as those discoveries have them.
const {values} = parseArgs({
  options: {
    before: {type: "string"},
    "before-key": {type: "string"},
    after: {type: "string"},
    "after-key": {type: "string"},
    build: {type: "string"},
    delta: {type: "string"},
    questions: {type: "string", default: "2000"},
  },
});
const {before, after, build} = values;
if (before === undefined || after === undefined || build === undefined)
  throw new Error(
    "usage: compare-answers --before URL --before-key KEY --after URL --after-key KEY --build FOLDER [--delta FOLDER] [--questions 2000]",
  );
const count = Number(values.questions);
const db = await openDatabase();
const built = `read_parquet(${sqlText(`${build}/**/parcels.parquet`)}, hive_partitioning = false, union_by_name = true)`;

const columnsOfDiscovery = [
  "key.parcelId AS parcel_id",
  "key.county AS county_key",
  "key.state AS state",
  "parcelUid AS parcel_uid",
  ...["situs_raw", "city", "zip", "owner_name"].map((name) => `row->>'${name}' AS ${name}`),
  ...["lat", "lon"].map((name) => `(row->>'${name}')::DOUBLE AS ${name}`),
].join(", ");
const found = `(SELECT ${columnsOfDiscovery} FROM (SELECT unnest(rec) FROM read_json(${sqlText(`${values.delta}/*.ndjson`)}, columns = {rec:
  'STRUCT(kind VARCHAR, key STRUCT(state VARCHAR, county VARCHAR, parcelId VARCHAR), parcelUid VARCHAR, "row" JSON)'})) WHERE kind = 'upsert')`;
const parcels = values.delta === undefined ? built : found;

type Params = Readonly<Record<string, string | undefined>>;

/** Rows of the build in a reproducible order that mixes all states. */
async function rowsWith(condition: string): Promise<Record<string, string>[]> {
  return db.rows(
    `SELECT state, parcel_id, county_key, situs_raw, city, zip, split_part(owner_name, ';', 1) AS owner, lat::VARCHAR AS lat, lon::VARCHAR AS lon, md5(parcel_uid) AS dice
     FROM ${parcels} WHERE ${condition} ORDER BY md5(parcel_uid) LIMIT ${count}`,
  );
}

const uses: readonly string[] = LandUseCategory.options;
const property = "/public/land-agent/property";
const some = <T>(items: readonly T[], i: number): T => items[i % items.length]!;

async function parcelQuestions(): Promise<[string, Params[]][]> {
  const byId = await rowsWith("parcel_id IS NOT NULL");
  const byAddress = await rowsWith("situs_raw IS NOT NULL");
  const byPlace = await rowsWith("lat IS NOT NULL");
  const byOwner = await rowsWith("owner_name IS NOT NULL");
  return [
    [
      `${property}/parcel-id-lookup`,
      byId.map(({parcel_id: id, state, county_key: key}, i) =>
        i % 3 === 0
          ? {parcelId: `${key}-${id}`}
          : i % 3 === 1
            ? {parcelId: id!, state: state!}
            : {parcelId: id!.replaceAll("-", ""), state: state!},
      ),
    ],
    [
      `${property}/address-lookup`,
      byAddress.map(({situs_raw: line, state, city, zip}, i) => ({
        address: line!.slice(0, 200),
        state: state!,
        ...(i % 2 === 0 && city !== null ? {city: city!} : {}),
        ...(i % 5 === 0 && zip !== null ? {zipCode: zip!} : {}),
      })),
    ],
    [
      `${property}/location-search`,
      byPlace.map(({lat, lon}, i) => ({
        latitude: lat!,
        longitude: lon!,
        radius: some(["0.1", "0.5", "2"], i),
        ...(i % 3 === 0 ? {use: some(uses, i)} : {}),
        ...(i % 7 === 0 ? {offset: "10"} : {}),
      })),
    ],
    [
      `${property}/owner-search`,
      byOwner.map(({owner, state}, i) => ({
        owner: (i % 2 === 0 ? owner! : owner!.split(" ")[0]!).slice(0, 200),
        ...(i % 4 === 0 ? {} : {state: state!}),
        ...(i % 6 === 0 ? {use: some(uses, i)} : {}),
      })),
    ],
  ];
}

const states =
  "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split(
    " ",
  );

function marketQuestions(): [string, Params[]][] {
  const numbers = Array.from({length: count}, (_, i) => i);
  const zip = (i: number) => String((i * 49 + 501) % 99951).padStart(5, "0");
  const lat = (i: number) => (25 + ((i * 37) % 2400) / 100).toFixed(2);
  const lon = (i: number) => (-124 + ((i * 53) % 5700) / 100).toFixed(2);
  return [
    [
      "/price-by-county",
      numbers.map((i) => ({
        zip: zip(i),
        ...(i % 3 === 0 ? {limit: String(1 + (i % 40))} : {}),
        ...(i % 11 === 0 ? {state: some(states, i)} : {}),
      })),
    ],
    ["/price-by-state", [{}, ...states.map((state) => ({state}))]],
    ["/latest-prices", numbers.map((i) => (i === 0 ? {} : {lat: lat(i), lon: lon(i)}))],
    ["/cattle-sale-barn-directory", [{}, ...states.map((state) => ({state}))]],
    [
      "/barns",
      [
        {},
        ...states.flatMap((state) => [
          {state},
          ...["active", "closed", "seasonal", "unknown"].map((status) => ({state, status})),
        ]),
      ],
    ],
    ["/dealers/stats", [{}]],
  ];
}

/** Members that identify the build and its time rather than its content. */
const ofBuild: ReadonlySet<string> = new Set([
  "build_id",
  "buildId",
  "instance",
  "generated_at",
  "generatedAt",
]);

function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).filter(([name]) => !ofBuild.has(name));
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, settled(each)]),
  );
}

/** Status and body; retries if the server sheds load. */
async function answerOf(base: string, key: string, question: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${base}${question}`, {headers: {"X-API-Key": key}});
    const body = settled(await response.json()) as {type?: string};
    if (body.type?.endsWith("/overloaded") && tries < 20) await sleep(500);
    else return `${response.status} ${JSON.stringify(body)}`;
  }
}

/** Both texts from shortly before they diverge. */
function parting(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at]) at++;
  const from = Math.max(0, at - 120);
  return `  before …${a.slice(from, at + 160)}\n  after  …${b.slice(from, at + 160)}\n`;
}

let different = 0;
for (const [path, questions] of [...marketQuestions(), ...(await parcelQuestions())]) {
  let [same, shown] = [0, 0];
  const statuses = new Map<string, number>();
  for (let first = 0; first < questions.length; first += 4) {
    await Promise.all(
      questions.slice(first, first + 4).map(async (params) => {
        const given = Object.entries(params).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, value]],
        );
        const question = `${path}?${new URLSearchParams(given)}`;
        const [a, b] = await Promise.all([
          answerOf(before, values["before-key"] ?? "", question),
          answerOf(after, values["after-key"] ?? "", question),
        ]);
        const status = a.slice(0, 3);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (a === b) same += 1;
        else if (shown++ < 3)
          process.stdout.write(`${question}
${parting(a, b)}`);
      }),
    );
  }
  different += questions.length - same;
  const seen = [...statuses].map(([status, times]) => `${status} x ${times}`).join(", ");
  process.stdout.write(`${path.padEnd(52)} ${same} of ${questions.length} answers equal (${seen})\n`);
}
db.close();
process.stdout.write(`${different} answers differ\n`);
process.exitCode = different === 0 ? 0 : 1;
